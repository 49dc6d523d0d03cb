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
    What happens when a magazine is empty or full: chunks move in batches between it, the backlog
    and the pages. A load that varies by less than a magazine moves at most one batch back and
    forth; one that varies by more takes the slow path once per batch. Only the arena's owner calls
    these functions.
*/
template <class Source>
class SlowPath
{
    using Sizes = Magazine<Source>;
    using Extent = typename BacklogDrain<Source>::Extent;

public:
    // Returns a chunk, or null if the source has no page left. \a chunkSize is the bin's, needed to
    // prepare the bin at its first use. While orphans \a mayLend chunks, takes a page only if there
    // is no other chunk, never in advance.
    static void *allocate(ArenaBase &arena, Bin &bin, std::size_t chunkSize,
                          bool mayLend = false) noexcept
    {
        // An arena adopted a moment ago may have chunks in its magazine.
        if (void *chunk = bin.pop())
            return chunk;
        if (QPOOL_UNLIKELY(bin.capacity == 0))
            Sizes::watch(arena, bin, chunkSize);
        else if (arena.refusals == 0)
            Sizes::grow(arena, bin, bin.overflows > 0 ? Bin::MostCapacity : Bin::MiddleCapacity);
        bin.overflows = 0;

        refill(arena, bin);
        if (bin.held() == bin.capacity) // others free more than fits
            Sizes::grow(arena, bin, Bin::MostCapacity);
        // Top up even if something came back: otherwise, a single chunk that moves back and forth
        // would bring every allocation to the slow path.
        const std::uint32_t few = (Sizes::inlineCapacity(bin) + 1) / 2;
        if (QPOOL_LIKELY(!mayLend) || isWithinReserve(bin) || !needsPage(arena, bin)) {
            if constexpr (hardening == 2)
                fillQuarantine(arena, bin);
            else if (const std::uint32_t count = bin.held(); count < few)
                topUp(arena, bin, count > 0 ? few : Sizes::firstBatchOf(bin));
        }
        countSlowPath(arena, bin, bin.held());
        if (QPOOL_UNLIKELY(arena.passedBytes >= Tuning::PassedBytes))
            passedMuch(arena, bin);
        if (QPOOL_UNLIKELY(bin.held() == 0)) {
            // Out of memory: try again with what other classes hold free.
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
        countSlowPath(arena, bin, batch);
        if (bin.held() == bin.capacity)
            unload(arena, bin, batch);
        bin.push(chunk);
    }

    // For a thread that borrows from the arena: returns a chunk that needs no other page, or null.
    // The bin was used before.
    static void *allocateFromStock(ArenaBase &arena, Bin &bin) noexcept
    {
        if (void *chunk = bin.pop())
            return chunk;
        if (QPOOL_UNLIKELY(bin.capacity == 0))
            Sizes::watch(arena, bin, bin.chunkSize.load(std::memory_order_relaxed));
        refill(arena, bin);
        // Borrowed chunks pass through the quarantine too: otherwise a chunk just freed would be
        // handed out again.
        while (isWithinReserve(bin) && bin.pages) {
            const std::uint32_t held = bin.held();
            const std::uint32_t wanted = reserveOf(bin) + Sizes::batchOf(bin) - held;
            bin.load(std::int32_t(BinPages<Source>::take(arena, bin, bin.magazine + held, wanted)));
        }
        return bin.pop();
    }

    // Whether the next chunk takes a page from the source, other than one of the first pages: see
    // needsPage().
    static bool isGrowing(const ArenaBase &arena, const Bin &bin) noexcept
    {
        return isWithinReserve(bin) && !hasBacklog(bin) && needsPage(arena, bin);
    }

    // Takes in what other threads freed: fills the magazine, and gives the rest to the pages.
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

    // For a visitor: gives a part of the backlog to the pages. Returns the number of chunks.
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

    // takeBacklog() for all bins, if other threads freed anything since the last call.
    static void takeBacklogs(ArenaBase &arena) noexcept
    {
        if (!arena.takeBacklogNote())
            return;
        for (unsigned i = 0; Bin *bin = arena.usedBin(i); ++i) {
            if (!hasBacklog(*bin))
                continue;
            if (bin->capacity > 0)
                Sizes::grow(arena, *bin, Bin::MostCapacity);
            takeBacklog(arena, *bin);
        }
    }

    // Gives everything back to the pages, and the empty pages to the source, which decides whether
    // it keeps them.
    static void trim(ArenaBase &arena) noexcept
    {
        arena.takeBacklogNote();
        for (unsigned i = 0; Bin *bin = arena.usedBin(i); ++i)
            trim(arena, *bin);
        BinPages<Source>::releaseKept(arena);
        arena.releasedPages = 0;
        arena.returnedChunks = 0;
    }

    // Empties the magazines of classes that were not used since the last call, except \a used, and
    // stops watching these classes until they are used again. Returns whether there were any.
    static bool restUnused(ArenaBase &arena, const Bin *used = nullptr) noexcept
    {
        // These count a burst; the chunks that go back now are not part of one.
        const std::uint32_t releasedPages = arena.releasedPages;
        const std::uint32_t returnedChunks = arena.returnedChunks;
        bool found = false;
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

    // Whether trim() might release a page. When an allocation was refused, the arena had been
    // trimmed: all magazines were empty, and every page that could be released had been. So trim()
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

    static void trim(ArenaBase &arena, Bin &bin) noexcept
    {
        takeBacklog(arena, bin);
        const std::uint32_t count = bin.held();
        BinPages<Source>::giveAll(arena, bin, bin.magazine, count);
        bin.load(-std::int32_t(count));
        arena.returnedChunks += count;
        BinPages<Source>::releaseEmpty(arena, bin);
        bin.slowPaths = 0;
        bin.overflows = 0;
    }

    // takeBacklog() for an empty magazine, except that chunks without room in it stay as they are,
    // because they are needed next. The thread that pushed them has noted it or is about to, so the
    // next takeBacklogs() unpacks them all. In the child of a fork() between the push and the note,
    // that thread does not exist; hence the note below.
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
        // Before the arena grows, take in what other threads freed, for all classes. Otherwise, the
        // chunks of a program that never sleeps and now uses other sizes would stay in the
        // backlogs.
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

    // Twice, because one page may have fewer chunks than needed.
    static void fillQuarantine(ArenaBase &arena, Bin &bin) noexcept
    {
        for (int i = 0; i < 2 && bin.held() <= bin.quarantine(); ++i)
            topUp(arena, bin, bin.quarantine() + Sizes::batchOf(bin) - bin.held());
    }

    // Also counts the bytes passed on; this bounds what other classes hold in a thread that never
    // calls idle(), see Tuning::PassedBytes. What follows from the count is left to allocations, so
    // that no free takes long.
    static void countSlowPath(ArenaBase &arena, Bin &bin, std::uint32_t chunks) noexcept
    {
        if (bin.slowPaths < Tuning::SlowPathsUntilUsed)
            ++bin.slowPaths;
        const std::uint32_t bytes = chunks * bin.chunkSize.load(std::memory_order_relaxed);
        if (QPOOL_LIKELY(arena.passedBytes < Tuning::PassedBytes))
            arena.passedBytes += bytes;
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
        Source::releaseOverdue();
    }

    // Gives the newest \a count chunks of the magazine to the pages: giving links them, and the
    // newest are those still in the cache.
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
