// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLLARGEBLOCK_H
#define QPOOLLARGEBLOCK_H

#include "../qpoolglobal.h"

QPOOL_BEGIN_NAMESPACE

/*
    Stands in front of a block that is too large for a pool, and says how large it is and where it came
    from. By that it goes back the right way, whoever had it in between: a mapping is unmapped, and
    what operator new returned goes to operator delete.

    Belongs to one thread at a time; its user sees to that.
*/
struct alignas(64) LargeBlock
{
    // What every block is aligned to at least, so that most of them can stand in for each other.
    static constexpr std::size_t LeastAlignment = 64;
    static constexpr std::size_t MostAlignment = std::size_t(1) << 30;

    enum class Source : std::uint32_t { Heap, Mapping };
    // Any other value: it was written over, or no block begins here.
    enum class State : std::uint32_t { InUse = 0x4C42696E, Free = 0x4C426672 };

    /*
        Makes one with memory for \a bytes, aligned to \a alignment; null if there is none. From 1 MiB
        on, if it \a mayMap, the memory is mapped, in huge pages where there are any; else it comes from
        the global operator new, which may call a new-handler. Not to be called with a lock held.
    */
    static LargeBlock *make(std::size_t bytes, std::size_t alignment, bool mayMap) noexcept;
    static void destroy(LargeBlock *block) noexcept;

    static LargeBlock *of(void *memory) noexcept { return static_cast<LargeBlock *>(memory) - 1; }
    void *memory() noexcept { return this + 1; }

    // How much memory() has room for: more than what was asked for when the block is used again.
    std::size_t room() const noexcept { return total - offsetFor(alignment); }

    // How far behind the start of what was allocated the memory begins.
    static constexpr std::size_t offsetFor(std::size_t alignment) noexcept
    {
        return alignment > LeastAlignment ? alignment : LeastAlignment;
    }

    // What is to be allocated; 0 if no object can be so large.
    static constexpr std::size_t totalFor(std::size_t bytes, std::size_t alignment) noexcept
    {
        constexpr std::size_t most = std::size_t(PTRDIFF_MAX);
        if (alignment > MostAlignment || bytes > most - offsetFor(alignment))
            return 0;
        return offsetFor(alignment) + bytes;
    }

    LargeBlock *next; // in a list of its user's
    LargeBlock *previous;
    LargeBlock *newer; // among those that are kept
    LargeBlock *older;
    std::size_t total; // what was allocated, in bytes
    std::size_t asked; // what the user of the block asked for
    std::uint32_t alignment;
    std::uint32_t keptAt; // when it was freed, in milliseconds
    Source source;
    State state;
};
static_assert(sizeof(LargeBlock) == LargeBlock::LeastAlignment, "what follows it is aligned");

QPOOL_END_NAMESPACE

#endif // QPOOLLARGEBLOCK_H
