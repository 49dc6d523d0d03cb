// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QLARGEBLOCKLIST_H
#define QLARGEBLOCKLIST_H

#include "qlargeblocks.h"
#include "../../allocator/os/qpoolos.h"

QPOOL_BEGIN_NAMESPACE

/*
    Blocks that are too large for a pool, in a list, so that all can be freed at once. A header in front of
    each has its links.
*/
class LargeBlockList
{
public:
    struct alignas(64) Block
    {
        Block *next;
        Block *previous;
        std::size_t total; // bytes, with what is in front of the memory
        std::size_t alignment;

        void *memory() noexcept { return this + 1; }
    };

    LargeBlockList() = default;
    LargeBlockList(const LargeBlockList &) = delete;
    LargeBlockList &operator=(const LargeBlockList &) = delete;
    ~LargeBlockList() { clear(); }

    // Returns a block for add(); null if there is no memory. The block is in no list yet: operator
    // new may call a new-handler, which may do anything with the list.
    static Block *create(std::size_t bytes, std::size_t alignment) noexcept
    {
        constexpr std::size_t mostAligned = std::size_t(1) << 30;
        alignment = alignment < alignof(Block) ? alignof(Block) : alignment;
        if (alignment > mostAligned || (alignment & (alignment - 1)) != 0 || bytes > MostBytes - alignment)
            return nullptr;
        auto *base = static_cast<char *>(LargeBlocks::allocate(alignment + bytes, alignment));
        if (!base)
            return nullptr;
        return new (base + alignment - sizeof(Block)) Block { nullptr, nullptr, alignment + bytes, alignment };
    }

    // \a block is in no list.
    static void destroy(Block *block) noexcept
    {
        const std::size_t alignment = block->alignment;
        LargeBlocks::deallocate(static_cast<char *>(block->memory()) - alignment, alignment);
    }

    void *add(Block *block) noexcept
    {
        block->next = m_first;
        block->previous = nullptr;
        if (m_first)
            m_first->previous = block;
        m_first = block;
        m_bytes += block->total;
        ++m_count;
        return block->memory();
    }

    // Returns the block, for destroy(), which must be called without a lock.
    [[nodiscard]] Block *remove(void *memory, [[maybe_unused]] const char *owner) noexcept
    {
        Block *block = static_cast<Block *>(memory) - 1;
        if constexpr (hardened) {
            if (!has(block) || (block->previous ? block->previous->next : m_first) != block) {
                Os::die("%s: %p is not a block of this resource, or is free already, or was written to "
                        "in front of its start", owner, memory);
            }
        }
        if (block->previous)
            block->previous->next = block->next;
        else
            m_first = block->next;
        if (block->next)
            block->next->previous = block->previous;
        m_bytes -= block->total;
        --m_count;
        return block;
    }

    // Frees all blocks.
    void clear() noexcept
    {
        while (Block *block = m_first) {
            m_first = block->next;
            destroy(block);
        }
        m_bytes = m_count = 0;
    }

    // The bytes in use, and the number of blocks.
    std::size_t bytes() const noexcept { return m_bytes; }
    std::size_t count() const noexcept { return m_count; }

private:
    // A block that was freed may be unmapped, so it is not read.
    bool has(const Block *block) const noexcept
    {
        const Block *found = m_first;
        while (found && found != block)
            found = found->next;
        return found;
    }

    Block *m_first = nullptr;
    std::size_t m_bytes = 0;
    std::size_t m_count = 0;
};

// For page sources without a heap.
struct NoLargeBlocks
{
    void clear() noexcept { }
    std::size_t bytes() const noexcept { return 0; }
    std::size_t count() const noexcept { return 0; }
};

QPOOL_END_NAMESPACE

#endif // QLARGEBLOCKLIST_H
