// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLTRIM_H
#define QPOOLTRIM_H

#include "qpoolslowpath.h"

QPOOL_BEGIN_NAMESPACE

// When memory goes back, for an arena as a whole. The owner's calls.
template <class Source>
class Trim
{
public:
    static void now(ArenaBase &arena) noexcept { SlowPath<Source>::trim(arena); }

    // For the moment before a thread goes to sleep; cheap when there is nothing to do. After a
    // burst the arena is trimmed, magazines included: each chunk in them may be the last that
    // holds a page. What a turn of an event loop allocates and frees stays below the limits; a
    // turn that does more pays for each chunk it freed once.
    static void idle(ArenaBase &arena) noexcept
    {
        SlowPath<Source>::takeBacklogs(arena);
        constexpr std::uint32_t manyPages = 16;
        constexpr std::uint32_t manyChunks = 4096;
        constexpr std::size_t manyBytes = 256 * 1024;
        if (arena.releasedPages >= manyPages || arena.returnedChunks >= manyChunks
            || heldBytes(arena) >= manyBytes) {
            now(arena);
            Source::idle();
        } else if (++arena.idleTurns >= patience) {
            arena.idleTurns = 0;
            if (restUnused(arena))
                Source::idle();
        }
    }

private:
    // For so many idle turns a class must not have been used to lose what it holds.
    static constexpr std::uint32_t patience = 16;

    // What large magazines hold.
    static std::size_t heldBytes(const ArenaBase &arena) noexcept
    {
        std::size_t bytes = 0;
        for (const Bin *bin = arena.largeBins; bin; bin = bin->nextLarge)
            bytes += std::size_t(bin->held()) * bin->chunkSize.load(std::memory_order_relaxed);
        return bytes;
    }

    // Empties those of classes that were not used since the last call, and looks at them no more
    // until they are. Returns whether there were any.
    static bool restUnused(ArenaBase &arena) noexcept
    {
        // That chunks go back now is not the burst that these tell of.
        const std::uint32_t releasedPages = arena.releasedPages;
        const std::uint32_t returnedChunks = arena.returnedChunks;
        bool found = false;
        for (Bin **place = &arena.largeBins; Bin *bin = *place;) {
            const auto level = bin->level.load();
            // Enough of both to tell: the worst is that a class loses what it holds once.
            const std::uint32_t seen = std::uint32_t(level.popped()) << 16 | level.held();
            const bool unused = seen == bin->lastSeen;
            bin->lastSeen = seen;
            if (!unused) {
                place = &bin->nextLarge;
                continue;
            }
            *place = bin->nextLarge;
            SlowPath<Source>::trim(arena, *bin);
            SlowPath<Source>::shrinkMagazine(*bin);
            found = true;
        }
        if (found) {
            BinPages<Source>::releaseKept(arena);
            arena.releasedPages = releasedPages;
            arena.returnedChunks = returnedChunks;
        }
        return found;
    }
};

QPOOL_END_NAMESPACE

#endif // QPOOLTRIM_H
