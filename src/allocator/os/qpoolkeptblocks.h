// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLKEPTBLOCKS_H
#define QPOOLKEPTBLOCKS_H

#include "qpoollargeblock.h"

QPOOL_BEGIN_NAMESPACE

/*
    Large blocks that were freed and keep their memory, so that an array that is built again causes
    no page faults. Finds a block by its size in a few steps, and knows its age. Blocks that are
    taken out to go back are linked by `next`. Contains neither a lock nor a clock; the user has
    both.

    Bins are a quarter of a power of two wide. In each, the block freed last is the first, because
    its memory may still be in a cache of the processor.
*/
class KeptBlocks
{
public:
    // Smaller blocks are served well by operator new.
    static constexpr std::size_t LeastBytes = 128 * 1024;
    // The most that is kept, with headers, whatever is in use.
    static constexpr std::size_t MostBytes = 64 * 1024 * 1024;
    // The limit is this, plus an eighth of what is in use.
    static constexpr std::size_t AlwaysKept = 16 * 1024 * 1024;
    // How much of what a turn of an event loop used again stays for the next.
    static constexpr std::size_t MostForTurn = 8 * 1024 * 1024;
    // How many milliseconds a block is kept without being used.
    static constexpr std::int32_t MaxAge = 1000;

    constexpr KeptBlocks() = default;

    static constexpr std::size_t limit(std::size_t used) noexcept
    {
        const std::size_t most = AlwaysKept + used / 8;
        return most < MostBytes ? most : MostBytes;
    }

    std::size_t bytes() const noexcept { return m_bytes; }

    void put(LargeBlock *block, std::uint32_t now) noexcept
    {
        block->keptAt = now;
        LargeBlock *&first = m_bins[binOf(block->total)];
        block->previous = nullptr;
        block->next = first;
        if (first)
            first->previous = block;
        first = block;
        block->newer = nullptr;
        block->older = m_newest;
        (m_newest ? m_newest->newer : m_oldest) = block;
        m_newest = block;
        m_bytes += block->total;
    }

    // Returns a block with room for \a bytes, and at most a quarter more; null if none is found.
    LargeBlock *take(std::size_t bytes, std::size_t alignment) noexcept
    {
        constexpr int tries = 8; // a bin may be full of blocks slightly too small
        const std::size_t total = LargeBlock::totalFor(bytes, alignment);
        if (total == 0)
            return nullptr;
        const unsigned last = binOf(total + bytes / 4);
        for (unsigned bin = binOf(total); bin <= last; ++bin) {
            LargeBlock *block = m_bins[bin];
            for (int i = 0; block && i < tries; ++i, block = block->next) {
                const std::size_t room = block->room();
                if (room < bytes || room - bytes > bytes / 4 || block->alignment < alignment)
                    continue;
                remove(block);
                m_usedAgain += block->total;
                return block;
            }
        }
        if (m_givenBack >= total) {
            m_givenBack -= total;
            m_usedAgain += total;
        }
        return nullptr;
    }

    // Takes out the oldest blocks until at most \a most bytes are left.
    LargeBlock *takeBeyond(std::size_t most) noexcept
    {
        LargeBlock *taken = nullptr;
        while (m_bytes > most)
            takeOldest(taken);
        return taken;
    }

    // Takes out the blocks that were not used for longer than MaxAge. Threads may pass times out of
    // order.
    LargeBlock *takeAged(std::uint32_t now) noexcept
    {
        LargeBlock *taken = nullptr;
        while (m_oldest && std::int32_t(now - m_oldest->keptAt) > MaxAge)
            takeOldest(taken);
        return taken;
    }

    /*
        Takes out what is to go back when a thread is about to wait for events. A program that does
        the same at each turn of its event loop would map again, at each turn, what went back after
        the last. So what was used again since the last call stays for the next turn: blocks that
        were taken from here, or would have been if the last call had not given them back.
    */
    LargeBlock *takeForIdle() noexcept
    {
        const std::size_t kept = m_usedAgain < MostForTurn ? m_usedAgain : MostForTurn;
        const std::size_t before = m_bytes;
        LargeBlock *taken = takeBeyond(kept);
        m_usedAgain = 0;
        m_givenBack = before - m_bytes;
        return taken;
    }

    LargeBlock *takeAll() noexcept
    {
        m_usedAgain = m_givenBack = 0;
        return takeBeyond(0);
    }

private:
    static constexpr unsigned LeastShift = 17;
    static constexpr unsigned BinCount = 40;
    static_assert(LeastBytes == std::size_t(1) << LeastShift, "the first bin begins there");
    static_assert(MostBytes >> (LeastShift + BinCount / 4 - 1) == 1, "the last but three does there");

    // Sizes without a bin use the first or the last.
    static unsigned binOf(std::size_t total) noexcept
    {
        unsigned shift = LeastShift;
        while (shift < LeastShift + BinCount / 4 - 1 && total >> (shift + 1) != 0)
            ++shift;
        const std::size_t quarter = total >> (shift - 2);
        return (shift - LeastShift) * 4 + (quarter < 4 ? 0 : quarter > 7 ? 3 : unsigned(quarter) - 4);
    }

    void remove(LargeBlock *block) noexcept
    {
        (block->previous ? block->previous->next : m_bins[binOf(block->total)]) = block->next;
        if (block->next)
            block->next->previous = block->previous;
        (block->older ? block->older->newer : m_oldest) = block->newer;
        (block->newer ? block->newer->older : m_newest) = block->older;
        m_bytes -= block->total;
    }

    void takeOldest(LargeBlock *&taken) noexcept
    {
        LargeBlock *block = m_oldest;
        remove(block);
        block->next = taken;
        taken = block;
    }

    LargeBlock *m_bins[BinCount] = {};
    LargeBlock *m_newest = nullptr;
    LargeBlock *m_oldest = nullptr;
    std::size_t m_bytes = 0;
    std::size_t m_usedAgain = 0; // since the last takeForIdle()
    std::size_t m_givenBack = 0; // by the last takeForIdle(), and not needed since
};

QPOOL_END_NAMESPACE

#endif // QPOOLKEPTBLOCKS_H
