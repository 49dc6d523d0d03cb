// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLLARGEBLOCK_H
#define QPOOLLARGEBLOCK_H

#include "../qpoolglobal.h"

QPOOL_BEGIN_NAMESPACE

/*
    The header in front of a block that is too large for a pool; it records the block's size and
    origin. The block therefore goes back the right way, whichever container had it in between: a
    mapping is unmapped, and memory from operator new goes to operator delete.

    Belongs to one thread at a time; the user ensures that.
*/
struct alignas(64) LargeBlock
{
    // The least alignment of every block, so that most blocks can replace each other.
    static constexpr std::size_t LeastAlignment = 64;
    static constexpr std::size_t MostAlignment = std::size_t(1) << 30;

    enum class Source : std::uint32_t { Heap, Mapping };
    // Any other value: it was overwritten, or no block begins here.
    enum class State : std::uint32_t { InUse = 0x4C42696E, Free = 0x4C426672 };

    /*
        Makes a block with memory for \a bytes, aligned to \a alignment; null if there is none. From
        1 MiB on, if \a mayMap, the memory is mapped, in huge pages if possible; otherwise it comes
        from the global operator new, which may call a new-handler. Must not be called with a lock
        held.
    */
    static LargeBlock *make(std::size_t bytes, std::size_t alignment, bool mayMap) noexcept;
    static void destroy(LargeBlock *block) noexcept;

    static LargeBlock *of(void *memory) noexcept { return static_cast<LargeBlock *>(memory) - 1; }
    void *memory() noexcept { return this + 1; }

    // How many bytes memory() has room for: more than requested if the block is used again.
    std::size_t room() const noexcept { return total - offsetFor(alignment); }

    // How far behind the start of the allocation the memory begins.
    static constexpr std::size_t offsetFor(std::size_t alignment) noexcept
    {
        return alignment > LeastAlignment ? alignment : LeastAlignment;
    }

    // How many bytes to allocate; 0 if no object can be so large, or so aligned.
    static constexpr std::size_t totalFor(std::size_t bytes, std::size_t alignment) noexcept
    {
        const bool isAlignment = alignment <= MostAlignment && (alignment & (alignment - 1)) == 0;
        if (!isAlignment || bytes > MostBytes - offsetFor(alignment))
            return 0;
        return offsetFor(alignment) + bytes;
    }

    // Aligned so that the state is the last word on 32 bits, too: hardened builds notice by it that the
    // bytes in front of the memory were written to.
    alignas(8) LargeBlock *next; // in a list of the user's
    alignas(8) LargeBlock *previous;
    alignas(8) LargeBlock *newer; // among the kept blocks
    alignas(8) LargeBlock *older;
    alignas(8) std::size_t total; // the size of the allocation, in bytes
    alignas(8) std::size_t asked; // the size that the user of the block requested
    alignas(8) std::uint32_t alignment;
    std::uint32_t keptAt; // when it was freed, in milliseconds
    Source source;
    State state;
};
static_assert(sizeof(LargeBlock) == LargeBlock::LeastAlignment, "what follows it is aligned");
static_assert(offsetof(LargeBlock, state) + sizeof(LargeBlock::State) == sizeof(LargeBlock));

QPOOL_END_NAMESPACE

#endif // QPOOLLARGEBLOCK_H
