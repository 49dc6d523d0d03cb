// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSHAREDBUDDY_H
#define QPOOLSHAREDBUDDY_H

#include "qpoolsharedbits.h"
#include "qpoolsharedheader.h"

QPOOL_BEGIN_NAMESPACE

/*
    Runs of whole pages, from the binary buddy system (K. Knowlton, 1965): free blocks of 2^order pages,
    each at a multiple of its size, and two that were one are joined again at once. Of the smallest
    order that serves, the block at the lowest address is taken, so that the upper end stays whole. What
    a block has beyond the pages that were asked for goes back at once, in blocks that fit: a run of
    five pages takes five.

    A bit for each block that might be free, and above the bits of an order a tree of words that are
    not zero (SharedOrder): no list runs through free memory, so nothing that a program writes there can
    do harm, and the books are as large as they will ever be from the start. No call takes more steps
    than orders times levels, for each order that a run is made of; there is no recursion.

    All bits follow from the pages' states (SharedPage), and a survivor of a death makes them anew. To
    be called with the lock held. The states are the caller's.
*/
class SharedBuddy
{
public:
    explicit SharedBuddy(SharedHeader &header) noexcept : m_header(header), m_words(header.words()) { }

    // The first page of a run of \a pages, zero if there is none. A run of 2^n pages begins at a multiple
    // of its size.
    std::uint32_t take(std::uint32_t pages) noexcept
    {
        const std::uint32_t order = orderFor(pages);
        if (order >= m_header.orderCount)
            return 0;
        const std::uint32_t orders = m_header.freeOrders.get() >> order;
        if (!orders)
            return 0;
        const std::uint32_t from = order + SharedBits::lowest(orders);
        const std::uint32_t page = first(from) << from;
        if (page == 0)
            return 0; // damaged: what stands there are the books
        clear(from, page >> from);
        giveEnd(page + pages, page + (std::uint32_t(1) << from));
        m_header.freePages.put(m_header.freePages.get() - pages);
        return page;
    }

    // Any pages that are next to each other and in use.
    void give(std::uint32_t page, std::uint32_t pages) noexcept
    {
        m_header.freePages.put(m_header.freePages.get() + pages);
        for (const std::uint32_t end = page + pages; page < end;) {
            const std::uint32_t order = orderAt(page, end);
            join(order, page >> order);
            page += std::uint32_t(1) << order;
        }
    }

    // Of what is free.
    std::uint32_t largestRun() const noexcept
    {
        const std::uint32_t orders = m_header.freeOrders.get();
        return orders ? std::uint32_t(1) << SharedBits::highest(orders) : 0;
    }

    // Forgets all that is free; then addFree() for each run of free pages that ends at used ones.
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
        while (page < end) {
            const std::uint32_t order = orderAt(page, end);
            set(order, page >> order);
            page += std::uint32_t(1) << order;
        }
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
    // Of the largest block at \a page that ends at \a end at the latest.
    std::uint32_t orderAt(std::uint32_t page, std::uint32_t end) const noexcept
    {
        const std::uint32_t fits = SharedBits::highest(end - page);
        const std::uint32_t aligned = SharedBits::lowest(page);
        return aligned < fits ? aligned : fits;
    }

    // What is left of a block behind a run. None of it can be joined: the buddy of each piece is in use
    // or was left over as several.
    void giveEnd(std::uint32_t page, std::uint32_t end) noexcept
    {
        while (page < end) {
            const std::uint32_t order = SharedBits::lowest(page);
            set(order, page >> order);
            page += std::uint32_t(1) << order;
        }
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

    // Of an order that has one.
    std::uint32_t first(std::uint32_t order) const noexcept
    {
        const SharedOrder &entry = m_header.orders[order];
        std::uint32_t block = 0;
        for (std::uint32_t level = entry.levels; level-- > 0;) {
            const std::uint64_t word = m_words[entry.offsets[level] + block].get();
            if (!word)
                return 0;
            block = block * 64 + SharedBits::lowest(word);
        }
        return block;
    }

    SharedHeader &m_header;
    SharedCell<std::uint64_t> *const m_words;
};

QPOOL_END_NAMESPACE

#endif // QPOOLSHAREDBUDDY_H
