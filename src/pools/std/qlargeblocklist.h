// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QLARGEBLOCKLIST_H
#define QLARGEBLOCKLIST_H

#include "../../allocator/os/qpoollargeblockcache.h"
#include "../../allocator/os/qpoolos.h"

QPOOL_BEGIN_NAMESPACE

/*
    Blocks that are too large for a pool, in a list, so that all can be freed at once. They come
    from the LargeBlockCache, and go back to it when they are freed one by one: otherwise, an array
    that grows or is built again would cause page faults each time.
*/
class LargeBlockList
{
public:
    LargeBlockList() = default;
    LargeBlockList(const LargeBlockList &) = delete;
    LargeBlockList &operator=(const LargeBlockList &) = delete;
    ~LargeBlockList() { clear(); }

    // Returns a block for add(); null if there is no memory. The block is in no list yet: operator
    // new may call a new-handler, which may do anything with the list.
    static LargeBlock *create(std::size_t bytes, std::size_t alignment) noexcept
    {
        return LargeBlockCache::take(bytes, alignment);
    }

    void *add(LargeBlock *block) noexcept
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

    // Returns the block, for LargeBlockCache::give(), which must be called without a lock.
    [[nodiscard]] LargeBlock *remove(void *memory, [[maybe_unused]] const char *owner) noexcept
    {
        LargeBlock *block = LargeBlock::of(memory);
        if constexpr (hardened) {
            if (LargeBlockCache::wasFreed(memory)
                || (block->previous ? block->previous->next : m_first) != block) {
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

    // Gives all blocks back to their source.
    void clear() noexcept
    {
        while (LargeBlock *block = m_first) {
            m_first = block->next;
            LargeBlockCache::discard(block);
        }
        m_bytes = m_count = 0;
    }

    // The bytes in use, and the number of blocks.
    std::size_t bytes() const noexcept { return m_bytes; }
    std::size_t count() const noexcept { return m_count; }

private:
    LargeBlock *m_first = nullptr;
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
