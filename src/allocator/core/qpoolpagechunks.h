// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLPAGECHUNKS_H
#define QPOOLPAGECHUNKS_H

#include "qpoolchecks.h"

QPOOL_BEGIN_NAMESPACE

/*
    How many chunks a page has. If the chunk size divides the page size, one cache line, or one
    chunk, is left over, so that successive pages begin at different places in their class's
    sequence. Otherwise chunks whose numbers are powers of two share a few sets of each cache, as do
    the nodes on the last path of a balanced tree built in order: building a std::map of 56-byte
    nodes took twice the time. (Slab colouring: Bonwick, USENIX 1994.)

    Larger chunks would waste more than a hundredth of the page, and a static buffer has no space to
    waste.
*/
template <class Source>
constexpr std::uint32_t chunksPerPage(std::size_t chunkSize) noexcept
{
    constexpr std::size_t most = 512;
    const std::size_t count = Source::PageSize / chunkSize;
    if (!Source::HasHeap || chunkSize > most || count * chunkSize != Source::PageSize)
        return std::uint32_t(count);
    const std::size_t spared = CacheLineSize / chunkSize;
    return std::uint32_t(count - (spared > 0 ? spared : 1));
}

/*
    The chunks of one page: those that came back are in a list; those behind them are fresh, which means
    that they were never handed out. Only the arena's owner or its visitor calls these functions.

    The list is sorted by address now and then. A program that frees a container's nodes in random order
    leaves a list in random order. Its next allocations would then be all over the page and each new
    node would miss the cache, whereas the processor prefetches neighbours. (Address-ordered free
    lists: P. Wilson, M. Johnstone et al., "Dynamic Storage Allocation: A Survey and Critical
    Review", IWMM 1995.) This is done before a batch is taken, if half of the page is free and as many
    chunks came back since the last time. The cost, a few steps per chunk of the page, is therefore a
    constant amount per earlier free. The walk also brings the chunks into the cache of the thread
    that allocates them. It is not done where there is no cache, nor in hardened builds, which follow a
    link only after checking it.
*/
template <class Source>
class PageChunks
{
public:
    // Fills \a magazine with at most \a wanted chunks; returns how many.
    static std::uint32_t take(PageHeader *page, const Bin &bin, void **magazine,
                              std::uint32_t wanted) noexcept
    {
        const std::uint32_t listed = page->fresh - page->used;
        if (QPOOL_UNLIKELY(isWorthSorting(page, listed)))
            sort(page);
        std::uint32_t count = listed < wanted ? listed : wanted;
        FreeChunk *chunk = page->free;
        for (std::uint32_t i = count; i-- > 0;) {
            magazine[i] = chunk;
            if constexpr (hardened)
                Checks<Source>::following(chunk, bin, page->owner->model);
            FreeChunk *next = Link::next(chunk);
            if constexpr (hardening == 2)
                Link::set(chunk, nullptr);
            chunk = next;
        }
        page->free = chunk;
        // Chunks that were never out are handed out only when needed, so that a page's memory is
        // touched only as far as it was used.
        std::uint32_t fresh = page->capacity - page->fresh;
        if (fresh > wanted - count)
            fresh = wanted - count;
        char *end = Source::pageOf(page)
                + std::size_t(page->fresh + fresh) * page->chunkSize;
        for (std::uint32_t i = 0; i < fresh; ++i) {
            end -= page->chunkSize;
            if constexpr (hardened)
                Checks<Source>::prepare(page, end);
            magazine[count++] = end;
        }
        page->fresh += fresh;
        page->used += count;
        return count;
    }

    // The caller counts the chunk.
    static void put(PageHeader *page, FreeChunk *chunk) noexcept
    {
        Link::set(chunk, page->free);
        page->free = chunk;
        if constexpr (!hardened)
            ++page->cameBack;
    }

    // The same for a chunk that the program never had. If no chunk behind it was ever handed out, it
    // becomes fresh again, and is neither linked nor touched. Linking it would touch memory that may
    // never be used.
    static void putUnused(PageHeader *page, FreeChunk *chunk) noexcept
    {
        // Hardened builds have prepared the chunk and would prepare it again.
        if (!hardened && isLastOut(page, chunk)) {
            noteTouched(page);
            --page->fresh;
        } else {
            put(page, chunk);
        }
    }

    // What was touched is what was handed out, give or take a batch.
    static void noteTouched(PageHeader *page) noexcept
    {
        const std::uint32_t touched = page->fresh * page->chunkSize;
        if (touched > page->touched)
            page->touched = touched;
    }

private:
    static bool isLastOut(const PageHeader *page, const void *chunk) noexcept
    {
        return chunk == Source::pageOf(page) + std::size_t(page->fresh - 1) * page->chunkSize;
    }

    static bool isWorthSorting(const PageHeader *page, std::uint32_t listed) noexcept
    {
        constexpr std::uint32_t fewest = 32; // fewer are of a kilobyte or more each
        if constexpr (!hardened && CacheLineSize >= 64) {
            const std::uint32_t half = page->capacity / 2;
            return QPOOL_UNLIKELY(page->cameBack >= half) && half >= fewest && listed >= half;
        }
        return false;
    }

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
        page->cameBack = 0;
        if (isInOrder(page))
            return;
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
};

QPOOL_END_NAMESPACE

#endif // QPOOLPAGECHUNKS_H
