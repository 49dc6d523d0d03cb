// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSLOWPATH_H
#define QPOOLSLOWPATH_H

#include "qpoolsampledbins.h"

QPOOL_BEGIN_NAMESPACE

/*
    What happens when a magazine is empty or full: chunks move in batches between it, the backlog
    and the pages. A load that varies by less than a magazine moves at most one batch back and
    forth; one that varies by more takes the slow path once per batch. Only the arena's owner calls
    these functions.
*/
template <class Source>
class SlowPath
{
    using Sizes = Magazine<Source>;
    using Drain = BacklogDrain<Source>;

public:
    // Returns a chunk, or null if the source has no page left. \a chunkSize is the bin's, needed to
    // prepare the bin at its first use. If the thread \a mayBorrow from an orphan, takes a page only if
    // there is no other chunk, never in advance.
    static void *allocate(ArenaBase &arena, Bin &bin, std::size_t chunkSize,
                          bool mayBorrow = false) noexcept
    {
        // An arena adopted a moment ago may have chunks in its magazine.
        if (void *chunk = bin.pop())
            return chunk;
        if constexpr (Source::HasSamples) {
            if (QPOOL_UNLIKELY(SampledBins<Source>::follow(arena)))
                return SampledBins<Source>::allocate(arena, bin, chunkSize);
        }
        Sizes::prepare(arena, bin, chunkSize);
        Drain::take(arena, bin, Drain::Extent::Fitting);
        if (bin.held() == bin.capacity) // others free more than fits
            Sizes::grow(arena, bin, Bin::MostCapacity);
        if (QPOOL_LIKELY(!mayBorrow) || isWithinReserve(bin) || !needsPage(arena, bin)) {
            // At level 2 twice, because one page may have fewer chunks than the quarantine needs.
            for (int i = hardening == 2 ? 2 : 1; i > 0; --i) {
                const std::uint32_t wanted = missingIn(bin);
                if (wanted == 0)
                    break;
                // Before the arena grows, take in what other threads freed, for all classes.
                // Otherwise, the chunks of a program that never sleeps and now uses other sizes would
                // stay in the backlogs.
                if (!bin.pages && !bin.home)
                    Drain::takeAll(arena);
                Supply<Source>::fill(arena, bin, wanted);
            }
        }
        Sizes::countSlowPath(bin);
        Trim<Source>::atWork(arena, &bin);
        if (QPOOL_UNLIKELY(bin.held() == 0) && !searchElsewhere(arena, bin)) {
            ++arena.refusals;
            return nullptr;
        }
        arena.refusals = 0;
        // At level 2, a chunk that has not waited long enough is better than none.
        return hardening == 2 ? bin.popOldest(0) : bin.pop();
    }

    // Whether the last allocation was refused and the next one may be refused without another
    // search. Every few refusals searches again, because no flag shows that the source has memory
    // again.
    static bool isRefused(const ArenaBase &arena) noexcept
    {
        return arena.refusals % Tuning::RefusalsUntilLook != 0;
    }

    static void deallocate(ArenaBase &arena, Bin &bin, void *chunk) noexcept
    {
        if (QPOOL_UNLIKELY(bin.capacity == 0))
            Sizes::watch(arena, bin, bin.chunkSize.load(std::memory_order_relaxed));
        else
            Sizes::noteOverflow(arena, bin);
        const std::uint32_t batch = Sizes::freedBatchOf(bin);
        Sizes::countSlowPath(bin);
        if (bin.held() == bin.capacity) {
            Supply<Source>::put(arena, bin, batch);
            Source::giveBackDue();
        }
        bin.push(chunk);
    }

    // For a thread that borrows from the arena: returns a chunk that needs no other page, or null.
    // The bin was used before.
    static void *allocateFromStock(ArenaBase &arena, Bin &bin) noexcept
    {
        if constexpr (Source::HasSamples) {
            if (QPOOL_UNLIKELY(SampledBins<Source>::follow(arena)))
                return nullptr; // the thread's own arena decides what is sampled
        }
        if (void *chunk = bin.pop())
            return chunk;
        if (QPOOL_UNLIKELY(bin.capacity == 0))
            Sizes::watch(arena, bin, bin.chunkSize.load(std::memory_order_relaxed));
        Drain::take(arena, bin, Drain::Extent::Fitting);
        // Borrowed chunks pass through the quarantine too: otherwise a chunk just freed would be
        // handed out again.
        while (isWithinReserve(bin) && bin.pages)
            Supply<Source>::fill(arena, bin, reserveOf(bin) + Sizes::batchOf(bin) - bin.held());
        return bin.pop();
    }

    // Whether the next chunk takes a page from the source, other than one of the first pages: see
    // needsPage().
    static bool isGrowing(const ArenaBase &arena, const Bin &bin) noexcept
    {
        return isWithinReserve(bin) && !bin.hasBacklog() && needsPage(arena, bin);
    }

private:
    // Whether no page has a chunk for the class although it has some full pages already. A class
    // without full pages is used only a little, or its load varies; pages of its own suit it better
    // than borrowed chunks, which it cannot keep.
    static bool needsPage(const ArenaBase &arena, const Bin &bin) noexcept
    {
        if (bin.pages || arena.emptyPages)
            return false;
        const std::size_t live = bin.loaded.load(std::memory_order_relaxed) - bin.backlog.pushed();
        return live * bin.chunkSize.load(std::memory_order_relaxed) >= Tuning::BorrowFromBytes;
    }

    // How many chunks of a magazine are held back while there are others: at level 2, the
    // quarantine.
    static std::uint32_t reserveOf(const Bin &bin) noexcept
    {
        return hardening == 2 ? bin.quarantine() : 0;
    }
    static bool isWithinReserve(const Bin &bin) noexcept { return bin.held() <= reserveOf(bin); }

    // Whether Trim::now() might release a page. When an allocation was refused, the arena had been
    // trimmed: all magazines were empty, and every page that could be released had been. So now()
    // finds nothing unless a chunk came back since. Such a chunk is in a magazine, or
    // returnedChunks counted it on its way to the pages. What other threads freed was taken in a
    // moment ago.
    static bool mayHoldFree(const ArenaBase &arena) noexcept
    {
        if (!isRefused(arena) || arena.returnedChunks > 0)
            return true;
        // All bins: that is quicker where many are used.
        for (unsigned i = 0; i < arena.binCount; ++i) {
            if (arena.firstBin[i].held() > 0)
                return true;
        }
        return false;
    }

    // How many chunks the magazine needs from the pages. Some even if others came back: otherwise, a
    // single chunk that moves back and forth would bring every allocation to the slow path.
    static std::uint32_t missingIn(const Bin &bin) noexcept
    {
        const std::uint32_t held = bin.held();
        if constexpr (hardening == 2)
            return isWithinReserve(bin) ? reserveOf(bin) + Sizes::batchOf(bin) - held : 0;
        const std::uint32_t few = (Sizes::inlineCapacity(bin) + 1) / 2;
        return held >= few ? 0 : held > 0 ? few : Sizes::firstBatchOf(bin);
    }

    // Out of memory: tries again with what other classes hold free.
    static bool searchElsewhere(ArenaBase &arena, Bin &bin) noexcept
    {
        if (mayHoldFree(arena)) {
            Trim<Source>::now(arena);
            if (!bin.pages)
                Drain::takeAll(arena);
            Supply<Source>::fill(arena, bin, 1);
        }
        return bin.held() > 0;
    }
};

QPOOL_END_NAMESPACE

#endif // QPOOLSLOWPATH_H
