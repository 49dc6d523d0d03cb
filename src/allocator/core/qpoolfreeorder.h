// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLFREEORDER_H
#define QPOOLFREEORDER_H

#include "qpoolchunk.h"
#include "../pages/qpoolpage.h"

QPOOL_BEGIN_NAMESPACE

/*
    Sorts a page's free list by address. A program that frees a container's nodes in random order
    leaves a list in random order. Its next allocations would then be all over the page and each new
    node would miss the cache, whereas the processor prefetches neighbours. (Address-ordered free
    lists: P. Wilson, M. Johnstone et al., "Dynamic Storage Allocation: A Survey and Critical
    Review", IWMM 1995.)

    A list is sorted before a batch is taken from it, if half of the page is free and as many chunks
    came back since the last sort. The cost, a few steps per chunk of the page, is therefore a
    constant amount per earlier free. The walk also brings the chunks into the cache of the thread
    that allocates them.

    Not done where there is no cache, nor in hardened builds, which follow a link only after
    checking it.
*/
template <class Source>
class FreeOrder
{
public:
    // Called before chunks are taken from \a page's list.
    QPOOL_ALWAYS_INLINE static void prepare(PageHeader *page) noexcept
    {
        if constexpr (!hardened && CacheLineSize >= 64) {
            const std::uint32_t half = page->capacity / 2;
            if (QPOOL_UNLIKELY(page->cameBack >= half) && half >= FewestChunks
                && page->fresh - page->used >= half) {
                page->cameBack = 0;
                if (!isInOrder(page))
                    sort(page);
            }
        }
    }

    static void noteCameBack(PageHeader *page) noexcept
    {
        if constexpr (!hardened)
            ++page->cameBack;
    }

private:
    static constexpr std::uint32_t FewestChunks = 32; // fewer are of a kilobyte or more each

    // Checks only the first few.
    static bool isInOrder(const PageHeader *page) noexcept
    {
        constexpr int few = 8;
        FreeChunk *chunk = page->free;
        for (int i = 0; i < few; ++i) {
            FreeChunk *next = Link::next(chunk);
            if (!next)
                return true;
            if (next < chunk)
                return false;
            chunk = next;
        }
        return true;
    }

    QPOOL_NEVER_INLINE static void sort(PageHeader *page) noexcept
    {
        constexpr std::uint32_t wordBits = 64;
        constexpr std::uint32_t most = Source::PageSize / sizeof(void *);
        std::uint64_t isFree[most / wordBits];
        const std::uint32_t words = (page->capacity + wordBits - 1) / wordBits;
        for (std::uint32_t i = 0; i < words; ++i)
            isFree[i] = 0;

        // Exact for offsets and sizes of 16 bits, see PageHeader::isChunkStart().
        const std::uint32_t size = page->chunkSize;
        const std::uint64_t reciprocal = PageHeader::reciprocalOf(size);
        char *start = Source::pageOf(page);
        for (FreeChunk *chunk = page->free; chunk; chunk = Link::next(chunk)) {
            const auto offset = std::uint64_t(reinterpret_cast<char *>(chunk) - start);
            const auto index = std::uint32_t(offset * reciprocal >> 32);
            isFree[index / wordBits] |= std::uint64_t(1) << index % wordBits;
        }

        FreeChunk *following = nullptr;
        for (std::uint32_t word = words; word-- > 0;) {
            for (std::uint64_t left = isFree[word]; left != 0;) {
                const unsigned bit = highestBit(left);
                left &= ~(std::uint64_t(1) << bit);
                char *place = start + std::size_t(word * wordBits + bit) * size;
                auto *chunk = reinterpret_cast<FreeChunk *>(place);
                Link::set(chunk, following);
                following = chunk;
            }
        }
        page->free = following;
    }

    static unsigned highestBit(std::uint64_t bits) noexcept
    {
#if defined(__GNUC__)
        return 63 - unsigned(__builtin_clzll(bits));
#else
        unsigned bit = 0;
        while (bits >>= 1)
            ++bit;
        return bit;
#endif
    }
};

QPOOL_END_NAMESPACE

#endif // QPOOLFREEORDER_H
