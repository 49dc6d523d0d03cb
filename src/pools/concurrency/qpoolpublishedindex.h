// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLPUBLISHEDINDEX_H
#define QPOOLPUBLISHEDINDEX_H

#include "../../allocator/qpoolglobal.h"

#include <atomic>
#include <cstddef>
#include <new>

QPOOL_BEGIN_NAMESPACE

namespace Detail {

struct alignas(CacheLineSize) PublishedIndexLine
{
    std::atomic<std::size_t> value { 0 };
};

/*
    An index of one end of a ring that the other end reads: how many elements were ever pushed, or
    popped. If it were in one place, the other end would fetch that cache line after almost every
    store, and each store would wait until the line is back. Here it moves along with the elements:
    each block of slots has a line of its own. A line is written while its block is worked on, and not
    again before the next turn of the ring, so its writer can fetch it in advance. Between two cores
    that share no cache, this doubles what goes through the ring in batches.

    Invariants and orderings
    - The lines of all blocks that the step from \c from to \c to touches get the value \c to.
      Release: what the end did with these elements is visible to the end that reads the value.
    - The reader's known value is 0, or the end of a step, hence the beginning of the next one: it
      suffices to read the line of that value's block. A value in it that is not greater is from an
      earlier step. Acquire.
    - Values are compared by their difference, since they may wrap. Every turn of the ring writes
      every line, so that no value is older than a turn and a block.

    The model is tests/auto/model/spscring.pml.
*/
class PublishedIndex
{
public:
    using Line = PublishedIndexLine;

    // For \a blocks blocks, a power of two, of 2 to the power of \a shift slots each. \a memory is
    // room for as many lines.
    void setLines(void *memory, std::size_t blocks) noexcept
    {
        m_lines = static_cast<Line *>(memory);
        for (std::size_t block = 0; block < blocks; ++block)
            ::new (m_lines + block) Line;
        m_mask = blocks - 1;
    }

    // The writer. \a from is the value before.
    template <unsigned Shift>
    QPOOL_ALWAYS_INLINE void publish(std::size_t from, std::size_t to) noexcept
    {
        // The index may wrap between the two, and the number of a block has fewer bits.
        for (std::size_t block = (to - 1) >> Shift;; --block) {
            line(block).store(to, std::memory_order_release);
            if (QPOOL_LIKELY(((block ^ (from >> Shift)) << Shift) == 0))
                break;
        }
    }

    // The same for a step of one element.
    template <unsigned Shift>
    QPOOL_ALWAYS_INLINE void publishNext(std::size_t from) noexcept
    {
        line(from >> Shift).store(from + 1, std::memory_order_release);
    }

    // The reader, which knows \a known: returns the newest value, or one that is at least \a enough.
    template <unsigned Shift>
    QPOOL_ALWAYS_INLINE std::size_t readFrom(std::size_t known, std::size_t enough) const noexcept
    {
        for (;;) {
            const std::size_t block = known >> Shift;
            const std::size_t value = line(block).load(std::memory_order_acquire);
            if (!isBefore(known, value))
                return known;
            if (value >> Shift == block || !isBefore(value, enough))
                return value;
            known = value;
        }
    }

    static bool isBefore(std::size_t a, std::size_t b) noexcept
    {
        return std::ptrdiff_t(b - a) > 0;
    }

    template <unsigned Shift>
    const void *lineOf(std::size_t index) const noexcept
    {
        return &line(index >> Shift);
    }

private:
    QPOOL_ALWAYS_INLINE std::atomic<std::size_t> &line(std::size_t block) const noexcept
    {
        return m_lines[block & m_mask].value;
    }

    static inline Line s_none; // of a ring without memory; never written

    Line *m_lines = &s_none;
    std::size_t m_mask = 0;
};

} // namespace Detail

QPOOL_END_NAMESPACE

#endif // QPOOLPUBLISHEDINDEX_H
