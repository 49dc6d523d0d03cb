// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLREGISTRY_H
#define QPOOLREGISTRY_H

#include "../os/qpoollock.h"
#include "qpoolorphans.h"
#include "qpoolremotecache.h"
#include "qpoolslowpath.h"
#include "qpooltuning.h"

#include <new>

QPOOL_BEGIN_NAMESPACE

/*
    All arenas of one pool: arenas in use, each attached to a thread, and orphans, whose thread has
    ended. An arena is orphaned and adopted whole, including its backlog, so ownership never moves
    page by page. Both are as rare as the start and end of threads, so a lock is enough. It is held
    for a few steps and never while chunks move.

    Invariants
    - An arena is either attached to exactly one living thread, or in the list of orphans, or lost by
      a fork(). An arena in the list may be visited, or lent to a thread that borrows from it. Its
      Ownership records this and decides between all threads that want the arena.
    - m_all grows only at its head and its links never change: any thread may walk it after an
      acquire load of the head.
    - Once no operation is in progress, no orphan has pending chunks: a thread that pushes to an orphan visits
      it, and a thread that orphans an arena or ends a visit looks again.
*/
template <class Layout, class Source>
class ArenaRegistry
{
public:
    using ArenaType = Arena<Layout>;
    using Lock = typename Source::Lock;

    constexpr ArenaRegistry() = default;

    Lock &lock() noexcept { return m_lock; }

    // The next eight functions: the caller holds the lock.

    // Whether there are orphans to adopt, but each has a visitor.
    bool isOnlyVisited() const noexcept
    {
        bool visited = false;
        for (const ArenaType *arena = m_orphans; arena; arena = arena->nextOrphan) {
            if (!arena->ownership.isOrphaned())
                continue; // lent
            if (!arena->ownership.isVisited())
                return false;
            visited = true;
        }
        return visited;
    }

    // Returns an orphan, a lost or a new arena, in a slow path; null when out of memory. Prefers the newest
    // orphan, whose memory is most likely still in a processor's cache. Skips orphans that are visited
    // or lent.
    ArenaType *acquire(const char *model) noexcept
    {
        ArenaType *arena = find(model);
        if (QPOOL_LIKELY(arena)) {
            arena->beginSlowPath();
            keep(*arena);
        }
        return arena;
    }

    // Returns a new arena, parked, that no thread will have for long; null when out of memory.
    ArenaType *makeShared(const char *model) noexcept
    {
        ArenaType *arena = make(model);
        if (arena) {
            keep(*arena);
            arena->ownership.park();
        }
        return arena;
    }

    // In this process, the arena is not lost.
    void keep(ArenaType &arena) const noexcept { arena.generation.store(m_generation, std::memory_order_relaxed); }

    /*
        In the child of a fork(), which has only the calling thread, with the arena \a own or null: the
        arenas of the others are lost, until acquire() takes them one by one. It is the same as if
        their threads had ended, as long as each was between two slow paths.

        Invariants
        - The child sees each of the other threads stopped between two instructions: what a thread
          wrote before one point, and nothing of what it wrote later. The system protects one page after
          the other from writing, but the first write that it refuses stops its thread until fork()
          is done. An exception are pages that a device may write to; they are copied at once. So an
          arena is adopted only if no slow path began or ended after beforeFork().
        - Between two instructions of a fast path, an arena and a remote cache are as before it or as
          behind it, or one chunk is in neither; it is never in two places. So a lost arena that is in no
          slow path may be adopted. This does not hold at level 2 of hardening, where a pop moves all other
          chunks.
        - An arena that a living thread has, has the registry's generation; lost ones have an older one.
          `generation` is relaxed: in one process, only the thread that gets an arena writes it.
        - `changesBeforeFork` is written with the lock held, and not again once an arena is lost.
    */
    void forked(ArenaType *own) noexcept
    {
        ++m_generation;
        if (own)
            keep(*own);
        m_lost = hardening == 2 ? nullptr : arenas();
    }

    // Notes what forked() needs. The memory of published arenas is copied before the fork(), while the
    // other threads are at work: they do not \a survive.
    void beforeFork(bool survive) noexcept
    {
        for (ArenaType *arena = arenas(); arena; arena = arena->nextArena) {
            if (isLiving(*arena))
                arena->changesBeforeFork = survive ? arena->changes.count() + 1 : 0;
        }
    }

    // In the child: whether no slow path was changing the arena.
    static bool wasQuiet(const ArenaType &arena) noexcept
    {
        return !arena.changes.isOpen() && arena.changes.count() + 1 == arena.changesBeforeFork;
    }

    // Whether a thread of this process has, or had, the arena. Any thread, without the lock.
    bool isLiving(const ArenaType &arena) const noexcept
    {
        return arena.generation.load(std::memory_order_relaxed) == m_generation;
    }

    RemoteCache *acquireRemoteCache() noexcept
    {
        if (RemoteCache *remoteCache = m_remoteCaches) {
            m_remoteCaches = remoteCache->nextUnused;
            return remoteCache;
        }
        void *place = Source::allocateMetadata(sizeof(RemoteCache));
        if (!place)
            return nullptr;
        auto *remoteCache = new (place) RemoteCache;
        remoteCache->nextRemoteCache = m_allRemoteCaches;
        m_allRemoteCaches = remoteCache;
        return remoteCache;
    }

    void releaseRemoteCache(RemoteCache *remoteCache) noexcept
    {
        remoteCache->nextUnused = m_remoteCaches;
        m_remoteCaches = remoteCache;
    }

    // The following functions: any thread, without the lock.

    // \a arena is the caller's own.
    void release(ArenaType *arena) noexcept
    {
        arena->endSlowPath();
        {
            Locker locker(m_lock);
            arena->orphaned.store(true, std::memory_order_relaxed);
            arena->nextOrphan = m_orphans;
            m_orphans = arena;
            becomesOrphan(*arena);
        }
        visitIfPushed(*arena);
    }

    // Returns an orphan that has chunks of the class, enough for some time; null if none is found
    // quickly. The orphan belongs to the caller until endBorrowing().
    ArenaType *borrow(unsigned index) noexcept
    {
        if (!m_room[index].any())
            return nullptr;
        Locker locker(m_lock);
        return static_cast<ArenaType *>(m_room[index].take());
    }

    bool hasRoom(unsigned index) const noexcept { return m_room[index].any(); }

    void endBorrowing(ArenaType &arena) noexcept
    {
        {
            Locker locker(m_lock);
            becomesOrphan(arena);
        }
        visitIfPushed(arena);
    }

    // Called after a push to an arena, where \a pending bytes wait now. Its thread may have ended, or may
    // sleep.
    void pushed(ArenaBase &base, std::size_t pending) noexcept
    {
        auto &arena = static_cast<ArenaType &>(base);
        if (QPOOL_LIKELY(arena.ownership.isOwned()))
            return;
        if (pending >= Tuning::VisitParkedBytes || arena.ownership.isOrphaned())
            visit(arena, Tuning::VisitSteps, false);
    }

    // Takes in and gives back everything that orphans and parked arenas have free, in bounded steps.
    void visitAll() noexcept
    {
        for (ArenaType *arena = arenas(); arena; arena = arena->nextArena) {
            while (visit(*arena, Tuning::TrimVisitSteps, true)) { }
        }
    }

    // Gives back the parts of pages in which no chunk is out, of all arenas that no thread has.
    void discardParts() noexcept
    {
        for (ArenaType *arena = arenas(); arena; arena = arena->nextArena) {
            Trim<Source>::discardInTurns(*arena, [this, arena] {
                if (!arena->ownership.tryVisit())
                    return false;
                const bool more = Trim<Source>::discardParts(*arena);
                arena->ownership.leave();
                visitIfPushed(*arena);
                return more;
            });
        }
    }

    ArenaType *arenas() const noexcept { return m_all.load(std::memory_order_acquire); }

private:
    friend struct Inspection;

    ArenaType *find(const char *model) noexcept
    {
        for (ArenaType **place = &m_orphans; ArenaType *arena = *place;
             place = &arena->nextOrphan) {
            if (!arena->ownership.tryAdopt())
                continue;
            *place = arena->nextOrphan;
            arena->nextOrphan = nullptr;
            arena->orphaned.store(false, std::memory_order_relaxed);
            return arena;
        }
        if (ArenaType *arena = takeLost())
            return arena;
        return make(model);
    }

    ArenaType *make(const char *model) noexcept
    {
        void *place = Source::allocateArena(sizeof(ArenaType));
        if (!place)
            return nullptr;
        ArenaType *arena = ArenaType::makeIn(place, model);
        arena->id.store(++m_count, std::memory_order_relaxed);
        arena->nextArena = m_all.load(std::memory_order_relaxed);
        m_all.store(arena, std::memory_order_release);
        return arena;
    }

    ArenaType *takeLost() noexcept
    {
        while (ArenaType *arena = m_lost) {
            m_lost = arena->nextArena;
            Ownership &ownership = arena->ownership;
            if (isLiving(*arena) || !wasQuiet(*arena) || arena->orphaned.load(std::memory_order_relaxed)
                || (!ownership.isOwned() && !ownership.tryUnpark()))
                continue;
            ownership.setWanted(false);
            return arena;
        }
        return nullptr;
    }

    // Returns whether a step is left.
    bool visit(ArenaType &arena, std::uint32_t steps, bool thorough) noexcept
    {
        bool done;
        bool orphaned;
        do {
            if (!arena.ownership.tryVisit())
                return false;
            orphaned = arena.ownership.isOrphaned();
            done = Trim<Source>::visit(arena, steps, thorough, [&](Bin &bin) {
                if (orphaned && bin.pages && !Room::isListed(bin)) {
                    Locker locker(m_lock);
                    m_room[&bin - arena.bins].add(bin, arena);
                }
            });
            arena.ownership.leave();
            // Threads that pushed meanwhile found a visitor.
        } while (orphaned && arena.hasBacklog());
        return !done;
    }

    // After an arena became an orphan: a thread that pushed just before found an owner.
    void visitIfPushed(ArenaType &arena) noexcept
    {
        if (QPOOL_UNLIKELY(arena.hasBacklog()))
            visit(arena, Tuning::VisitSteps, false);
    }

    // The caller holds the lock.
    void becomesOrphan(ArenaType &arena) noexcept
    {
        for (unsigned i = 0; Bin *bin = arena.usedBin(i); ++i) {
            if (bin->pages && !Room::isListed(*bin))
                m_room[i].add(*bin, arena);
        }
        arena.ownership.orphan();
    }

    Lock m_lock;
    ArenaType *m_orphans = nullptr;
    RemoteCache *m_remoteCaches = nullptr;
    RemoteCache *m_allRemoteCaches = nullptr; // used or not; for a debugger
    std::uint32_t m_count = 0;
    std::uint32_t m_generation = 0; // how many forks led to this process
    ArenaType *m_lost = nullptr; // and those behind it in m_all may be lost
    std::atomic<ArenaType *> m_all { nullptr };
    Room m_room[Layout::BinCount];
};

QPOOL_END_NAMESPACE

#endif // QPOOLREGISTRY_H
