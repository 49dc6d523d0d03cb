// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLMULTIPOOL_H
#define QPOOLMULTIPOOL_H

#include "qpoolthreadarenas.h"

QPOOL_BEGIN_NAMESPACE

/*
    One arena per thread; a chunk is freed by the thread that allocated it. No locks and no atomic
    read-modify-write. Hardened builds abort if a thread frees another thread's chunk. When a thread
    ends, a later thread adopts its arena with the chunks still in use and may then free them.
    Chunks that a thread frees after its arena was orphaned, in the last of its destructors, go
    through the backlog.
*/
struct MultiPool
{
    static constexpr const char *Name = "MultiPool";
    static constexpr bool ManyThreads = true;
    static constexpr bool AnyThreadFrees = false; // so no thread borrows from an orphan

    template <class Layout, class Source>
    class Pool : public ThreadArenas<MultiPool, Layout, Source>
    {
        using Arenas = ThreadArenas<MultiPool, Layout, Source>;

    public:
        using typename Arenas::ArenaType;

        QPOOL_ALWAYS_INLINE static void *tryAllocate(unsigned index) noexcept
        {
            return Arenas::current().bins[index].pop();
        }

        using Arenas::allocate;

        QPOOL_ALWAYS_INLINE static void deallocate(PageHeader &page, void *chunk) noexcept
        {
            if (QPOOL_UNLIKELY(!Arenas::hasArena()) && !Arenas::unpark()) {
                Arenas::pushHome(page, chunk);
                return;
            }
            if (QPOOL_UNLIKELY(!Arenas::binOf(page).push(chunk)))
                Arenas::deallocateSlow(page, chunk);
        }

        // See MultiThreaded. For a thread that has ended, nothing shows which chunks are its own.
        QPOOL_ALWAYS_INLINE static Bin *ownBin(const PageHeader &page) noexcept
        {
            return Arenas::owns(page) ? &Arenas::binOf(page) : nullptr;
        }
        QPOOL_ALWAYS_INLINE static void deallocateOwn(PageHeader &page, Bin &bin,
                                                      void *chunk) noexcept
        {
            if (QPOOL_UNLIKELY(!bin.push(chunk)))
                Arenas::deallocateSlow(page, chunk);
        }
        static void deallocateOther(PageHeader &page, void *chunk) noexcept
        {
            deallocate(page, chunk);
        }
        static void checkThread(const PageHeader &page, void *chunk) noexcept
        {
            Arenas::unpark();
            if (Arenas::hasEnded() || page.owner == &Arenas::current())
                return;
            Os::die("MultiPool: %p is freed by thread %llu, but thread %llu allocated it", chunk,
                    static_cast<unsigned long long>(Os::threadId()),
                    static_cast<unsigned long long>(
                            page.owner->thread.load(std::memory_order_relaxed)));
        }
    };
};

QPOOL_END_NAMESPACE

#endif // QPOOLMULTIPOOL_H
