// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLMULTITHREADED_H
#define QPOOLMULTITHREADED_H

#include "qpoolthreadarenas.h"

QPOOL_BEGIN_NAMESPACE

/*
    One arena per thread; any thread frees. A thread frees its own chunks into its arena, and others
    into its remote cache, which sends them to the backlogs of their arenas.
*/
struct MultiThreaded
{
    static constexpr const char *Name = "MultiThreaded";
    static constexpr bool ManyThreads = true;
    static constexpr bool AnyThreadFrees = true;

    template <class Layout, class Source>
    class Pool : public ThreadArenas<MultiThreaded, Layout, Source>
    {
        using Arenas = ThreadArenas<MultiThreaded, Layout, Source>;

    public:
        using typename Arenas::ArenaType;

        QPOOL_ALWAYS_INLINE static void *tryAllocate(unsigned index) noexcept
        {
            return Arenas::current().bins[index].pop();
        }

        using Arenas::allocate;

        QPOOL_ALWAYS_INLINE static void deallocate(PageHeader &page, void *chunk) noexcept
        {
            if (QPOOL_UNLIKELY(!Arenas::owns(page)))
                deallocateRemote(page, chunk);
            else if (QPOOL_UNLIKELY(!Arenas::binOf(page).push(chunk)))
                Arenas::deallocateSlow(page, chunk);
        }

        // For hardened builds: ownBin() returns the bin of a page of the calling thread, otherwise
        // null. deallocateOwn() and deallocateOther() free a chunk of such a page and of any other
        // page; checkThread() may refuse the latter.
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
        QPOOL_ALWAYS_INLINE static void deallocateOther(PageHeader &page, void *chunk) noexcept
        {
            deallocateRemote(page, chunk);
        }
        static void checkThread(const PageHeader &, const void *) noexcept { }

    private:
        QPOOL_NEVER_INLINE static void deallocateRemote(PageHeader &page, void *pointer) noexcept
        {
            auto *chunk = static_cast<FreeChunk *>(pointer);
            RemoteCache *remoteCache = Arenas::remoteCache();
            if (QPOOL_UNLIKELY(!remoteCache) || QPOOL_UNLIKELY(!remoteCache->tryPut(page.bin, chunk)))
                deallocateRemoteSlow(page, chunk);
        }

        QPOOL_NEVER_INLINE static void deallocateRemoteSlow(PageHeader &page,
                                                            FreeChunk *chunk) noexcept
        {
            if (Arenas::unpark()) {
                // The chunk may be the thread's own.
                deallocate(page, chunk);
                return;
            }
            Arenas::deallocateRemote(page, chunk);
        }
    };
};

QPOOL_END_NAMESPACE

#endif // QPOOLMULTITHREADED_H
