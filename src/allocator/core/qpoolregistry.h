// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLREGISTRY_H
#define QPOOLREGISTRY_H

#include "../os/qpoollock.h"
#include "qpooloutbox.h"
#include "qpooltrim.h"

#include <new>

QPOOL_BEGIN_NAMESPACE

/*
    All arenas of one pool: those in use, each by its thread, and the orphans, whose thread
    ended. An arena is orphaned and adopted whole, backlog included, so ownership never moves
    page by page. Both are as rare as threads are, hence a lock.

    Invariants
    - An arena is either attached to exactly one living thread, or in the list of orphans, or
      in the hands of a thread that holds the lock. All three hand over through the lock, so
      what one owner did to it happens before what the next one does.
    - m_all only grows at its head and its links never change: any thread may walk it, having
      loaded the head with acquire.
    - m_orphanDebt grows with what is pushed to orphans until they are trimmed. Added to with
      release, after the push, and taken with acquire, before the look: whoever takes a debt
      sees the pushes it stands for. A push by a thread that still saw the arena owned is not
      in it; the next that is, an adoption or trim() finds that one too. It only decides when
      to look.
*/
template <class Layout, class Source>
class ArenaRegistry
{
public:
    using ArenaType = Arena<Layout>;
    using Lock = typename Source::Lock;

    constexpr ArenaRegistry() = default;

    Lock &lock() noexcept { return m_lock; }

    // The next four with the lock held.

    // An orphan, or a new arena; null when there is no memory for one. The newest orphan first:
    // its memory is the warmest.
    ArenaType *acquire(const char *model) noexcept
    {
        ArenaType *arena = m_orphans;
        if (arena) {
            m_orphans = arena->nextOrphan;
            arena->nextOrphan = nullptr;
            arena->orphaned.store(false, std::memory_order_relaxed);
            return arena;
        }
        void *place = Source::allocateArena(sizeof(ArenaType));
        if (!place)
            return nullptr;
        arena = new (place) ArenaType(model);
        arena->id.store(++m_count, std::memory_order_relaxed);
        arena->nextArena = m_all.load(std::memory_order_relaxed);
        m_all.store(arena, std::memory_order_release);
        return arena;
    }

    void release(ArenaType *arena) noexcept
    {
        arena->orphaned.store(true, std::memory_order_relaxed);
        // What was freed since its owner trimmed it is owed by nobody yet.
        if (arena->hasBacklog.load(std::memory_order_acquire))
            m_orphanDebt.fetch_add(1, std::memory_order_release);
        arena->nextOrphan = m_orphans;
        m_orphans = arena;
    }

    Outbox *acquireOutbox() noexcept
    {
        if (Outbox *outbox = m_outboxes) {
            m_outboxes = outbox->nextUnused;
            return outbox;
        }
        void *place = Source::allocateMetadata(sizeof(Outbox));
        if (!place)
            return nullptr;
        auto *outbox = new (place) Outbox;
        outbox->nextOutbox = m_allOutboxes;
        m_allOutboxes = outbox;
        return outbox;
    }

    void releaseOutbox(Outbox *outbox) noexcept
    {
        outbox->nextUnused = m_outboxes;
        m_outboxes = outbox;
    }

    // Any thread, without the lock.

    // Somebody pushed to an orphan. When nobody adopts it, whoever pushes much trims it.
    void countOrphanPush(std::size_t bytes) noexcept
    {
        constexpr std::size_t limit = 64 * 1024;
        if (m_orphanDebt.fetch_add(bytes, std::memory_order_release) + bytes >= limit)
            trimOrphans();
    }

    bool hasOrphanBacklog() const noexcept
    {
        return m_orphanDebt.load(std::memory_order_relaxed) != 0;
    }

    // Only those that were freed to: they were trimmed when they were orphaned.
    void trimOrphans() noexcept
    {
        Locker locker(m_lock);
        m_orphanDebt.exchange(0, std::memory_order_acquire);
        for (ArenaType *arena = m_orphans; arena; arena = arena->nextOrphan) {
            if (arena->hasBacklog.load(std::memory_order_relaxed))
                Trim<Source>::now(*arena);
        }
    }

    ArenaType *arenas() const noexcept { return m_all.load(std::memory_order_acquire); }

private:
    friend struct Inspection;

    Lock m_lock;
    ArenaType *m_orphans = nullptr;
    Outbox *m_outboxes = nullptr;
    Outbox *m_allOutboxes = nullptr; // for a debugger; used or not
    std::uint32_t m_count = 0;
    std::atomic<ArenaType *> m_all { nullptr };
    std::atomic<std::size_t> m_orphanDebt { 0 };
};

QPOOL_END_NAMESPACE

#endif // QPOOLREGISTRY_H
