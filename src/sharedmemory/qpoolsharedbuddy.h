// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSHAREDBUDDY_H
#define QPOOLSHAREDBUDDY_H

#include "qpoolsharedbits.h"
#include "qpoolsharedheader.h"

QPOOL_BEGIN_NAMESPACE

/*
    Runs of whole pages. Free pages are kept as in a binary buddy system (K. Knowlton, 1965): blocks
    of 2^order pages, each at a multiple of its size; give() merges two halves of a block at once.
    But a run takes the shortest row of free pages that is long enough, whatever blocks these belong
    to, and the rest of the blocks stays free. With aligned blocks alone, and runs of all lengths up
    to 64 KiB in 70 % of a segment, no block had 16 pages left while a fifth of the segment was
    free. Taking the first row that is long enough, instead of the shortest, left a tenth less of
    the free memory in one piece, and with 85 % in use nearly half of the calls failed (benchmark
    shared/fragmentation).

    A slab, which lives longer, gets the highest block that is large enough, so that slabs do not
    separate runs.

    One bitmap has a bit for each free page. A search takes one step per 64 pages over the first 256
    MiB, and ends early at a row of exactly the right length. If these have no row that is long
    enough, a block of an order is taken from a tree, in as many steps as there are orders and
    levels: it has a bit for each block that might be free, and above the bits of an order a tree of
    non-zero words (SharedOrder). The rest is searched only if there is no such block. No list runs
    through free memory, so nothing that a program writes there can do harm, and the metadata has
    its full size from the start. There is no recursion.

    All bits follow from the pages' states (SharedPage), and a survivor of a death rebuilds them.
    The caller holds the lock and maintains the states.
*/
class SharedBuddy
{
public:
    explicit SharedBuddy(SharedHeader &header) noexcept : m_header(header), m_words(header.words()) { }

    // Returns the first page of a run of \a pages; zero if there is none.
    std::uint32_t take(std::uint32_t pages) noexcept
    {
        const std::uint32_t words = (m_header.pageCount + 63) / 64;
        std::uint32_t best = findRun(pages, words < NearWords ? words : NearWords);
        if (QPOOL_UNLIKELY(best == 0 && words > NearWords)) {
            for (std::uint32_t orders = ordersFrom(orderFor(pages)); orders; orders &= orders - 1) {
                const std::uint32_t from = SharedBits::lowest(orders);
                const std::uint32_t page = end<false>(from) << from;
                if (best == 0 || page < best)
                    best = page;
            }
            if (best == 0)
                best = findRun(pages, words);
        }
        if (best != 0)
            takeAt(best, pages);
        return best;
    }

    // The same for 2^order pages, at the highest possible place.
    std::uint32_t takeLast(std::uint32_t order) noexcept
    {
        std::uint32_t best = 0; // the end of the block
        std::uint32_t bestOrder = 0;
        for (std::uint32_t orders = ordersFrom(order); orders; orders &= orders - 1) {
            const std::uint32_t from = SharedBits::lowest(orders);
            const std::uint32_t page = (end<true>(from) + 1) << from;
            if (page > best) {
                best = page;
                bestOrder = from;
            }
        }
        if (best >> bestOrder < 2)
            return 0; // or damaged: the metadata is there
        const std::uint32_t page = best - (std::uint32_t(1) << order);
        takeAt(page, std::uint32_t(1) << order);
        return page;
    }

    // The pages must be adjacent and in use.
    void give(std::uint32_t page, std::uint32_t pages) noexcept
    {
        m_header.freePages.put(m_header.freePages.get() + pages);
        mark(page, page + pages, true);
        for (const std::uint32_t end = page + pages; page < end;) {
            const std::uint32_t order = orderAt(page, end);
            join(order, page >> order);
            page += std::uint32_t(1) << order;
        }
    }

    // Forgets all free pages. The caller then calls addFree() for each run of free pages that ends
    // at used ones.
    void reset() noexcept
    {
        m_header.freeOrders.put(0);
        m_header.freePages.put(0);
        const std::uint64_t end = std::uint64_t(m_header.metaPages) << SharedClasses::PageShift;
        auto *const last = reinterpret_cast<SharedCell<std::uint64_t> *>(m_header.base() + end);
        for (SharedCell<std::uint64_t> *word = m_words; word < last; ++word) {
            if (word->get() != 0)
                word->put(0);
        }
    }

    void addFree(std::uint32_t page, std::uint32_t end) noexcept
    {
        m_header.freePages.put(m_header.freePages.get() + end - page);
        mark(page, end, true);
        addPieces(page, end);
    }

    bool isFree(std::uint32_t order, std::uint32_t block) const noexcept
    {
        const SharedOrder &entry = m_header.orders[order];
        return block < entry.bits
                && (m_words[entry.offsets[0] + block / 64].get() >> (block % 64) & 1) != 0;
    }

    static std::uint32_t orderFor(std::uint32_t pages) noexcept
    {
        return pages <= 1 ? 0 : SharedBits::highest(pages - 1) + 1;
    }

private:
    static constexpr std::uint32_t NearWords = 1024; // searched before the trees

    // The order of the largest block at \a page that ends at or before \a end.
    std::uint32_t orderAt(std::uint32_t page, std::uint32_t end) const noexcept
    {
        const std::uint32_t fits = SharedBits::highest(end - page);
        const std::uint32_t aligned = SharedBits::lowest(page);
        return aligned < fits ? aligned : fits;
    }

    // Takes pages that are free, whatever blocks they belong to.
    void takeAt(std::uint32_t page, std::uint32_t pages) noexcept
    {
        const std::uint32_t end = page + pages;
        m_header.freePages.put(m_header.freePages.get() - pages);
        mark(page, end, false);
        for (std::uint32_t at = page; at < end;) {
            std::uint32_t order = 0;
            while (!isFree(order, at >> order)) {
                if (++order == m_header.orderCount)
                    return; // damaged
            }
            const std::uint32_t begin = at >> order << order;
            const std::uint32_t next = begin + (std::uint32_t(1) << order);
            clear(order, at >> order);
            addPieces(begin, page);
            addPieces(end, next);
            at = next;
        }
    }

    // Returns the start of the shortest run of at least \a pages free pages, in the first \a words;
    // the first of several, zero if there is none.
    std::uint32_t findRun(std::uint32_t pages, std::uint32_t words) const noexcept
    {
        std::uint32_t best = 0;
        std::uint32_t bestLength = ~std::uint32_t(0);
        std::uint32_t length = 0; // of the run that ends at the current position
        for (std::uint32_t i = 0; i < words; ++i) {
            const std::uint64_t word = m_words[m_header.freeMap + i].get();
            if (word == 0 && length == 0)
                continue;
            for (std::uint32_t at = 0; at < 64;) {
                const std::uint64_t rest = word >> at;
                const std::uint32_t ones = ~rest ? SharedBits::lowest(~rest) : 64;
                length += ones;
                at += ones;
                if (at >= 64)
                    break; // it may go on in the next word
                if (length >= pages && length < bestLength) {
                    best = i * 64 + at - length;
                    bestLength = length;
                    if (length == pages)
                        return best;
                }
                length = 0;
                at += word >> at ? SharedBits::lowest(word >> at) : 64;
            }
        }
        if (length >= pages && length < bestLength)
            best = words * 64 - length;
        return best + pages <= m_header.pageCount ? best : 0;
    }

    void mark(std::uint32_t page, std::uint32_t end, bool free) noexcept
    {
        while (page < end) {
            const std::uint32_t bit = page % 64;
            const std::uint32_t count = end - page < 64 - bit ? end - page : 64 - bit;
            const std::uint64_t ones = (count < 64 ? (std::uint64_t(1) << count) - 1 : ~std::uint64_t(0)) << bit;
            SharedCell<std::uint64_t> &word = m_words[m_header.freeMap + page / 64];
            word.put(free ? word.get() | ones : word.get() & ~ones);
            page += count;
        }
    }

    // Frees what is left of a block beside what is taken. No piece can be merged: its buddy is in
    // use, or consists of several pieces.
    void addPieces(std::uint32_t page, std::uint32_t end) noexcept
    {
        while (page < end) {
            const std::uint32_t order = orderAt(page, end);
            set(order, page >> order);
            page += std::uint32_t(1) << order;
        }
    }

    // The orders of which there is a block, one bit each.
    std::uint32_t ordersFrom(std::uint32_t order) const noexcept
    {
        return order < m_header.orderCount ? m_header.freeOrders.get() >> order << order : 0;
    }

    void join(std::uint32_t order, std::uint32_t block) noexcept
    {
        while (order + 1 < m_header.orderCount && isFree(order, block ^ 1)) {
            clear(order, block ^ 1);
            block >>= 1;
            ++order;
        }
        set(order, block);
    }

    void set(std::uint32_t order, std::uint32_t block) noexcept
    {
        const SharedOrder &entry = m_header.orders[order];
        for (std::uint32_t level = 0; level < entry.levels; ++level) {
            SharedCell<std::uint64_t> &word = m_words[entry.offsets[level] + block / 64];
            const std::uint64_t old = word.get();
            word.put(old | std::uint64_t(1) << (block % 64));
            if (old)
                return;
            block /= 64;
        }
        m_header.freeOrders.put(m_header.freeOrders.get() | std::uint32_t(1) << order);
    }

    void clear(std::uint32_t order, std::uint32_t block) noexcept
    {
        const SharedOrder &entry = m_header.orders[order];
        for (std::uint32_t level = 0; level < entry.levels; ++level) {
            SharedCell<std::uint64_t> &word = m_words[entry.offsets[level] + block / 64];
            const std::uint64_t left = word.get() & ~(std::uint64_t(1) << (block % 64));
            word.put(left);
            if (left)
                return;
            block /= 64;
        }
        m_header.freeOrders.put(m_header.freeOrders.get() & ~(std::uint32_t(1) << order));
    }

    // The first or the last block of an order that has at least one.
    template <bool Last>
    std::uint32_t end(std::uint32_t order) const noexcept
    {
        const SharedOrder &entry = m_header.orders[order];
        std::uint32_t block = 0;
        for (std::uint32_t level = entry.levels; level-- > 0;) {
            const std::uint64_t word = m_words[entry.offsets[level] + block].get();
            if (!word)
                return 0;
            block = block * 64 + (Last ? SharedBits::highest(word) : SharedBits::lowest(word));
        }
        return block;
    }

    SharedHeader &m_header;
    SharedCell<std::uint64_t> *const m_words;
};

QPOOL_END_NAMESPACE

#endif // QPOOLSHAREDBUDDY_H
