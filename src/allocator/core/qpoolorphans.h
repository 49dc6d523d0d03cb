// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLORPHANS_H
#define QPOOLORPHANS_H

#include "qpoolarena.h"

QPOOL_BEGIN_NAMESPACE

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
