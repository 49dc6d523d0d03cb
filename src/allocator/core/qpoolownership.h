// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLOWNERSHIP_H
#define QPOOLOWNERSHIP_H

#include "../qpoolglobal.h"

#include <atomic>

QPOOL_BEGIN_NAMESPACE

/*
    Decides which thread may access an arena's bins and pages.

        Owned     one thread, without any check; also a thread that borrows from an orphan
        Parked    no thread, until the owner, which is about to sleep, comes back; of a shared arena, until any
                  thread needs it
        Orphaned  no thread: the owner ended
        Visited   with Parked or Orphaned: a thread that takes in what was freed meanwhile

    Without parking and visits, what is freed to threads that sleep would stay with them: the bound
    BoundsTest.sleepingThreadsKeepAtMostASixth.

    Invariants
    - Only the owner leaves Owned. Any other thread that wants the arena exchanges Parked or
      Orphaned for another state, with acquire, and only one thread succeeds. A thread that gives
      the arena up releases. Everything that one user did to the arena therefore happens before
      everything the next one does.
    - Only the visitor ends a visit, and it leaves the state as it was before: neither the owner nor
      an adopter takes an arena from a visitor. A visitor works in bounded steps and checks m_wanted
      after each, so that the owner waits for at most one step. An adopter does without the arena,
      though it may retry for a moment; it never sets m_wanted.
    - orphan(), tryVisit() and leave() are sequentially consistent, as are isOwned(), adding to the
      count of pushed bytes (see ArenaBase::pendingBytes), and the read of that count after orphan()
      and leave(). If a push and one of these run at the same time, either the pusher sees the state
      and finds an orphan, or the thread that orphans or leaves sees the push: one of them visits
      the arena. park() only releases. A push concurrent with park() waits for the next push, the
      owner or trim().
    - After a fork(), arenas that other threads owned or visited stay owned or visited in the child.
      No thread waits for them there: the forking thread takes back its own arena before it forks.
*/
class Ownership
{
public:
    constexpr Ownership() = default;

    // The owner only.
    void park() noexcept { m_state.store(Parked, std::memory_order_release); }
    void orphan() noexcept { m_state.exchange(Orphaned, std::memory_order_seq_cst); }

    // Only the thread that parked the arena, or any thread if it is shared: see Supply. Returns false if a visitor must
    // end its visit first.
    QPOOL_ALWAYS_INLINE bool tryUnpark() noexcept { return take(Parked, Owned); }
    void setWanted(bool wanted) noexcept { m_wanted.store(wanted, std::memory_order_relaxed); }

    // Any thread.
    bool tryAdopt() noexcept { return take(Orphaned, Owned); }

    bool tryVisit() noexcept
    {
        std::uint8_t state = m_state.load(std::memory_order_relaxed);
        if ((state != Parked && state != Orphaned) || isWanted())
            return false;
        return m_state.compare_exchange_strong(state, state | Visited, std::memory_order_seq_cst,
                                               std::memory_order_seq_cst);
    }

    // The visitor only.
    bool isWanted() const noexcept { return m_wanted.load(std::memory_order_relaxed); }
    void leave() noexcept
    {
        m_state.fetch_and(std::uint8_t(~Visited), std::memory_order_seq_cst);
    }

    // Valid only for the moment, unless the caller itself decides the state.
    bool isOwned() const noexcept { return m_state.load(std::memory_order_seq_cst) == Owned; }
    bool isOrphaned() const noexcept
    {
        return m_state.load(std::memory_order_relaxed) & Orphaned;
    }
    bool isVisited() const noexcept { return m_state.load(std::memory_order_relaxed) & Visited; }

private:
    friend struct Inspection;

    enum State : std::uint8_t { Owned = 0, Parked = 1, Orphaned = 2, Visited = 4 };

    QPOOL_ALWAYS_INLINE bool take(std::uint8_t from, std::uint8_t to) noexcept
    {
        return m_state.compare_exchange_strong(from, to, std::memory_order_acquire,
                                               std::memory_order_relaxed);
    }

    std::atomic<std::uint8_t> m_state { Owned };
    std::atomic<bool> m_wanted { false };
};

QPOOL_END_NAMESPACE

#endif // QPOOLOWNERSHIP_H
