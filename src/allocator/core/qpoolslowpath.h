// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSLOWPATH_H
#define QPOOLSLOWPATH_H

#include "qpoolintake.h"

namespace QPool {

template <class Source>
class Trim;

/*
    What happens when a magazine is empty or full: the way between it, the backlog and the pages.
    Chunks move by the batch: a load that swings by less than a magazine moves one batch to and
    fro at the most, a larger one comes here once a batch. Called by the arena's owner alone.
*/
template <class Source>
class SlowPath
{
    friend class Trim<Source>;

public:
    // A chunk, or null when the source has no page left. \a chunkSize is the bin's, needed to
    // prepare it at its first use.
    static void *allocate(ArenaBase &arena, Bin &bin, std::size_t chunkSize) noexcept
    {
        // An arena that was adopted a moment ago may have chunks in its magazine.
        if (void *chunk = bin.pop())
            return chunk;
        if (QPOOL_UNLIKELY(bin.capacity == 0))
            prepare(bin, chunkSize);
        else
            growMagazine(arena, bin, Bin::MiddleCapacity);

        refill(arena, bin);
        if (bin.held() == bin.capacity) // what others free comes in more than fits
            growMagazine(arena, bin, Bin::MostCapacity);
        // Topped up even when something came back: one chunk going to and fro would otherwise
        // bring every allocation here.
        constexpr std::uint32_t few = Bin::InlineCapacity / 2;
        if constexpr (hardening == 2)
            fillQuarantine(arena, bin);
        else if (const std::uint32_t count = bin.held(); count < few)
            topUp(arena, bin, count > 0 ? few : firstBatchOf(bin));
        countSlowPath(bin);
        if (QPOOL_UNLIKELY(bin.held() == 0)) {
            // Out of memory: what other classes hold free is worth another try.
            trim(arena);
            topUp(arena, bin, 1);
        }
        // Rather one that was free for less long than none.
        return hardening == 2 ? bin.popOldest(0) : bin.pop();
    }

    static void deallocate(ArenaBase &arena, Bin &bin, void *chunk) noexcept
    {
        growMagazine(arena, bin, Bin::MostCapacity);
        countSlowPath(bin);
        if (bin.held() == bin.capacity)
            unload(arena, bin, batchOf(bin));
        bin.push(chunk);
    }

    // Takes in what other threads freed: into the magazine as far as it fits, the rest to
    // the pages.
    static void takeBacklog(ArenaBase &arena, Bin &bin) noexcept
    {
        if (!hasBacklog(bin))
            return;
        Intake<Source> intake(arena, bin);
        intake.unpack(bin.parcels, true);
        intake.unpack(bin.backlog.takeParcels(), true);
        intake.take(bin.backlog.takeAll());
    }

    // The same for all bins, if anything was freed by others since the last look.
    static void takeBacklogs(ArenaBase &arena) noexcept
    {
        if (!arena.takeBacklogNote())
            return;
        for (unsigned i = 0; i < arena.binCount; ++i) {
            // What was never used nobody can have freed, and its lines need not be fetched.
            Bin &bin = arena.firstBin[i];
            if (bin.capacity == 0 || !hasBacklog(bin))
                continue;
            growMagazine(arena, bin, Bin::MostCapacity);
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

private:
    static bool hasBacklog(const Bin &bin) noexcept
    {
        return bin.parcels || !bin.backlog.isEmpty();
    }

    static void trim(ArenaBase &arena, Bin &bin) noexcept
    {
        if (bin.capacity == 0)
            return;
        takeBacklog(arena, bin);
        unload(arena, bin, bin.held());
        BinPages<Source>::releaseEmpty(arena, bin);
        bin.slowPaths = 0;
    }

    // Back to the few slots in the bin, until it is used a lot again; its larger magazine stays
    // for that. The bin's magazine is empty, and the bin no more in the arena's list.
    static void shrinkMagazine(Bin &bin) noexcept
    {
        bin.capacity = Bin::InlineCapacity;
    }

    // The same for an empty magazine, but parcels for which there is no room are kept as they
    // are: their chunks are needed next. Who pushed them has raised hasBacklog, or is about to,
    // so that the next takeBacklogs() unpacks them all; in the child of a fork() that came
    // between the two there is nobody to do so.
    static void refill(ArenaBase &arena, Bin &bin) noexcept
    {
        Intake<Source> intake(arena, bin);
        intake.unpack(bin.parcels, false);
        if (!bin.parcels)
            intake.unpack(bin.backlog.takeParcels(), false);
        intake.take(bin.backlog.takeAll());
        if (QPOOL_UNLIKELY(bin.parcels && !arena.hasBacklog.load(std::memory_order_relaxed)))
            arena.noteBacklog();
    }

    static void topUp(ArenaBase &arena, Bin &bin, std::uint32_t wanted) noexcept
    {
        // Before the arena grows it takes in what others freed, of all classes: a program that
        // never sleeps and moved on to other sizes would otherwise leave it where it is.
        if (!bin.pages)
            takeBacklogs(arena);
        const std::uint32_t count = bin.held();
        if (count + wanted <= bin.capacity) {
            const std::uint32_t more = BinPages<Source>::take(arena, bin, bin.magazine + count, wanted);
            bin.load(std::int32_t(more));
        }
    }

    // Twice, for a page may have less than is wanted.
    static void fillQuarantine(ArenaBase &arena, Bin &bin) noexcept
    {
        for (int i = 0; i < 2 && bin.held() <= bin.quarantine(); ++i)
            topUp(arena, bin, bin.quarantine() + batchOf(bin) - bin.held());
    }

    static void prepare(Bin &bin, std::size_t chunkSize) noexcept
    {
        bin.chunkSize.store(std::uint32_t(chunkSize), std::memory_order_relaxed);
        bin.magazine = bin.inlineSlots;
        bin.capacity = Bin::InlineCapacity;
    }

    // How many chunks go to and fro at once: 8 KiB of them, but no fewer than 16, and no more than
    // 64 or a half of the magazine.
    static std::uint32_t batchOf(const Bin &bin) noexcept
    {
        constexpr std::uint32_t bytes = 8 * 1024;
        constexpr std::uint32_t least = 16;
        constexpr std::uint32_t most = 64;
        std::uint32_t count = bytes / bin.chunkSize.load(std::memory_order_relaxed);
        if (count > most)
            count = most;
        if (count < least)
            count = least;
        return count < bin.capacity / 2 ? count : bin.capacity / 2;
    }

    // The same for allocations, which begin with few: a thread that allocates one chunk and ends
    // would otherwise fetch dozens and bring them back.
    static std::uint32_t firstBatchOf(const Bin &bin) noexcept
    {
        const std::uint32_t batch = batchOf(bin);
        const std::uint32_t soFar = 4u << bin.slowPaths;
        return soFar < batch ? soFar : batch;
    }

    static constexpr unsigned Patience = 4;

    static void countSlowPath(Bin &bin) noexcept
    {
        if (bin.slowPaths < Patience)
            ++bin.slowPaths;
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

    // A class that is used gets a magazine for 128 chunks: as long as chunks are only fetched, it
    // holds one batch. One whose load swings by more gets one for 128 KiB, 1024 chunks at most; the
    // other is lost then. The many classes that are used a little make do with the few slots in the
    // bin. A refusal is no failure.
    static void growMagazine(ArenaBase &arena, Bin &bin, std::uint32_t wanted) noexcept
    {
        if constexpr (Source::GrowsMagazines) {
            if constexpr (hardening == 2) {
                // At once, and no further: it is a queue, in which all that wait move up.
                if (wanted > Bin::MiddleCapacity)
                    wanted = Bin::MiddleCapacity;
            }
            if (bin.capacity >= wanted || (hardening != 2 && bin.slowPaths < Patience))
                return;
            const std::uint32_t fit = 128 * 1024 / bin.chunkSize.load(std::memory_order_relaxed);
            const std::uint32_t capacity = fit < wanted ? fit : wanted;
            if (capacity <= bin.capacity)
                return;
            if (capacity > bin.places && !enlarge(bin, capacity))
                return;
            if (bin.capacity == Bin::InlineCapacity) {
                bin.nextLarge = arena.largeBins;
                arena.largeBins = &bin;
            }
            bin.capacity = capacity;
        }
    }

    static bool enlarge(Bin &bin, std::uint32_t capacity) noexcept
    {
        auto **places = static_cast<void **>(Source::allocateMetadata(capacity * sizeof(void *)));
        if (!places)
            return false;
        const std::uint32_t held = bin.held();
        for (std::uint32_t i = 0; i < held; ++i)
            places[i] = bin.magazine[i];
        bin.magazine = places;
        bin.places = std::uint16_t(capacity);
        return true;
    }
};

} // namespace QPool

#endif // QPOOLSLOWPATH_H
