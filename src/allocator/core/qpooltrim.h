// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLTRIM_H
#define QPOOLTRIM_H

#include "qpoolsupply.h"

QPOOL_BEGIN_NAMESPACE

// How and when an arena as a whole gives memory back. Only the owner calls these, except visit().
template <class Source>
class Trim
{
public:
    // Puts everything into the pages, and gives the empty pages to the source, which decides whether it
    // keeps them.
    static void now(ArenaBase &arena) noexcept
    {
        arena.takeBacklogNote();
        for (unsigned i = 0; Bin *bin = arena.usedBin(i); ++i)
            emptyBin(arena, *bin);
        BinPages<Source>::releaseKept(arena);
        arena.returnedChunks = 0;
    }

    // For a trim. Calls \a turn, which calls discardParts() while it has the arena, as long as that returns true; but
    // no more often than the arena's pages need, whatever others free meanwhile. Between two turns others get the arena.
    template <class Turn>
    static void discardInTurns([[maybe_unused]] const ArenaBase &arena, [[maybe_unused]] Turn &&turn) noexcept
    {
        if constexpr (Source::HasParts) {
            std::uint32_t left = arena.pageCount.load(std::memory_order_relaxed) / Tuning::DiscardedAtOnce;
            for (; turn() && left > 0; --left)
                Os::pause(~0u); // as long as one lasts
        }
    }

    // Gives back the parts of some pages in which no chunk is out. Returns whether there may be more.
    static bool discardParts([[maybe_unused]] ArenaBase &arena) noexcept
    {
        if constexpr (Source::HasParts) {
            std::uint32_t left = Tuning::DiscardedAtOnce;
            for (unsigned i = 0; Bin *bin = arena.usedBin(i); ++i) {
                for (PageHeader *page = bin->pages; page; page = page->next) {
                    if (PageChunks<Source>::isDiscarded(page))
                        continue;
                    if (left-- == 0)
                        return true;
                    PageChunks<Source>::discardParts(page);
                }
            }
        }
        return false;
    }

    // Called before a thread goes to sleep. Returns in how many milliseconds there may be more to give
    // back: 0 if there is, -1 if nothing is left.
    static int idle(ArenaBase &arena) noexcept
    {
        settle(arena);
        Source::giveBackDue();
        return Source::untilOld(arena.watchedBins || arena.sampledHold);
    }

    // The same without a step of giving back.
    static void settle(ArenaBase &arena) noexcept
    {
        BacklogDrain<Source>::takeAll(arena);
        if (!Source::HasHeap || Source::periodEnds(arena.restedAt))
            rest(arena);
    }

    // For each slow path of an allocation, whose bin is \a used.
    QPOOL_ALWAYS_INLINE static void atWork(ArenaBase &arena, const Bin *used = nullptr) noexcept
    {
        if (QPOOL_UNLIKELY(Source::periodEnds(arena.restedAt)))
            rest(arena, used);
        Source::giveBackDue();
    }

    // Called once in a period: empties the magazines of classes that were not used since the last call,
    // except \a used, and stops watching these classes until they are used again. Each chunk in a magazine
    // may be the last that keeps a page in use.
    static void rest(ArenaBase &arena, const Bin *used = nullptr) noexcept
    {
        for (Bin **place = &arena.watchedBins; Bin *bin = *place;) {
            const auto level = bin->level.load();
            // The low bits of both counts suffice: in the worst case, a class loses the chunks it
            // holds once.
            const std::uint32_t seen = std::uint32_t(level.popped()) << 16 | level.held();
            const bool unused = seen == bin->lastSeen && bin != used;
            bin->lastSeen = seen;
            if (!unused) {
                place = &bin->nextWatched;
                continue;
            }
            *place = bin->nextWatched;
            emptyBin(arena, *bin);
            bin->capacity = 0; // see Magazine::watch(); a larger array stays for the next use
        }
        // Sampled bins are not watched, and hold only a few chunks.
        if (QPOOL_UNLIKELY(arena.sampledHold)) {
            arena.sampledHold = false;
            for (unsigned i = 0; Bin *bin = arena.usedBin(i); ++i) {
                if (bin->capacity == 0 && bin->held() > 0)
                    emptyBin(arena, *bin);
            }
        }
        BinPages<Source>::releaseKept(arena);
    }

    // For a visitor: takes in what other threads freed to an arena whose owner does not look, and
    // gives back the pages that become free. Uses at most \a steps steps, and fewer if the owner
    // wants the arena back. Also empties an orphan's magazines, because no thread will come back
    // for their chunks, and those of other arenas if \a thorough. Returns whether everything was
    // done; if not, notes the rest again. Calls \a visited with each bin that put chunks into pages.
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
                const bool backlog = bin.hasBacklog();
                if (!backlog && (!magazines || bin.held() == 0))
                    break;
                if (steps == 0 || arena.ownership.isWanted()) {
                    if (pending > 0)
                        arena.noteBacklog(pending);
                    else
                        arena.askForCheck();
                    return false;
                }
                --steps;
                some = true;
                if (backlog) {
                    const std::size_t bytes = BacklogDrain<Source>::putSome(arena, bin)
                            * std::size_t(bin.chunkSize.load(std::memory_order_relaxed));
                    pending = pending > bytes ? pending - bytes : 0;
                } else {
                    constexpr std::uint32_t step = RemoteBatch::Capacity;
                    Supply<Source>::put(arena, bin, bin.held() < step ? bin.held() : step);
                }
            }
            // One empty page stays with a bin; finding it among others takes a walk.
            if (thorough || (some && bin.pages && !bin.pages->next))
                BinPages<Source>::releaseEmpty(arena, bin);
            if (some)
                visited(bin);
        }
        BinPages<Source>::releaseKept(arena);
        arena.returnedChunks = 0;
        return true;
    }

    static void emptyBin(ArenaBase &arena, Bin &bin) noexcept
    {
        if (bin.hasBacklog())
            BacklogDrain<Source>::take(arena, bin, BacklogDrain<Source>::Extent::All);
        Supply<Source>::putAll(arena, bin);
        bin.slowPaths = 0;
        bin.overflows = 0;
    }
};

QPOOL_END_NAMESPACE

#endif // QPOOLTRIM_H
