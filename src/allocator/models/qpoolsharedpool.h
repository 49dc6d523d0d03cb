// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSHAREDPOOL_H
#define QPOOLSHAREDPOOL_H

#include "../core/qpooltrim.h"
#include "../os/qpoollock.h"

#include <type_traits>

namespace QPool {

/*
    One arena for all threads behind two locks: one for the stack that allocations are served
    from, one for the backlog that frees go to, so that those who allocate and those who free
    wait for each other only when the stack runs empty.

    The stack's lock guards the allocation magazines and the pages, the backlog's lock the free
    magazines; whoever moves chunks between them holds both, the stack's lock taken first.
*/
struct SharedPool
{
    static constexpr const char *Name = "SharedPool";

    template <class Layout, class Source>
    class Pool
    {
    public:
        using ArenaType = Arena<Layout>;
        using Lock = typename Source::Lock;
        static_assert(!std::is_same_v<Lock, NoLock>, "several threads need a source with a lock");

        static void *allocate(unsigned index) noexcept
        {
            Bin &bin = s_arena.bins[index];
            Locker stack(s_stackLock);
            if (void *chunk = bin.pop(); QPOOL_LIKELY(chunk))
                return chunk;
            Locker backlog(s_backlogLock);
            prepare();
            return SlowPath<Source>::allocate(s_arena, bin, Layout::chunkSize(index));
        }

        static void deallocate(void *chunk) noexcept
        {
            Bin &bin = *Source::headerOf(chunk)->bin;
            {
                Locker backlog(s_backlogLock);
                if (QPOOL_LIKELY(bin.push(chunk)))
                    return;
            }
            Locker stack(s_stackLock);
            Locker backlog(s_backlogLock);
            SlowPath<Source>::deallocate(s_arena, bin, chunk);
        }

        static constexpr bool isAside() noexcept { return false; }
        static void flush() noexcept { }

        static void idle() noexcept
        {
            Locker stack(s_stackLock);
            Locker backlog(s_backlogLock);
            Trim<Source>::idle(s_arena);
        }

        static void trim() noexcept
        {
            {
                Locker stack(s_stackLock);
                Locker backlog(s_backlogLock);
                Trim<Source>::now(s_arena);
            }
            Source::trim();
        }

        template <class Visitor>
        static void forEachArena(Visitor &&visit)
        {
            visit(static_cast<const ArenaType &>(s_arena));
        }

    private:
        // With both locks held.
        static void prepare() noexcept
        {
            if (QPOOL_LIKELY(s_arena.id.load(std::memory_order_relaxed) != 0))
                return;
            s_arena.id.store(1, std::memory_order_relaxed);
            if constexpr (Source::HasHeap) {
                Source::surviveFork();
                Os::aroundFork(&lockAll, &unlockAll);
            }
        }

        static void lockAll() noexcept
        {
            s_stackLock.lock();
            s_backlogLock.lock();
        }

        static void unlockAll() noexcept
        {
            s_backlogLock.unlock();
            s_stackLock.unlock();
        }

        static inline ArenaType s_arena { Name };
        static inline Lock s_stackLock;
        static inline Lock s_backlogLock;
    };
};

} // namespace QPool

#endif // QPOOLSHAREDPOOL_H
