// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLORPHANS_H
#define QPOOLORPHANS_H

#include "../os/qpoollock.h"
#include "qpoolarena.h"

QPOOL_BEGIN_NAMESPACE

// What is known of orphans without looking at each: to which chunks were freed, and which have free chunks.
// The list of all, and who adopts one, is in qpoolregistry.h.

/*
    The orphans to which chunks were freed, each once, in the order in which they were queued. A
    thread that calls idle() visits a few of them, and never visits orphans to which nothing was
    freed.

    Invariants
    - isQueued and nextQueued change together, with the registry's lock held. This also holds in the
      child of a fork(), before which that lock is taken.
    - add() reads isQueued without the lock, after a push. Setting it, reading it and clearing it in
      takeFirst() are sequentially consistent. So a pusher that finds it set has pushed before the
      thread that takes the arena from the queue reads its pendingBytes; or, if a visitor keeps that
      thread out, before the visitor's last read of them, which then finds the push: see Ownership.
    - The queue is a hint: an arena in it may have been adopted or visited meanwhile.
*/
class Debtors
{
public:
    constexpr Debtors() = default;

    bool any() const noexcept { return m_first.load(std::memory_order_relaxed) != nullptr; }

    // Queues \a arena unless it is queued already.
    template <class Lock>
    void add(ArenaBase &arena, Lock &lock) noexcept
    {
        if (arena.isQueued.load(std::memory_order_seq_cst))
            return;
        Locker locker(lock);
        add(arena);
    }

    // The caller holds the lock.
    void add(ArenaBase &arena) noexcept
    {
        if (arena.isQueued.load(std::memory_order_relaxed))
            return;
        arena.isQueued.store(true, std::memory_order_seq_cst);
        if (any())
            m_last->nextQueued = &arena;
        else
            m_first.store(&arena, std::memory_order_relaxed);
        m_last = &arena;
    }

    // Returns null if the queue is empty.
    template <class Lock>
    ArenaBase *takeFirst(Lock &lock) noexcept
    {
        Locker locker(lock);
        ArenaBase *arena = m_first.load(std::memory_order_relaxed);
        if (!arena)
            return nullptr;
        m_first.store(arena->nextQueued, std::memory_order_relaxed);
        arena->nextQueued = nullptr;
        arena->isQueued.store(false, std::memory_order_seq_cst);
        return arena;
    }

private:
    std::atomic<ArenaBase *> m_first { nullptr };
    ArenaBase *m_last = nullptr;
};

/*
    The bins of one size class that have pages with free chunks, in arenas that are orphans or were
    when they were listed. A thread that needs another page looks here first. (Without it, threads that end
    while one chunk of each page is alive leave pages that serve nobody: the bound
    BoundsTest.laterAllocationsReuseOrphanedPages.)

    Invariants
    - A bin is listed, linked and removed with the registry's lock held. Its listedArena is non-null
      exactly while it is listed. The bin's owner, adopter or visitor may read it without the lock,
      if only to avoid listing a bin twice: add() checks again.
    - The list is a hint: the arena may have been adopted, lent or visited meanwhile. take() removes
      the bin of an arena that has an owner; the arena lists it again when it becomes an orphan. The
      bin of an arena with a visitor stays.
*/
class Room
{
public:
    constexpr Room() = default;

    bool any() const noexcept { return m_first.load(std::memory_order_relaxed) != nullptr; }

    static bool isListed(const Bin &bin) noexcept
    {
        return bin.listedArena.load(std::memory_order_relaxed) != nullptr;
    }

    // The caller holds the lock.
    void add(Bin &bin, ArenaBase &arena) noexcept
    {
        if (isListed(bin))
            return;
        bin.listedArena.store(&arena, std::memory_order_relaxed);
        bin.nextWithRoom = m_first.load(std::memory_order_relaxed);
        m_first.store(&bin, std::memory_order_relaxed);
    }

    // The caller holds the lock. Returns an arena that now belongs to the caller, or null if none
    // of the first few is available.
    ArenaBase *take() noexcept
    {
        constexpr unsigned looks = 8;
        Bin *before = nullptr;
        Bin *bin = m_first.load(std::memory_order_relaxed);
        for (unsigned i = 0; i < looks && bin; ++i) {
            ArenaBase *arena = bin->listedArena.load(std::memory_order_relaxed);
            Bin *next = bin->nextWithRoom;
            const bool taken = arena->ownership.tryAdopt();
            if (!taken && !arena->ownership.isOwned()) {
                before = bin;
            } else {
                if (before)
                    before->nextWithRoom = next;
                else
                    m_first.store(next, std::memory_order_relaxed);
                bin->nextWithRoom = nullptr;
                bin->listedArena.store(nullptr, std::memory_order_relaxed);
            }
            if (taken)
                return arena;
            bin = next;
        }
        return nullptr;
    }

private:
    std::atomic<Bin *> m_first { nullptr };
};

QPOOL_END_NAMESPACE

#endif // QPOOLORPHANS_H
