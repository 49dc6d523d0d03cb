// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolsharedcheck.h"

#include "qpoolsharedbits.h"
#include "qpoolsharedbuddy.h"
#include "qpoolsharedlayout.h"

QPOOL_BEGIN_NAMESPACE

SharedCheck::SharedCheck(SharedHeap &heap) noexcept
    : m_heap(heap)
    , m_pages(heap.pages())
    , m_words(heap.words())
    , m_pageCount(heap.pageCount)
    , m_metaPages(heap.metaPages)
    , m_orderCount(heap.orderCount)
{
}

const char *SharedCheck::problem() noexcept
{
    if (m_heap.intent.get() != 0)
        return "a change is in progress";
    if (const char *found = pages())
        return found;
    if (const char *found = trees())
        return found;
    if (const char *found = lists())
        return found;
    if (m_heap.freePages.get() != m_freePages)
        return "the number of free pages is wrong";
    if (m_heap.usedBytes.get() != m_usedBytes || m_heap.usedBlocks.get() != m_usedBlocks)
        return "the number of used bytes or blocks is wrong";
    return roots();
}

const char *SharedCheck::pages() noexcept
{
    if (m_pages[0].state.get() != (SharedPage::Run | m_metaPages))
        return "the metadata's own pages are not in use";
    std::uint32_t inUse = 0; // pages of the run or slab that began before
    for (std::uint32_t page = 0; page < m_pageCount; ++page) {
        const std::uint32_t state = m_pages[page].state.get();
        const std::uint32_t kind = state & SharedPage::KindMask;
        const std::uint32_t value = state & ~SharedPage::KindMask;
        if (inUse > 0) {
            if (state != 0)
                return "a block begins within another block";
            --inUse;
        } else if (kind == SharedPage::Run) {
            if (value == 0 || value > m_pageCount - page)
                return "a run is longer than the segment";
            if (page >= m_metaPages) {
                m_usedBytes += std::uint64_t(value) << SharedClasses::PageShift;
                ++m_usedBlocks;
            }
            inUse = value - 1;
        } else if (kind == SharedPage::Slab) {
            if (const char *found = slab(page, value))
                return found;
            inUse = SharedClasses::at(value).pages - 1;
        } else if (state != 0) {
            return "a page has an invalid state";
        } else {
            ++m_freePages;
            if (const char *found = freeBits(page, true))
                return found;
            continue;
        }
        if (const char *found = freeBits(page, false))
            return found;
    }
    return nullptr;
}

const char *SharedCheck::slab(std::uint32_t page, std::uint32_t index) noexcept
{
    if (index >= SharedClasses::Count)
        return "a slab has an invalid size class";
    const SharedClass &entry = SharedClasses::at(index);
    if (entry.pages > m_pageCount - page || page % entry.pages != 0)
        return "a slab has an invalid position";
    std::uint32_t count = 0;
    for (std::uint32_t word = 0; word < entry.words; ++word) {
        const std::uint64_t bits = m_pages[page].freeBlocks[word].get();
        if ((bits & ~SharedClasses::allOf(entry, word)) != 0)
            return "a bit beyond a slab's last block is set";
        count += SharedBits::count(bits);
    }
    if (m_pages[page].freeCount.get() != count)
        return "the number of a slab's free blocks is wrong";
    if (count)
        ++m_partial[index];
    m_usedBytes += std::uint64_t(entry.blocks - count) * entry.size;
    m_usedBlocks += entry.blocks - count;
    return nullptr;
}

// A free page is in exactly one free block, a used one in none, and two free halves of a block are
// merged.
const char *SharedCheck::freeBits(std::uint32_t page, bool isFree) const noexcept
{
    if ((m_words[m_heap.freeMap + page / 64].get() >> (page % 64) & 1) != std::uint64_t(isFree))
        return "the map of free pages is wrong";
    const SharedBuddy buddy(m_heap);
    unsigned found = 0;
    for (std::uint32_t order = 0; order < m_orderCount; ++order) {
        const std::uint32_t block = page >> order;
        if (!buddy.isFree(order, block))
            continue;
        ++found;
        if (order + 1 < m_orderCount && buddy.isFree(order, block ^ 1))
            return "two free halves of a block are not merged";
    }
    if (found > 1)
        return "a page is in two free blocks";
    if (found == 0 && isFree)
        return "a free page is in no free block";
    if (found != 0 && !isFree)
        return "a page that is in use is in a free block";
    return nullptr;
}

const char *SharedCheck::trees() const noexcept
{
    std::uint32_t orders = 0;
    if (m_pageCount % 64 != 0
        && m_words[m_heap.freeMap + m_pageCount / 64].get() >> (m_pageCount % 64) != 0)
        return "a bit beyond the last page is set";
    for (std::uint32_t order = 0; order < m_orderCount; ++order) {
        const SharedOrder &entry = m_heap.orders[order];
        std::uint32_t width = entry.bits;
        for (std::uint32_t level = 0; level < entry.levels; ++level) {
            const std::uint32_t words = (width + 63) / 64;
            for (std::uint32_t i = 0; i < words; ++i) {
                const std::uint64_t word = m_words[entry.offsets[level] + i].get();
                if (i == words - 1 && width % 64 != 0 && word >> (width % 64) != 0)
                    return "a bit beyond the last block is set";
                if (level + 1 == entry.levels) {
                    orders |= std::uint32_t(word != 0) << order;
                    continue;
                }
                const std::uint64_t above = m_words[entry.offsets[level + 1] + i / 64].get();
                if ((above >> (i % 64) & 1) != std::uint64_t(word != 0))
                    return "a level of a tree does not match the level below";
            }
            width = words;
        }
    }
    return m_heap.freeOrders.get() == orders ? nullptr : "the mask of orders is wrong";
}

const char *SharedCheck::lists() const noexcept
{
    for (std::uint32_t index = 0; index < SharedClasses::Count; ++index) {
        std::uint32_t left = m_partial[index];
        std::uint32_t prev = 0;
        std::uint32_t page = m_heap.heads[index].get();
        while (page) {
            if (left-- == 0)
                return "a list of slabs is too long";
            if (page >= m_pageCount || m_pages[page].state.get() != (SharedPage::Slab | index)
                || m_pages[page].freeCount.get() == 0)
                return "a list of slabs contains a wrong page";
            if (m_pages[page].prev.get() != prev)
                return "a list of slabs has a wrong link";
            prev = page;
            page = m_pages[page].next.get();
        }
        if (left != 0)
            return "a slab with free blocks is in no list";
    }
    return nullptr;
}

bool SharedCheck::isInUse(std::uint64_t offset, std::uint64_t size, std::uint64_t alignment) const noexcept
{
    size = SharedClasses::requested(size, alignment);
    auto page = std::uint32_t(offset >> SharedClasses::PageShift);
    if (size > SharedClasses::LargestBytes) {
        return offset % SharedClasses::PageBytes == 0
                && m_pages[page].state.get() == (SharedPage::Run | SharedClasses::pagesFor(size));
    }
    const std::uint32_t index = SharedClasses::indexOf(size);
    const SharedClass &entry = SharedClasses::at(index);
    page &= ~(entry.pages - 1);
    const auto within = std::uint32_t(offset - (std::uint64_t(page) << SharedClasses::PageShift));
    const std::uint32_t block = within / entry.size;
    return m_pages[page].state.get() == (SharedPage::Slab | index) && within % entry.size == 0
            && block < entry.blocks
            && (m_pages[page].freeBlocks[block / 64].get() >> (block % 64) & 1) == 0;
}

const char *SharedCheck::roots() const noexcept
{
    for (const SharedRoot &root : m_heap.roots) {
        if (!SharedLayout::isSound(root, m_heap))
            return "a root is invalid";
        const std::uint64_t offset = root.offset.get();
        if (root.state.get() != SharedRoot::Free && offset
            && !isInUse(offset, root.bytes.get(), root.alignment.get()))
            return "a root's block is not in use";
    }
    return nullptr;
}

QPOOL_END_NAMESPACE
