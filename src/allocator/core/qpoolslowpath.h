// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSLOWPATH_H
#define QPOOLSLOWPATH_H

#include "qpoolbinpages.h"

namespace QPool {

/*
    What happens when a magazine is empty or full: the way between the magazines, the backlog
    and the pages. Called by the arena's owner alone.
*/
template <class Source>
class SlowPath
{
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
            growMagazines(bin);

        bin.swapMagazines();
        takeBacklog(arena, bin);
        // Topped up even when something came back: one chunk going to and fro would otherwise
        // bring every allocation here.
        const std::uint32_t count = bin.allocCount.load(std::memory_order_relaxed);
        if (count < Bin::InlineCapacity / 2)
            topUp(arena, bin, count > 0 ? Bin::InlineCapacity / 2 : bin.capacity);
        if (QPOOL_UNLIKELY(bin.allocCount.load(std::memory_order_relaxed) == 0)) {
            // Out of memory: what other classes hold free is worth another try.
            trim(arena);
            topUp(arena, bin, 1);
        }
        return bin.pop();
    }

    static void deallocate(ArenaBase &arena, Bin &bin, void *chunk) noexcept
    {
        growMagazines(bin);
        if (bin.allocCount.load(std::memory_order_relaxed) == 0)
            bin.swapMagazines();
        else if (bin.freeCount.load(std::memory_order_relaxed) == bin.capacity)
            emptyFreeMagazine(arena, bin);
        bin.push(chunk);
    }

    // Takes in what other threads freed: into the allocation magazine as far as it fits, the
    // rest to the pages.
    static void takeBacklog(ArenaBase &arena, Bin &bin) noexcept
    {
        FreeChunk *chunk = bin.backlog.takeAll();
        if (!chunk)
            return;
        std::uint32_t taken = 0;
        std::uint32_t count = bin.allocCount.load(std::memory_order_relaxed);
        const std::uint32_t before = count;
        while (chunk) {
            if constexpr (hardened)
                Checks<Source>::following(chunk, bin, arena.model);
            FreeChunk *next = Link::next(chunk);
            if (count < bin.capacity) {
                if constexpr (hardened)
                    Link::set(chunk, nullptr);
                bin.allocSlots[count++] = chunk;
            } else {
                BinPages<Source>::give(arena, bin, chunk);
            }
            ++taken;
            chunk = next;
        }
        load(bin, count - before);
        arena.returnedChunks += taken - (count - before);
        bin.backlog.countTaken(taken);
    }

    // The same for all bins, if anything was freed by others since the last look.
    static void takeBacklogs(ArenaBase &arena) noexcept
    {
        if (!arena.takeBacklogNote())
            return;
        for (unsigned i = 0; i < arena.binCount; ++i)
            takeBacklog(arena, arena.firstBin[i]);
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
    static void trim(ArenaBase &arena, Bin &bin) noexcept
    {
        if (bin.capacity == 0)
            return;
        takeBacklog(arena, bin);
        emptyFreeMagazine(arena, bin);
        std::uint32_t count = bin.allocCount.load(std::memory_order_relaxed);
        // These were loaded and never allocated.
        Bin::add(bin.loaded, -std::size_t(count));
        bin.allocCount.store(0, std::memory_order_relaxed);
        while (count > 0)
            BinPages<Source>::give(arena, bin, static_cast<FreeChunk *>(bin.allocSlots[--count]));
        BinPages<Source>::releaseEmpty(arena, bin);
    }

    static void topUp(ArenaBase &arena, Bin &bin, std::uint32_t wanted) noexcept
    {
        // Before the arena grows it takes in what others freed, of all classes: a program that
        // never sleeps and moved on to other sizes would otherwise leave it where it is.
        if (!bin.pages)
            takeBacklogs(arena);
        const std::uint32_t count = bin.allocCount.load(std::memory_order_relaxed);
        if (count + wanted <= bin.capacity)
            load(bin, BinPages<Source>::take(arena, bin, bin.allocSlots + count, wanted));
    }

    static void prepare(Bin &bin, std::size_t chunkSize) noexcept
    {
        bin.chunkSize.store(std::uint32_t(chunkSize), std::memory_order_relaxed);
        bin.allocSlots = bin.inlineSlots;
        bin.freeSlots = bin.inlineSlots + Bin::InlineCapacity;
        bin.capacity = Bin::InlineCapacity;
    }

    static void load(Bin &bin, std::uint32_t more) noexcept
    {
        bin.allocCount.store(bin.allocCount.load(std::memory_order_relaxed) + more,
                             std::memory_order_relaxed);
        Bin::add(bin.loaded, more);
    }

    static void emptyFreeMagazine(ArenaBase &arena, Bin &bin) noexcept
    {
        std::uint32_t count = bin.freeCount.load(std::memory_order_relaxed);
        Bin::add(bin.unloaded, count);
        bin.freeCount.store(0, std::memory_order_relaxed);
        arena.returnedChunks += count;
        while (count > 0)
            BinPages<Source>::give(arena, bin, static_cast<FreeChunk *>(bin.freeSlots[--count]));
    }

    // A class that is used a lot gets magazines for 32 KiB of chunks, 512 at most; the many
    // that are used a little make do with the few slots in the bin. A refusal is no failure.
    static void growMagazines(Bin &bin) noexcept
    {
        if constexpr (Source::GrowsMagazines) {
            constexpr std::uint32_t patience = 4;
            if (bin.capacity > Bin::InlineCapacity || ++bin.slowPaths < patience)
                return;
            bin.slowPaths = 0;
            const std::uint32_t size = bin.chunkSize.load(std::memory_order_relaxed);
            std::uint32_t capacity = 32 * 1024 / size;
            if (capacity > 512)
                capacity = 512;
            if (capacity <= Bin::InlineCapacity)
                return;
            auto **places = static_cast<void **>(
                    Source::allocateMetadata(2 * capacity * sizeof(void *)));
            if (!places)
                return;
            for (std::uint32_t i = 0; i < Bin::InlineCapacity; ++i) {
                places[i] = bin.allocSlots[i];
                places[capacity + i] = bin.freeSlots[i];
            }
            bin.allocSlots = places;
            bin.freeSlots = places + capacity;
            bin.capacity = capacity;
        }
    }
};

} // namespace QPool

#endif // QPOOLSLOWPATH_H
