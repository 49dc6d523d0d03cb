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

    A null link means the next chunk of the page. So memory that went back to the system, and reads as
    zero, is a list of all chunks in it: see discardParts(). A list has as many chunks as were handed out
    and are not out; what the last one links to means nothing.
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
            sort(page, listed);
        std::uint32_t count = listed < wanted ? listed : wanted;
        FreeChunk *chunk = page->free;
        const std::uint32_t size = page->chunkSize;
        for (std::uint32_t i = count; i-- > 0;) {
            magazine[i] = chunk;
            if constexpr (hardened)
                Checks<Source>::following(chunk, bin, page->owner->model);
            FreeChunk *following = next(chunk, size);
            if constexpr (hardening == 2)
                Link::set(chunk, nullptr);
            chunk = following;
        }
        page->free = chunk;
        // Chunks that were never out are handed out only when needed, so that a page's memory is
        // touched only as far as it was used.
        std::uint32_t fresh = page->capacity - page->fresh;
        if (fresh > wanted - count)
            fresh = wanted - count;
        char *end = Source::pageOf(page) + std::size_t(page->fresh + fresh) * size;
        for (std::uint32_t i = 0; i < fresh; ++i) {
            end -= size;
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

    // Whether discardParts() was called, and nothing came back since: the number wraps then.
    static bool isDiscarded(const PageHeader *page) noexcept { return page->cameBack == Discarded; }

    // Gives those parts of the page back to the system in which no chunk is out: a program that keeps one
    // block in a thousand keeps one in each page. Takes some ten microseconds, and touches the memory of
    // all free chunks. What the system does not take, such as locked memory, stays.
    static void discardParts(PageHeader *page) noexcept
    {
        const std::size_t part = Os::pageBytes(); // 4 KiB at least: no more than sixteen to a page
        const FreeBits bits(page);
        bits.template link<true>(page);
        page->cameBack = Discarded;
        // What stays: parts of chunks that are out, and the links of those in front of them.
        std::uint32_t stays = 0;
        const auto keep = [&stays, part](std::size_t first, std::size_t last) {
            for (first /= part, last /= part; first <= last; ++first)
                stays |= std::uint32_t(1) << first;
        };
        const std::size_t size = page->chunkSize;
        for (std::uint32_t i = 0; i < page->fresh; ++i) {
            if (bits.isFree(i))
                continue;
            keep(i * size, (i + 1) * size - 1);
            if (i > 0 && bits.isFree(i - 1))
                keep((i - 1) * size, (i - 1) * size);
        }
        const std::size_t parts = Source::PageSize / part;
        for (std::size_t from = 0, to; from < parts; from = to + 1) {
            for (to = from; to < parts && (stays >> to & 1) == 0;)
                ++to;
            if (to > from)
                Source::discard(Source::pageOf(page) + from * part, (to - from) * part);
        }
    }

private:
    static constexpr PageNumber Discarded = PageNumber(~PageNumber(0));

    static FreeChunk *adjacent(FreeChunk *chunk, std::uint32_t size) noexcept
    {
        return reinterpret_cast<FreeChunk *>(reinterpret_cast<char *>(chunk) + size);
    }

    QPOOL_ALWAYS_INLINE static FreeChunk *next(FreeChunk *chunk, std::uint32_t size) noexcept
    {
        FreeChunk *following = Link::next(chunk);
        if (!hardened && QPOOL_UNLIKELY(!following))
            return adjacent(chunk, size);
        return following;
    }

    // Which chunks of a page are in its list.
    class FreeBits
    {
    public:
        explicit FreeBits(const PageHeader *page) noexcept
            : m_count((page->capacity + WordBits - 1) / WordBits)
        {
            for (std::uint32_t i = 0; i < m_count; ++i)
                m_words[i] = 0;
            // Exact for offsets and sizes of 16 bits, see PageHeader::isChunkStart().
            const std::uint64_t reciprocal = PageHeader::reciprocalOf(page->chunkSize);
            const char *start = Source::pageOf(page);
            FreeChunk *chunk = page->free;
            for (std::uint32_t left = page->fresh - page->used; left > 0; --left) {
                const auto offset = std::uint64_t(reinterpret_cast<char *>(chunk) - start);
                const auto index = std::uint32_t(offset * reciprocal >> 32);
                m_words[index / WordBits] |= std::uint64_t(1) << index % WordBits;
                chunk = next(chunk, page->chunkSize);
            }
        }

        bool isFree(std::uint32_t index) const noexcept
        {
            return m_words[index / WordBits] >> index % WordBits & 1;
        }

        // Links the chunks in the order of their addresses. In a page of which parts go back, with null
        // links, and only where that changes something: what went back already stays there.
        template <bool OfParts>
        void link(PageHeader *page) const noexcept
        {
            char *start = Source::pageOf(page);
            FreeChunk *following = nullptr;
            for (std::uint32_t word = m_count; word-- > 0;) {
                for (std::uint64_t left = m_words[word]; left != 0;) {
                    const unsigned bit = highestBit(left);
                    left &= ~(std::uint64_t(1) << bit);
                    auto *chunk = reinterpret_cast<FreeChunk *>(
                            start + std::size_t(word * WordBits + bit) * page->chunkSize);
                    FreeChunk *linked = following;
                    if (OfParts && following == adjacent(chunk, page->chunkSize))
                        linked = nullptr;
                    if (!OfParts || Link::next(chunk) != linked)
                        Link::set(chunk, linked);
                    following = chunk;
                }
            }
            page->free = following;
        }

    private:
        static constexpr std::uint32_t WordBits = 64;
        std::uint64_t m_words[(Source::PageSize / sizeof(void *) + WordBits - 1) / WordBits];
        std::uint32_t m_count;
    };

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

    // Checks only the first few of \a listed chunks.
    static bool isInOrder(const PageHeader *page, std::uint32_t listed) noexcept
    {
        constexpr std::uint32_t few = 8;
        FreeChunk *chunk = page->free;
        for (std::uint32_t i = 1; i < listed && i <= few; ++i) {
            FreeChunk *following = next(chunk, page->chunkSize);
            if (following < chunk)
                return false;
            chunk = following;
        }
        return true;
    }

    QPOOL_NEVER_INLINE static void sort(PageHeader *page, std::uint32_t listed) noexcept
    {
        page->cameBack = 0;
        if (!isInOrder(page, listed))
            FreeBits(page).template link<false>(page);
    }
};

QPOOL_END_NAMESPACE

#endif // QPOOLPAGECHUNKS_H
