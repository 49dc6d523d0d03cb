// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLOWNERSHIP_H
#define QPOOLOWNERSHIP_H

#include "../qpoolglobal.h"

#include <atomic>

QPOOL_BEGIN_NAMESPACE

/*
    Who may touch an arena's bins and pages.

        Owned     one thread, which need not ask; also a thread that borrows from an orphan
        Parked    nobody, until the owner, which is about to sleep, comes back
        Orphaned  nobody: the owner ended
        Visited   with one of the last two: a thread that takes in what was freed meanwhile

    Invariants
    - Only the owner leaves Owned. Whoever else wants the arena exchanges Parked or Orphaned for
      something else, with acquire, and only one of them succeeds; whoever gives it up releases.
      So all that one user did to the arena happens before what the next one does.
    - Only the visitor ends a visit, and the state before it is what it leaves: neither owner nor
      adopter takes an arena from a visitor. A visitor works in bounded steps and looks at
      m_wanted after each, so that the owner waits for one step. An adopter does without the
      arena, though it may look again for a moment; it never sets m_wanted.
    - orphan(), tryVisit() and leave() are sequentially consistent, as are isOwned(), the count of
      what was pushed (see ArenaBase::pendingBytes) and the look at it after orphan() and leave().
      A push that crosses one of them is therefore seen by the pusher, which finds an orphan, or by
      whoever orphans or leaves, which finds the push: one of them queues the arena. park() only
      releases. A push that crosses it waits for the next one, the owner or trim().
    - After a fork() the arenas that other threads owned or visited stay so in the child. Nobody
      waits for them there: the thread that forks takes back its own before it does.
*/
class Ownership
{
public:
    constexpr Ownership() = default;

    // The owner.
    void park() noexcept { m_state.store(Parked, std::memory_order_release); }
    void orphan() noexcept { m_state.exchange(Orphaned, std::memory_order_seq_cst); }

    // The thread that parked it. False: there is a visitor, who is to end the visit.
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

    // The visitor.
    bool isWanted() const noexcept { return m_wanted.load(std::memory_order_relaxed); }
    void leave() noexcept
    {
        m_state.fetch_and(std::uint8_t(~Visited), std::memory_order_seq_cst);
    }

    // Right at the moment only, unless it is the caller who decides.
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
