// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLHUGEBLOCKS_H
#define QPOOLHUGEBLOCKS_H

#include "../../allocator/os/qpoolos.h"
#include "../../allocator/pages/qpoolpagerange.h"
#include "qpoolhugememory.h"

QPOOL_BEGIN_NAMESPACE

// 2 MiB of addresses, and the pages in it. All zero means never used.
struct HugeBlock
{
    std::uint32_t free; // a bit for each page that is not in use
    HugeMemory::Pages pages; // the kind of its memory, if it has any
    HugeBlock *next; // in one of the lists of HugeBlocks
    HugeBlock *previous;
};

// A table at the start of reserved addresses; as much of it as was needed has memory.
class GrowingTable
{
public:
    constexpr GrowingTable() = default;

    bool reserve(std::size_t bytes) noexcept
    {
        bytes = (bytes + Step - 1) / Step * Step;
        m_base = static_cast<char *>(Os::reserve(bytes, Step));
        m_reserved = m_base ? bytes : 0;
        return m_base;
    }

    // Makes \a bytes usable, zero-filled. Returns false if the system refuses.
    bool ensure(std::size_t bytes) noexcept
    {
        if (bytes <= m_usable)
            return true;
        const std::size_t more = (bytes - m_usable + Step - 1) / Step * Step;
        if (!Os::commit(m_base + m_usable, more))
            return false;
        m_usable += more;
        return true;
    }

    void unreserve() noexcept
    {
        Os::unreserve(m_base, m_reserved);
        m_base = nullptr;
        m_reserved = 0;
    }

    char *base() const noexcept { return m_base; }
    std::size_t reserved() const noexcept { return m_reserved; }
    std::size_t usable() const noexcept { return m_usable; }

private:
    static constexpr std::size_t Step = 64 * 1024;

    char *m_base = nullptr;
    std::size_t m_reserved = 0;
    std::size_t m_usable = 0;
};

/*
    The blocks of a BasicHugePages: one range of addresses, in which memory comes and goes a block
    at a time, and pages are found by a bit mask. The user provides the locking. The range may be
    queried without a lock (see PageRange), and decommit() works on a block that is in no list.

    A block is in the list of
    - partial blocks while some of its pages are in use and some are not;
    - empty blocks while none is in use and the block has memory;
    - decommitted blocks while it has no memory.
*/
template <class Policy, std::size_t PageSize>
class HugeBlocks
{
    static constexpr std::size_t BlockBytes = HugeMemory::PageBytes;
    static constexpr unsigned PagesPerBlock = BlockBytes / PageSize;
    static constexpr std::uint32_t AllFree =
            PagesPerBlock == 32 ? ~std::uint32_t(0) : (std::uint32_t(1) << PagesPerBlock % 32) - 1;
    static_assert(PagesPerBlock <= 32);

public:
    constexpr HugeBlocks() = default;

    PageRange<PageSize> range;

    // Returns null when out of memory. The page's `touched` is what had memory at once.
    PageHeader *acquirePage() noexcept
    {
        HugeBlock *block = m_partial;
        if (!block) {
            block = usableBlock();
            if (!block)
                return nullptr;
            ++m_usedBlocks;
            push(m_partial, block);
        }
        unsigned index = 0;
        while (!(block->free >> index & 1))
            ++index;
        block->free &= ~(std::uint32_t(1) << index);
        if (block->free == 0)
            remove(m_partial, block);
        PageHeader *page = range.headerOf(start(block)) + index;
        if (block->pages != HugeMemory::Pages::Ordinary)
            page->touched = PageSize; // the first access fetches memory for the whole block
        return page;
    }

    // Returns a block whose memory is to go back, for decommit() and then putEmpty(); null if there
    // is none.
    HugeBlock *releasePage(PageHeader *page) noexcept
    {
        const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(range.pageOf(page)) - m_base;
        HugeBlock *block = blocks() + offset / BlockBytes;
        if (block->free == 0)
            push(m_partial, block);
        block->free |= std::uint32_t(1) << offset % BlockBytes / PageSize;
        if (block->free != AllFree)
            return nullptr;
        remove(m_partial, block);
        --m_usedBlocks;
        putEmpty(block, false);
        const std::size_t kept = m_usedBlocks / 8 > 2 ? m_usedBlocks / 8 : 2;
        return m_emptyBlocks > kept ? takeEmpty() : nullptr;
    }

    HugeBlock *takeEmpty() noexcept
    {
        HugeBlock *block = m_empty;
        if (block) {
            remove(m_empty, block);
            --m_emptyBlocks;
        }
        return block;
    }

    // Returns true if the memory went back. Called without the lock. Older kernels do not take
    // reserved pages back this way.
    bool decommit(HugeBlock *block) noexcept
    {
        return Os::decommit(start(block), BlockBytes);
    }

    void putEmpty(HugeBlock *block, bool gone) noexcept
    {
        if (gone) {
            heldBlocks(block->pages) -= 1;
            PageHeader *pages = range.headerOf(start(block));
            for (unsigned i = 0; i < PagesPerBlock; ++i)
                pages[i].touched = 0;
            push(m_decommitted, block);
            ++m_decommittedBlocks;
        } else {
            push(m_empty, block);
            ++m_emptyBlocks;
        }
    }

    PageMemory memory() const noexcept
    {
        const std::size_t tables = m_headers.usable() + m_blocks.usable();
        PageMemory memory;
        memory.reserved = m_rangeBytes + m_headers.reserved() + m_blocks.reserved();
        memory.committed = tables + (m_freshBlocks - m_decommittedBlocks - m_lostBlocks) * BlockBytes;
        memory.decommitted = m_decommittedBlocks * BlockBytes;
        return memory;
    }

    std::size_t heldBytes(HugeMemory::Pages pages) const noexcept
    {
        return m_held[unsigned(pages)] * BlockBytes;
    }

private:
    // Returns a block in no list with all its pages free and memory available.
    HugeBlock *usableBlock() noexcept
    {
        if (HugeBlock *block = takeEmpty())
            return block;
        HugeBlock *block = m_decommitted;
        if (block && Os::recommit(start(block), BlockBytes)) {
            remove(m_decommitted, block);
            --m_decommittedBlocks;
            return hold(block, block->pages);
        }
        return freshBlock();
    }

    HugeBlock *freshBlock() noexcept
    {
        if (!m_rangeBytes && !initialize())
            return nullptr;
        // The last block stays reserved as a guard against overruns of the range.
        while ((m_freshBlocks + 1) * BlockBytes < m_rangeBytes) {
            const std::size_t index = m_freshBlocks;
            if (!m_blocks.ensure((index + 1) * sizeof(HugeBlock))
                || !m_headers.ensure((index + 1) * PagesPerBlock * sizeof(PageHeader))) {
                return nullptr;
            }
            HugeBlock *block = blocks() + index;
            auto placement = HugeMemory::Placement::None;
            if constexpr (Policy::TakesReserved)
                placement = HugeMemory::placeReserved(start(block), BlockBytes);
            if (placement == HugeMemory::Placement::Lost) {
                ++m_freshBlocks;
                ++m_lostBlocks;
                range.takeFresh(PagesPerBlock);
                continue;
            }
            auto pages = HugeMemory::Pages::Reserved;
            if (placement == HugeMemory::Placement::None) {
                if (!Os::commit(start(block), BlockBytes))
                    return nullptr;
                pages = index * BlockBytes < Policy::OrdinaryBytes
                        ? HugeMemory::Pages::Ordinary
                        : HugeMemory::advise(start(block), BlockBytes);
            }
            ++m_freshBlocks;
            range.takeFresh(PagesPerBlock);
            return hold(block, pages);
        }
        return nullptr;
    }

    HugeBlock *hold(HugeBlock *block, HugeMemory::Pages pages) noexcept
    {
        block->free = AllFree;
        block->pages = pages;
        heldBlocks(pages) += 1;
        return block;
    }

    // Addresses may be limited, or refused for any reason: fewer will do.
    bool initialize() noexcept
    {
        constexpr std::size_t largest = std::size_t(1) << (sizeof(void *) == 8 ? 38 : 26);
        std::size_t bytes = largest;
        if (const std::size_t limit = Os::addressSpaceLimit(); limit != SIZE_MAX) {
            while (bytes > limit / 16)
                bytes /= 2;
        }
        for (; bytes >= 2 * BlockBytes; bytes /= 2) {
            if (reserve(bytes))
                return true;
        }
        return false;
    }

    bool reserve(std::size_t bytes) noexcept
    {
        void *pages = Os::reserve(bytes, BlockBytes);
        if (!pages)
            return false;
        if (!m_headers.reserve(bytes / PageSize * sizeof(PageHeader))) {
            Os::unreserve(pages, bytes);
            return false;
        }
        if (!m_blocks.reserve(bytes / BlockBytes * sizeof(HugeBlock))) {
            m_headers.unreserve();
            Os::unreserve(pages, bytes);
            return false;
        }
        m_base = reinterpret_cast<std::uintptr_t>(pages);
        m_rangeBytes = bytes;
        range.initialize(m_headers.base(), pages, (bytes - BlockBytes) / PageSize);
        return true;
    }

    HugeBlock *blocks() const noexcept { return reinterpret_cast<HugeBlock *>(m_blocks.base()); }
    char *start(const HugeBlock *block) const noexcept
    {
        return reinterpret_cast<char *>(m_base + std::size_t(block - blocks()) * BlockBytes);
    }
    std::size_t &heldBlocks(HugeMemory::Pages pages) noexcept { return m_held[unsigned(pages)]; }

    static void push(HugeBlock *&list, HugeBlock *block) noexcept
    {
        block->previous = nullptr;
        block->next = list;
        if (list)
            list->previous = block;
        list = block;
    }

    static void remove(HugeBlock *&list, HugeBlock *block) noexcept
    {
        if (block->previous)
            block->previous->next = block->next;
        else
            list = block->next;
        if (block->next)
            block->next->previous = block->previous;
    }

    std::uintptr_t m_base = 0;
    std::size_t m_rangeBytes = 0;
    GrowingTable m_headers;
    GrowingTable m_blocks;
    std::size_t m_freshBlocks = 0; // how many were ever used, from the first on
    std::size_t m_lostBlocks = 0;
    std::size_t m_usedBlocks = 0; // blocks with pages in use
    std::size_t m_emptyBlocks = 0;
    std::size_t m_decommittedBlocks = 0;
    std::size_t m_held[3] = {};
    HugeBlock *m_partial = nullptr;
    HugeBlock *m_empty = nullptr;
    HugeBlock *m_decommitted = nullptr;
};

QPOOL_END_NAMESPACE

#endif // QPOOLHUGEBLOCKS_H
