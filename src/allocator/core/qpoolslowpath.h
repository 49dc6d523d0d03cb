// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSLOWPATH_H
#define QPOOLSLOWPATH_H

#include "../os/qpoolos.h"
#include "qpoolbacklogdrain.h"
#include "qpoolmagazine.h"
#include "qpooltuning.h"

QPOOL_BEGIN_NAMESPACE

/*
    What happens when a magazine is empty or full: the way between it, the backlog and the pages.
    Chunks move by the batch: a load that swings by less than a magazine moves one batch to and
    fro at the most, a larger one comes here once a batch. Called by the arena's owner alone.
*/
template <class Source>
class SlowPath
{
    using Sizes = Magazine<Source>;
    using Extent = typename BacklogDrain<Source>::Extent;

public:
    // A chunk, or null when the source has no page left. \a chunkSize is the bin's, needed to
    // prepare it at its first use. While orphans \a mayLend chunks, a page is taken only when there
    // is nothing else, and not to have more at hand next time.
    static void *allocate(ArenaBase &arena, Bin &bin, std::size_t chunkSize,
                          bool mayLend = false) noexcept
    {
        // An arena that was adopted a moment ago may have chunks in its magazine.
        if (void *chunk = bin.pop())
            return chunk;
        if (QPOOL_UNLIKELY(bin.capacity == 0))
            Sizes::watch(arena, bin, chunkSize);
        else if (arena.refusals == 0)
            Sizes::grow(arena, bin, Bin::MiddleCapacity);

        refill(arena, bin);
        if (bin.held() == bin.capacity) // what others free comes in more than fits
            Sizes::grow(arena, bin, Bin::MostCapacity);
        // Topped up even when something came back: one chunk going to and fro would otherwise
        // bring every allocation here.
        const std::uint32_t few = (Sizes::inlineCapacity(bin) + 1) / 2;
        if (QPOOL_LIKELY(!mayLend) || isWithinReserve(bin) || !needsPage(arena, bin)) {
            if constexpr (hardening == 2)
                fillQuarantine(arena, bin);
            else if (const std::uint32_t count = bin.held(); count < few)
                topUp(arena, bin, count > 0 ? few : Sizes::firstBatchOf(bin));
        }
        countSlowPath(arena, bin, bin.held());
        if (QPOOL_UNLIKELY(bin.held() == 0)) {
            // Out of memory: what other classes hold free is worth another try.
            if (mayHoldFree(arena)) {
                trim(arena);
                topUp(arena, bin, 1);
            }
            if (bin.held() == 0) {
                ++arena.refusals;
                return nullptr;
            }
        }
        arena.refusals = 0;
        // Rather one that was free for less long than none.
        return hardening == 2 ? bin.popOldest(0) : bin.pop();
    }

    // Whether the last allocation was refused, and the next one may be without looking everywhere
    // again. Now and then it looks, for what no flag tells of.
    static bool isRefused(const ArenaBase &arena) noexcept
    {
        return arena.refusals % Tuning::RefusalsUntilLook != 0;
    }

    static void deallocate(ArenaBase &arena, Bin &bin, void *chunk) noexcept
    {
        if (QPOOL_UNLIKELY(bin.capacity == 0))
            Sizes::watch(arena, bin, bin.chunkSize.load(std::memory_order_relaxed));
        else
            Sizes::grow(arena, bin, Bin::MostCapacity);
        const std::uint32_t batch = Sizes::batchOf(bin);
        countSlowPath(arena, bin, batch);
        if (bin.held() == bin.capacity)
            unload(arena, bin, batch);
        bin.push(chunk);
    }

    // What an arena has without another page, for a thread that borrows from it: a chunk, or null.
    // The bin was used before.
    static void *allocateFromStock(ArenaBase &arena, Bin &bin) noexcept
    {
        if (void *chunk = bin.pop())
            return chunk;
        if (QPOOL_UNLIKELY(bin.capacity == 0))
            Sizes::watch(arena, bin, bin.chunkSize.load(std::memory_order_relaxed));
        refill(arena, bin);
        // The quarantine is kept here, too: without it a chunk that was just freed would come back.
        while (isWithinReserve(bin) && bin.pages) {
            const std::uint32_t held = bin.held();
            const std::uint32_t wanted = reserveOf(bin) + Sizes::batchOf(bin) - held;
            bin.load(std::int32_t(BinPages<Source>::take(arena, bin, bin.magazine + held, wanted)));
        }
        return bin.pop();
    }

    // Whether the next chunk takes a page from the source, and not one of the first: see needsPage().
    static bool isGrowing(const ArenaBase &arena, const Bin &bin) noexcept
    {
        return isWithinReserve(bin) && !hasBacklog(bin) && needsPage(arena, bin);
    }

    // Takes in what other threads freed: into the magazine as far as it fits, the rest to
    // the pages.
    static void takeBacklog(ArenaBase &arena, Bin &bin) noexcept
    {
        if (!hasBacklog(bin))
            return;
        BacklogDrain<Source> drain(arena, bin);
        drain.unpack(bin.batches, Extent::All);
        drain.unpack(bin.backlog.takeBatches(), Extent::All);
        drain.take(bin.chunks, Extent::All);
        drain.take(bin.backlog.takeAll(), Extent::All);
    }

    // For a visitor: a part of it, to the pages. Returns how many chunks.
    static std::uint32_t giveSomeBacklog(ArenaBase &arena, Bin &bin) noexcept
    {
        BacklogDrain<Source> drain(arena, bin);
        drain.giveSome();
        return drain.taken();
    }

    static void unloadSome(ArenaBase &arena, Bin &bin) noexcept
    {
        constexpr std::uint32_t step = RemoteBatch::Capacity;
        unload(arena, bin, bin.held() < step ? bin.held() : step);
    }

    // The first for all bins, if anything was freed by others since the last look.
    static void takeBacklogs(ArenaBase &arena) noexcept
    {
        if (!arena.takeBacklogNote())
            return;
        for (unsigned i = 0; i < arena.binCount; ++i) {
            // What was never used nobody can have freed, and its lines need not be fetched.
            Bin &bin = arena.firstBin[i];
            if (isUnused(bin) || !hasBacklog(bin))
                continue;
            if (bin.capacity > 0)
                Sizes::grow(arena, bin, Bin::MostCapacity);
            takeBacklog(arena, bin);
        }
    }

    // Everything back to the pages, and the empty pages to the source. Whether the source
    // keeps them is its own affair.
    static void trim(ArenaBase &arena) noexcept
    {
        arena.takeBacklogNote();
        for (unsigned i = 0; i < arena.binCount; ++i)
            trim(arena, arena.firstBin[i]);
        BinPages<Source>::releaseKept(arena);
        arena.releasedPages = 0;
        arena.returnedChunks = 0;
    }

    // Empties the magazines of classes that were not used since the last call, but \a used, and
    // looks at them no more until they are. Returns whether there were any.
    static bool restUnused(ArenaBase &arena, const Bin *used = nullptr) noexcept
    {
        // That chunks go back now is not the burst that these tell of.
        const std::uint32_t releasedPages = arena.releasedPages;
        const std::uint32_t returnedChunks = arena.returnedChunks;
        bool found = false;
        for (Bin **place = &arena.watchedBins; Bin *bin = *place;) {
            const auto level = bin->level.load();
            // Enough of both to tell: the worst is that a class loses what it holds once.
            const std::uint32_t seen = std::uint32_t(level.popped()) << 16 | level.held();
            const bool unused = seen == bin->lastSeen && bin != used;
            bin->lastSeen = seen;
            if (!unused) {
                place = &bin->nextWatched;
                continue;
            }
            *place = bin->nextWatched;
            trim(arena, *bin);
            bin->capacity = 0; // see Magazine::watch(); a larger array stays for the next use
            found = true;
        }
        if (found) {
            BinPages<Source>::releaseKept(arena);
            arena.releasedPages = releasedPages;
            arena.returnedChunks = returnedChunks;
        }
        return found;
    }

    static bool isUnused(const Bin &bin) noexcept
    {
        return bin.chunkSize.load(std::memory_order_relaxed) == 0;
    }

    static bool hasBacklog(const Bin &bin) noexcept
    {
        return bin.batches || bin.chunks || !bin.backlog.isEmpty();
    }

private:
    // Whether no page has a chunk for the class, and it has some full ones already: one that has not
    // is used a little, or up and down, and better has pages of its own than chunks that it can't
    // keep.
    static bool needsPage(const ArenaBase &arena, const Bin &bin) noexcept
    {
        if (bin.pages || arena.emptyPages)
            return false;
        const std::size_t live = bin.loaded.load(std::memory_order_relaxed) - bin.backlog.pushed();
        return live * bin.chunkSize.load(std::memory_order_relaxed) >= Tuning::BorrowFromBytes;
    }

    // What of a magazine is not handed out while there is more: at level 2 the quarantine.
    static std::uint32_t reserveOf(const Bin &bin) noexcept
    {
        return hardening == 2 ? bin.quarantine() : 0;
    }
    static bool isWithinReserve(const Bin &bin) noexcept { return bin.held() <= reserveOf(bin); }

    // Whether trim() might release a page. When an allocation was refused the arena had been
    // trimmed: all magazines were empty, and no page was but those the source was given. So there
    // is nothing unless a chunk came back since, and what comes back is in a magazine or was
    // counted on its way to the pages. What others freed was taken in a moment ago.
    static bool mayHoldFree(const ArenaBase &arena) noexcept
    {
        if (!isRefused(arena) || arena.returnedChunks > 0)
            return true;
        for (unsigned i = 0; i < arena.binCount; ++i) {
            if (arena.firstBin[i].held() > 0)
                return true;
        }
        return false;
    }

    static void trim(ArenaBase &arena, Bin &bin) noexcept
    {
        if (isUnused(bin))
            return;
        takeBacklog(arena, bin);
        const std::uint32_t count = bin.held();
        BinPages<Source>::giveAll(arena, bin, bin.magazine, count);
        bin.load(-std::int32_t(count));
        arena.returnedChunks += count;
        BinPages<Source>::releaseEmpty(arena, bin);
        bin.slowPaths = 0;
    }

    // The same for an empty magazine, but what there is no room for is kept as it is: the chunks
    // are needed next. The thread that pushed them has noted it, or is about to, so that the next
    // takeBacklogs() unpacks them all; in the child of a fork() that came between the two there is
    // nobody to do so.
    static void refill(ArenaBase &arena, Bin &bin) noexcept
    {
        BacklogDrain<Source> drain(arena, bin);
        drain.unpack(bin.batches, Extent::Fitting);
        if (!bin.batches)
            drain.unpack(bin.backlog.takeBatches(), Extent::Fitting);
        drain.take(bin.chunks, Extent::Fitting);
        if (!bin.chunks)
            drain.take(bin.backlog.takeAll(), Extent::Fitting);
        if (QPOOL_UNLIKELY((bin.batches || bin.chunks) && !arena.hasBacklog()))
            arena.noteBacklog(1);
    }

    static void topUp(ArenaBase &arena, Bin &bin, std::uint32_t wanted) noexcept
    {
        // Before the arena grows it takes in what others freed, of all classes: a program that
        // never sleeps and moved on to other sizes would otherwise leave it where it is.
        if (!bin.pages)
            takeBacklogs(arena);
        const std::uint32_t count = bin.held();
        if (count + wanted > bin.capacity)
            wanted = bin.capacity - count;
        if (wanted > 0) {
            const std::uint32_t more = BinPages<Source>::take(arena, bin, bin.magazine + count, wanted);
            bin.load(std::int32_t(more));
        }
    }

    // Twice, for a page may have less than is wanted.
    static void fillQuarantine(ArenaBase &arena, Bin &bin) noexcept
    {
        for (int i = 0; i < 2 && bin.held() <= bin.quarantine(); ++i)
            topUp(arena, bin, bin.quarantine() + Sizes::batchOf(bin) - bin.held());
    }

    // Also counts how much was passed on: that bounds what other classes hold in a thread that never
    // calls idle(). See Tuning::PassedBytes.
    static void countSlowPath(ArenaBase &arena, Bin &bin, std::uint32_t chunks) noexcept
    {
        if (bin.slowPaths < Tuning::SlowPathsUntilUsed)
            ++bin.slowPaths;
        arena.passedBytes += chunks * bin.chunkSize.load(std::memory_order_relaxed);
        if (QPOOL_UNLIKELY(arena.passedBytes >= Tuning::PassedBytes))
            passedMuch(arena, bin);
    }

    QPOOL_NEVER_INLINE static void passedMuch(ArenaBase &arena, const Bin &used) noexcept
    {
        arena.passedBytes = 0;
        if (++arena.passedTimes < Tuning::PassedTimes) {
            if constexpr (Source::HasHeap) {
                const std::uint32_t now = Os::milliseconds();
                if (now - arena.lastRest < Tuning::PassedMilliseconds)
                    return;
                arena.lastRest = now;
            } else {
                return;
            }
        }
        arena.passedTimes = 0;
        restUnused(arena, &used);
    }

    // The newest \a count chunks of the magazine to the pages: they are linked there, and these
    // are the ones still in the cache.
    static void unload(ArenaBase &arena, Bin &bin, std::uint32_t count) noexcept
    {
        void **end = bin.magazine + bin.held();
        for (std::uint32_t i = 0; i < count; ++i)
            BinPages<Source>::give(arena, bin, static_cast<FreeChunk *>(*--end));
        bin.load(-std::int32_t(count));
        arena.returnedChunks += count;
    }

};

QPOOL_END_NAMESPACE

#endif // QPOOLSLOWPATH_H
