// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLROOM_H
#define QPOOLROOM_H

#include "qpoolarena.h"

QPOOL_BEGIN_NAMESPACE

/*
    The bins of one size class that have pages with free chunks, in arenas that are orphans or were
    when this was noted: a thread that would take another page looks here first.

    Invariants
    - Whether a bin is listed and what follows it changes with the registry's lock held. A bin's
      listedArena is set as long as it is listed; the bin's owner, adopter or visitor may look at
      it without the lock, when all that matters is not to list a bin twice: add() asks again.
    - It is a hint: the arena may have been adopted, lent or visited meanwhile. A bin of an arena
      that has an owner is taken out when it is met; its arena lists it again when it becomes an
      orphan. One of an arena with a visitor stays.
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

    // With the lock held.
    void add(Bin &bin, ArenaBase &arena) noexcept
    {
        if (isListed(bin))
            return;
        bin.listedArena.store(&arena, std::memory_order_relaxed);
        bin.nextWithRoom = m_first.load(std::memory_order_relaxed);
        m_first.store(&bin, std::memory_order_relaxed);
    }

    // With the lock held: an arena, now the caller's, or null when none of the first few is to be
    // had.
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

#endif // QPOOLROOM_H
