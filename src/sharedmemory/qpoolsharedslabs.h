// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSHAREDSLABS_H
#define QPOOLSHAREDSLABS_H

#include "qpoolsharedbuddy.h"

QPOOL_BEGIN_NAMESPACE

/*
    Blocks of up to 3 KiB, cut from slabs (J. Bonwick, "The Slab Allocator", 1994) of one size each,
    which come from the buddy allocator. A bit for each block in the slab's record shows whether it
    is free: taking a block and giving it back change one bit, by one store. At any instruction at
    which a process may be killed, a block is therefore either in use or free; whether it is free is
    known without reading its memory, and a second free is detected.

    Slabs with a free block are in a list of their class; the slab that got its first free block
    last is the first. An empty slab goes back unless it is the only one in its list.

    The caller holds the lock. Each call sets the intent before its first store; the caller resets
    it.
*/
class SharedSlabs
{
public:
    explicit SharedSlabs(SharedHeader &header) noexcept : m_header(header), m_pages(header.pages()) { }

    // Returns null if there are no pages for another slab.
    QPOOL_ALWAYS_INLINE void *allocate(std::uint32_t index) noexcept
    {
        std::uint32_t page = m_header.heads[index].get();
        if (QPOOL_UNLIKELY(!page)) {
            page = addSlab(index);
            if (!page)
                return nullptr;
        }
        const SharedClass &entry = SharedClasses::at(index);
        SharedPage &record = m_pages[page];
        std::uint32_t word = 0;
        std::uint64_t bits = record.freeBlocks[0].get();
        while (QPOOL_UNLIKELY(!bits)) {
            if (++word == entry.words)
                return nullptr; // damaged: it is in the list because it has a free block
            bits = record.freeBlocks[word].get();
        }
        const std::uint32_t block = word * 64 + SharedBits::lowest(bits);
        m_header.intent.put(SharedIntent::ofBlock(page, block));
        record.freeBlocks[word].put(bits & (bits - 1));
        const std::uint32_t left = record.freeCount.get() - 1;
        record.freeCount.put(left);
        if (QPOOL_UNLIKELY(left == 0))
            unlink(index, page);
        return m_header.base() + (std::size_t(page) << SharedClasses::PageShift)
                + std::size_t(block) * entry.size;
    }

    // Returns false and changes nothing if there is no such block in use.
    QPOOL_ALWAYS_INLINE bool deallocate(std::uint32_t index, std::uint64_t offset) noexcept
    {
        const SharedClass &entry = SharedClasses::at(index);
        const std::uint32_t page =
                std::uint32_t(offset >> SharedClasses::PageShift) & ~(entry.pages - 1);
        SharedPage &record = m_pages[page];
        const auto within =
                std::uint32_t(offset - (std::uint64_t(page) << SharedClasses::PageShift));
        const auto block = std::uint32_t(std::uint64_t(within) * entry.reciprocal >> 32);
        const std::uint64_t bit = std::uint64_t(1) << (block % 64);
        if (QPOOL_UNLIKELY(record.state.get() != (SharedPage::Slab | index)
                           || block * entry.size != within || block >= entry.blocks))
            return false;
        SharedCell<std::uint64_t> &word = record.freeBlocks[block / 64];
        if (QPOOL_UNLIKELY((word.get() & bit) != 0))
            return false;
        m_header.intent.put(SharedIntent::ofBlock(page, block));
        word.put(word.get() | bit);
        const std::uint32_t count = record.freeCount.get() + 1;
        record.freeCount.put(count);
        if (QPOOL_UNLIKELY(count == 1))
            link(index, page);
        if (QPOOL_UNLIKELY(count == entry.blocks))
            becameEmpty(index, page);
        return true;
    }

    // Gives back all empty slabs; returns whether there were any.
    bool trim() noexcept;

    void link(std::uint32_t index, std::uint32_t page) noexcept
    {
        const std::uint32_t next = m_header.heads[index].get();
        m_pages[page].next.put(next);
        m_pages[page].prev.put(0);
        if (next)
            m_pages[next].prev.put(page);
        m_header.heads[index].put(page);
    }

private:
    std::uint32_t addSlab(std::uint32_t index) noexcept;
    void removeSlab(std::uint32_t index, std::uint32_t page) noexcept;

    void becameEmpty(std::uint32_t index, std::uint32_t page) noexcept
    {
        // If there is another slab in the list, there is room; if not, the next block is likely to
        // be of this size, too.
        if (m_header.heads[index].get() != page || m_pages[page].next.get() != 0)
            removeSlab(index, page);
    }

    void unlink(std::uint32_t index, std::uint32_t page) noexcept
    {
        const std::uint32_t next = m_pages[page].next.get();
        const std::uint32_t prev = m_pages[page].prev.get();
        if (prev)
            m_pages[prev].next.put(next);
        else
            m_header.heads[index].put(next);
        if (next)
            m_pages[next].prev.put(prev);
    }

    SharedHeader &m_header;
    SharedPage *const m_pages;
};

QPOOL_END_NAMESPACE

#endif // QPOOLSHAREDSLABS_H
