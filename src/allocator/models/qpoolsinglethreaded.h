// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSINGLETHREADED_H
#define QPOOLSINGLETHREADED_H

#include "../core/qpooltrim.h"
#include "../os/qpoolforkhandlers.h"

QPOOL_BEGIN_NAMESPACE

/*
    One arena, one thread, no locks. Hardened builds remember the first thread and stop the
    second.
*/
struct SingleThreaded
{
    static constexpr const char *Name = "SingleThreaded";

    template <class Layout, class Source>
    class Pool
    {
    public:
        using ArenaType = Arena<Layout>;

        QPOOL_ALWAYS_INLINE static void *tryAllocate(unsigned index) noexcept
        {
            if constexpr (hardened)
                checkThread(nullptr);
            return s_arena.bins[index].pop();
        }

        QPOOL_NEVER_INLINE static void *allocate(unsigned index) noexcept
        {
            if (s_arena.id.load(std::memory_order_relaxed) == 0) {
                s_arena.id.store(1, std::memory_order_relaxed);
                if constexpr (Source::HasHeap || hardened)
                    Handlers::atLatest();
            }
            return SlowPath<Source>::allocate(s_arena, s_arena.bins[index],
                                              Layout::chunkSize(index));
        }

        QPOOL_ALWAYS_INLINE static void deallocate(PageHeader &page, void *chunk) noexcept
        {
            if constexpr (hardened)
                checkThread(chunk);
            Bin &bin = *page.bin;
            if (QPOOL_UNLIKELY(!bin.push(chunk)))
                deallocateSlow(bin, chunk);
        }

        static constexpr bool isAside() noexcept { return false; }
        static void flush() noexcept { }
        static void park() noexcept { }
        static void idle() noexcept { Trim<Source>::idle(s_arena); }

        static void trim() noexcept
        {
            Trim<Source>::now(s_arena);
            Source::trim();
        }

        template <class Visitor>
        static void forEachArena(Visitor &&visit)
        {
            visit(static_cast<const ArenaType &>(s_arena));
        }

    private:
        using Handlers = ForkHandlers<Pool>;
        friend Handlers;

        static void registerForkHandlers() noexcept
        {
            Source::surviveFork();
            if constexpr (hardened)
                Os::aroundFork(&beforeFork, &afterFork);
        }

        QPOOL_NEVER_INLINE static void deallocateSlow(Bin &bin, void *chunk) noexcept
        {
            SlowPath<Source>::deallocate(s_arena, bin, chunk);
        }

        // \a chunk is what is freed, null for an allocation.
        static void checkThread(const void *chunk) noexcept
        {
            const std::uint64_t self = Os::threadId();
            std::uint64_t owner = 0;
            if (s_arena.thread.compare_exchange_strong(owner, self) || owner == self)
                return;
            const auto thread = static_cast<unsigned long long>(self);
            const auto other = static_cast<unsigned long long>(owner);
            if (chunk) {
                Os::die("SingleThreaded: %p, freed by thread %llu, but the pool is thread %llu's",
                        chunk, thread, other);
            }
            Os::die("SingleThreaded: thread %llu allocates from it, but the pool is thread %llu's",
                    thread, other);
        }

        // The pool's thread, if it is the one that forks, has another number in the child.
        static void beforeFork() noexcept { s_forks = s_arena.thread == Os::threadId(); }

        static void afterFork() noexcept
        {
            if (s_forks)
                s_arena.thread = Os::threadId();
        }

        static inline QPOOL_THREAD_LOCAL bool s_forks = false; // two threads may fork at once
        static inline ArenaType s_arena { Name };
    };
};

QPOOL_END_NAMESPACE

#endif // QPOOLSINGLETHREADED_H
