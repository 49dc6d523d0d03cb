// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLPUBLISHEDPAGES_H
#define QPOOLPUBLISHEDPAGES_H

#include "../pages/qpoolsystempages.h"
#include "../samples/qpoolheapsamples.h"
#include "qpoolpublication.h"

QPOOL_BEGIN_NAMESPACE

/*
    The page source of a process's pool, which others may watch: arenas may be published, and blocks sampled.

    A block that is sampled has the mark of its record in its header, in `used`, which other blocks leave 0. A chunk
    that is sampled is a block of one page, of which its class's size may be used: `chunkSize` says so, and is less
    than a page's only there; in the class of whole pages it is a block like any other. The program touches as much of
    it as of the chunk. Who frees the block ends the sample: like the block, the mark is that thread's alone then.
*/
struct PublishedPages : SystemPages
{
    // Hardened builds find misuse by the page of a chunk, and 32 bits are too few for what samples stand for.
#if defined(__linux__)
    static constexpr bool HasSamples = hardening == 0 && sizeof(void *) >= 8;
#else
    static constexpr bool HasSamples = false;
#endif

    static void *allocateArena(std::size_t bytes) noexcept
    {
        void *place = Publication::allocateArena(bytes);
        return place ? place : SystemPages::allocateArena(bytes);
    }

    static void surviveFork() noexcept
    {
        Publication::surviveFork();
        SystemPages::surviveFork();
        if constexpr (HasSamples)
            HeapSamples::surviveFork();
    }

    // A child sees published arenas as they were before the fork(): see ArenaRegistry::forked().
    static bool arenasSurviveFork() noexcept { return !Publication::isActive(); }

    static std::size_t samplingInterval() noexcept { return HeapSamples::interval(); }
    static std::uint32_t blocksUntilSample(std::size_t size, std::size_t interval) noexcept
    {
        return HeapSamples::blocksUntilSample(size, interval);
    }

    // A chunk that is sampled; null if there is no room.
    static void *allocateSample(std::size_t chunkSize, std::size_t interval) noexcept
    {
        const std::uint32_t mark = HeapSamples::begin(chunkSize, interval);
        if (mark == 0)
            return nullptr;
        bool isZero;
        void *block = chunkSize < PageSize ? allocateSmallBlock(chunkSize)
                                           : SystemPages::allocateBlock(chunkSize, PageSize, &isZero);
        if (!block) {
            HeapSamples::end(mark);
            return nullptr;
        }
        headerOf(block)->used = mark;
        HeapSamples::setAddress(mark, block);
        return block;
    }

    static void *allocateBlock(std::size_t bytes, std::size_t alignment, bool *isZero) noexcept
    {
        void *block = SystemPages::allocateBlock(bytes, alignment, isZero);
        if (block)
            sampleBlock(block, bytes);
        return block;
    }
    // Counts as a free and an allocation.
    static bool resizeBlock(PageHeader *first, std::size_t bytes) noexcept
    {
        if (HasSamples && first->chunkSize < PageSize)
            return false; // a chunk
        const std::uint32_t mark = first->used;
        if (!SystemPages::resizeBlock(first, bytes))
            return false;
        first->used = mark;
        endSample(first);
        sampleBlock(pageOf(first), bytes);
        return true;
    }
    static void deallocateBlock(PageHeader *first) noexcept
    {
        endSample(first);
        SystemPages::deallocateBlock(first);
    }
    static void deallocateBlockLater(PageHeader *first) noexcept
    {
        endSample(first);
        SystemPages::deallocateBlockLater(first);
    }

private:
    static void sampleBlock(void *block, std::size_t bytes) noexcept
    {
        if constexpr (HasSamples) {
            const std::size_t interval = HeapSamples::interval();
            if (QPOOL_LIKELY(interval == 0) || !HeapSamples::isDue(bytes, interval))
                return;
            if (const std::uint32_t mark = HeapSamples::begin(bytes, interval)) {
                headerOf(block)->used = mark;
                HeapSamples::setAddress(mark, block);
            }
        }
    }

    static void endSample(PageHeader *first) noexcept
    {
        if constexpr (HasSamples) {
            if (QPOOL_UNLIKELY(first->used != 0)) {
                HeapSamples::end(first->used);
                first->used = 0;
            }
        }
    }
};

QPOOL_END_NAMESPACE

#endif // QPOOLPUBLISHEDPAGES_H
