// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLDEBTORS_H
#define QPOOLDEBTORS_H

#include "../os/qpoollock.h"
#include "qpoolarena.h"

QPOOL_BEGIN_NAMESPACE

/*
    The orphans that were freed to, each once, the longest there first: who has a moment looks at
    a few of them, and never at those that were not.

    Invariants
    - isQueued and nextQueued change with the registry's lock held, and together: also in the child
      of a fork(), before which that lock is taken.
    - isQueued is looked at without it, after a push. Both and the taking are sequentially
      consistent: a pusher that finds it set has pushed before the taker looks at the arena's
      pendingBytes, or after the last look of a visitor, which then finds them: see Ownership.
    - An arena in the queue may have been adopted meanwhile, or been looked at: it is a hint.
*/
class Debtors
{
public:
    constexpr Debtors() = default;

    bool any() const noexcept { return m_first.load(std::memory_order_relaxed) != nullptr; }

    // Once while it is there.
    template <class Lock>
    void add(ArenaBase &arena, Lock &lock) noexcept
    {
        if (arena.isQueued.load(std::memory_order_seq_cst))
            return;
        Locker locker(lock);
        add(arena);
    }

    // With the lock held.
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

    // Null: there is none.
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

QPOOL_END_NAMESPACE

#endif // QPOOLDEBTORS_H
