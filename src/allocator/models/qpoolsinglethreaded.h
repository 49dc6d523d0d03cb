// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSINGLETHREADED_H
#define QPOOLSINGLETHREADED_H

#include "../core/qpoolslowpath.h"
#include "../os/qpoolforkhandlers.h"

QPOOL_BEGIN_NAMESPACE

/*
    One arena, one thread, no locks. Hardened builds remember the first thread. Only this thread
    sees the pool's bins; all others see empty bins, which lead them to the slow path, which aborts.
*/
struct SingleThreaded
{
    static constexpr const char *Name = "SingleThreaded";
    static constexpr bool ManyThreads = false;

    template <class Layout, class Source>
    class Pool
    {
    public:
        using ArenaType = Arena<Layout>;

        QPOOL_ALWAYS_INLINE static void *tryAllocate(unsigned index) noexcept
        {
            return bins()[index].pop();
        }

        QPOOL_NEVER_INLINE static void *allocate(unsigned index) noexcept
        {
            if constexpr (hardened)
                claim();
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
            // With one bin, its address is known before the page is found, so the next allocation
            // need not wait for the page.
            Bin &bin = Layout::BinCount == 1 ? *s_arena.bins : *page.bin;
            if (QPOOL_UNLIKELY(!bin.push(chunk)))
                deallocateSlow(bin, chunk);
        }

        // See ThreadArenas.
        QPOOL_ALWAYS_INLINE static bool tryDeallocate(const PageHeader &page, void *chunk,
                                                      unsigned index) noexcept
        {
            Bin &bin = s_arena.bins[index];
            return QPOOL_LIKELY(page.bin == &bin) && QPOOL_LIKELY(bin.push(chunk));
        }

        // See ThreadArenas.
        QPOOL_ALWAYS_INLINE static Bin *ownBin(const PageHeader &page) noexcept
        {
            if constexpr (Layout::BinCount == 1)
                return page.bin == bins() ? bins() : nullptr;
            else
                return page.owner == &s_arena && bins() == s_arena.bins ? page.bin : nullptr;
        }
        QPOOL_ALWAYS_INLINE static void deallocateOwn(PageHeader &, Bin &bin, void *chunk) noexcept
        {
            if (QPOOL_UNLIKELY(!bin.push(chunk)))
                deallocateSlow(bin, chunk);
        }
        static void deallocateOther(PageHeader &page, void *chunk) noexcept
        {
            deallocate(page, chunk);
        }
        static void checkThread(const PageHeader &, const void *chunk) noexcept
        {
            if (bins() == s_arena.bins)
                return;
            Os::die("SingleThreaded: %p, freed by thread %llu, but the pool is thread %llu's",
                    chunk, static_cast<unsigned long long>(Os::threadId()),
                    static_cast<unsigned long long>(s_arena.thread.load()));
        }
        static const PoolName &name() noexcept { return s_name; }

        static constexpr bool isDisabled() noexcept { return false; }
        static void flush() noexcept { }
        static void park() noexcept { }
        static int idle() noexcept { return Trim<Source>::idle(s_arena); }

        static void trim() noexcept
        {
            Trim<Source>::now(s_arena);
            while (Trim<Source>::discardParts(s_arena)) { }
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

        // The bins that the calling thread may use.
        QPOOL_ALWAYS_INLINE static Bin *bins() noexcept
        {
            if constexpr (hardened) {
                Bin *bins = s_bins;
                QPOOL_ASSUME(bins != nullptr);
                return bins;
            } else {
                return s_arena.bins;
            }
        }

        // The first thread that allocates owns the pool.
        static void claim() noexcept
        {
            const std::uint64_t self = Os::threadId();
            std::uint64_t owner = 0;
            if (!s_arena.thread.compare_exchange_strong(owner, self) && owner != self) {
                Os::die("SingleThreaded: thread %llu allocates from it, but the pool is thread "
                        "%llu's", static_cast<unsigned long long>(self),
                        static_cast<unsigned long long>(owner));
            }
            s_bins = s_arena.bins;
        }

        // If the pool's thread forks, it has another number in the child.
        static void beforeFork() noexcept { s_forks = s_arena.thread == Os::threadId(); }

        static void afterFork() noexcept
        {
            if (s_forks)
                s_arena.thread = Os::threadId();
        }

        static inline QPOOL_THREAD_LOCAL bool s_forks = false; // two threads may fork at once
        static inline Bin s_noBins[Layout::BinCount];
        static inline QPOOL_THREAD_LOCAL Bin *s_bins QPOOL_TLS_MODEL = s_noBins;
        static inline PoolName s_name { Name };
        static inline ArenaType s_arena { s_name.text };
    };
};

QPOOL_END_NAMESPACE

#endif // QPOOLSINGLETHREADED_H
