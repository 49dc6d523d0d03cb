// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSHAREDPOOL_H
#define QPOOLSHAREDPOOL_H

#include "../core/qpoolslowpath.h"
#include "../os/qpoolforkhandlers.h"
#include "../os/qpoollock.h"
#include "../os/qpoolmutex.h"

QPOOL_BEGIN_NAMESPACE

/*
    One arena for all threads, protected by one lock, and a lock-free backlog. A thread that frees
    while another holds the lock pushes to the backlog: threads that free never wait for threads
    that allocate. The backlog is taken in when the magazine is empty.

    While the process has a single thread, no lock is taken, as in glibc's malloc. Only that thread
    could start another one, and it cannot do so in here.

    Invariants
    - Only the thread that holds the lock, or the only thread of the process, accesses magazines and
      pages. The start of a thread, and the thread end that leaves a single thread, order these
      accesses as the lock orders the others.
    - Only the thread that holds the lock takes the backlogs. A thread that pushes without it does
      what a foreign thread does in other models: it pushes, then sets the note. It does not access
      the page after the push, because the chunk may have been the last one that kept the page in
      use.
    - A pushed chunk may stay until the magazine of its class is empty, or idle() or trim() is
      called. This is acceptable, because the class is in use.
*/
struct SharedPool
{
    static constexpr const char *Name = "SharedPool";
    static constexpr bool ManyThreads = true;

    template <class Layout, class Source>
    class Pool
    {
    public:
        using ArenaType = Arena<Layout>;
        using Lock = typename Source::Lock;

        QPOOL_ALWAYS_INLINE static void *tryAllocate(unsigned index) noexcept
        {
            return Os::isSingleThreaded() ? s_arena.bins[index].pop() : nullptr;
        }

        QPOOL_NEVER_INLINE static void *allocate(unsigned index) noexcept
        {
            Bin &bin = s_arena.bins[index];
            if (QPOOL_UNLIKELY(s_arena.id.load(std::memory_order_relaxed) == 0))
                prepare();
            Locker locker(s_lock);
            if (void *chunk = bin.pop(); QPOOL_LIKELY(chunk))
                return chunk;
            return SlowPath<Source>::allocate(s_arena, bin, Layout::chunkSize(index));
        }

        QPOOL_ALWAYS_INLINE static void deallocate(PageHeader &page, void *chunk) noexcept
        {
            // See SingleThreaded.
            Bin &bin = Layout::BinCount == 1 ? *s_arena.bins : *page.bin;
            if (Os::isSingleThreaded() && QPOOL_LIKELY(bin.push(chunk)))
                return;
            deallocateLocked(bin, static_cast<FreeChunk *>(chunk));
        }

        // See ThreadArenas.
        QPOOL_ALWAYS_INLINE static bool tryDeallocate(const PageHeader &page, void *chunk,
                                                      unsigned index) noexcept
        {
            Bin &bin = s_arena.bins[index];
            return Os::isSingleThreaded() && QPOOL_LIKELY(page.bin == &bin)
                    && QPOOL_LIKELY(bin.push(chunk));
        }

        // See ThreadArenas. Every page of the pool belongs to all threads.
        QPOOL_ALWAYS_INLINE static Bin *ownBin(const PageHeader &page) noexcept
        {
            if constexpr (Layout::BinCount == 1)
                return page.bin == s_arena.bins ? s_arena.bins : nullptr;
            else
                return page.owner == &s_arena ? page.bin : nullptr;
        }
        QPOOL_ALWAYS_INLINE static void deallocateOwn(PageHeader &, Bin &bin, void *chunk) noexcept
        {
            if (Os::isSingleThreaded() && QPOOL_LIKELY(bin.push(chunk)))
                return;
            deallocateLocked(bin, static_cast<FreeChunk *>(chunk));
        }
        static void deallocateOther(PageHeader &page, void *chunk) noexcept
        {
            deallocate(page, chunk);
        }
        static void checkThread(const PageHeader &, const void *) noexcept { }
        static const PoolName &name() noexcept { return s_name; }

        static constexpr bool isDisabled() noexcept { return false; }
        static void flush() noexcept { }
        static void park() noexcept { }

        static int idle() noexcept
        {
            Locker locker(s_lock);
            return Trim<Source>::idle(s_arena);
        }

        static void trim() noexcept
        {
            {
                Locker locker(s_lock);
                Trim<Source>::now(s_arena);
            }
            Trim<Source>::discardInTurns(s_arena, [] {
                Locker locker(s_lock);
                return Trim<Source>::discardParts(s_arena);
            });
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

        QPOOL_NEVER_INLINE static void deallocateLocked(Bin &bin, FreeChunk *chunk) noexcept
        {
            if (!s_lock.try_lock()) {
                // The arena is never orphaned, and its owner is the thread that holds the lock: the
                // bin outlives the push, even if the page does not.
                bin.backlog.push(chunk, chunk, 1);
                s_arena.askForCheck();
                return;
            }
            if (QPOOL_UNLIKELY(!bin.push(chunk)))
                SlowPath<Source>::deallocate(s_arena, bin, chunk);
            s_lock.unlock();
        }

        // Called without the lock, because registering handlers may allocate.
        QPOOL_NEVER_INLINE static void prepare() noexcept
        {
            if constexpr (Source::HasHeap)
                Handlers::atLatest();
            s_arena.id.store(1, std::memory_order_relaxed);
        }

        static void registerForkHandlers() noexcept
        {
            Source::surviveFork();
            Os::aroundFork([] { lockToFork(s_lock); }, [] { unlockAfterFork(s_lock); });
        }

        static inline PoolName s_name { Name };
        static inline ArenaType s_arena { s_name.text };
        static inline Lock s_lock;
    };
};

QPOOL_END_NAMESPACE

#endif // QPOOLSHAREDPOOL_H
