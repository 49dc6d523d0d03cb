// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLTRIM_H
#define QPOOLTRIM_H

#include "qpoolslowpath.h"

QPOOL_BEGIN_NAMESPACE

// Decides when an arena as a whole gives memory back. Only the owner calls these, except visit().
template <class Source>
class Trim
{
public:
    static void now(ArenaBase &arena) noexcept { SlowPath<Source>::trim(arena); }

    // Called before a thread goes to sleep; cheap when there is nothing to do. After a burst, trims
    // the arena including its magazines, because each chunk in them may be the last that keeps a
    // page in use. What an ordinary turn of an event loop allocates and frees stays below the
    // limits; a larger turn pays once for each chunk it freed.
    static void idle(ArenaBase &arena) noexcept
    {
        SlowPath<Source>::takeBacklogs(arena);
        if (arena.releasedPages >= Tuning::IdlePages || arena.returnedChunks >= Tuning::IdleChunks
            || heldBytes(arena) >= Tuning::IdleBytes) {
            now(arena);
            Source::idle();
        } else if (++arena.idleTurns >= Tuning::UnusedTurns) {
            arena.idleTurns = 0;
            if (SlowPath<Source>::restUnused(arena))
                Source::idle();
        }
        Source::releaseWaiting();
    }

    // For a visitor: takes in what other threads freed to an arena whose owner does not look, and
    // gives back the pages that become free. Uses at most \a steps steps, and fewer if the owner
    // wants the arena back. Also empties an orphan's magazines, because no thread will come back
    // for their chunks, and those of other arenas if \a thorough. Returns whether everything was
    // done; if not, notes the rest again. Calls \a visited with each bin that gave chunks to pages.
    template <class Visited>
    static bool visit(ArenaBase &arena, std::uint32_t steps, bool thorough,
                      Visited &&visited) noexcept
    {
        const bool magazines = thorough || arena.ownership.isOrphaned();
        std::size_t pending = arena.takeBacklogNote();
        for (unsigned i = 0; Bin *used = arena.usedBin(i); ++i) {
            Bin &bin = *used;
            bool some = false;
            for (;;) {
                const bool backlog = SlowPath<Source>::hasBacklog(bin);
                if (!backlog && (!magazines || bin.held() == 0))
                    break;
                if (steps == 0 || arena.ownership.isWanted()) {
                    arena.noteBacklog(pending > 0 ? pending : 1);
                    return false;
                }
                --steps;
                some = true;
                if (backlog) {
                    const std::size_t bytes = SlowPath<Source>::giveSomeBacklog(arena, bin)
                            * std::size_t(bin.chunkSize.load(std::memory_order_relaxed));
                    pending = pending > bytes ? pending - bytes : 0;
                } else {
                    SlowPath<Source>::unloadSome(arena, bin);
                }
            }
            // One empty page stays with a bin; finding it among others takes a walk.
            if (thorough || (some && bin.pages && !bin.pages->next))
                BinPages<Source>::releaseEmpty(arena, bin);
            if (some)
                visited(bin);
        }
        BinPages<Source>::releaseKept(arena);
        arena.releasedPages = 0;
        arena.returnedChunks = 0;
        return true;
    }

private:
    // The bytes that large magazines hold.
    static std::size_t heldBytes(const ArenaBase &arena) noexcept
    {
        std::size_t bytes = 0;
        for (const Bin *bin = arena.watchedBins; bin; bin = bin->nextWatched) {
            if (!Magazine<Source>::isLarge(*bin))
                break;
            bytes += std::size_t(bin->held()) * bin->chunkSize.load(std::memory_order_relaxed);
        }
        return bytes;
    }
};

QPOOL_END_NAMESPACE

#endif // QPOOLTRIM_H
