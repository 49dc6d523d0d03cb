// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSAMPLEDBINS_H
#define QPOOLSAMPLEDBINS_H

#include "qpooltrim.h"

QPOOL_BEGIN_NAMESPACE

/*
    The bins of an arena while allocations are sampled: see HeapSamples. Nothing is counted on the fast path. Instead,
    the magazine never holds more chunks than may be handed out until the next one that is sampled, which therefore
    takes the slow path to here. It is not a chunk: it gets pages of the source for itself, by which any thread that
    frees it finds the record.

    What is freed must not prolong the way to the next sample. So the capacity of a sampled bin is 0: frees take the
    slow path, too, and go into the pages, while allocations still find what the magazine holds.

    An arena takes part, or ceases to, with its next slow path, or when its thread goes to sleep: a bin with the
    capacity 0 and an empty magazine is one that is not watched.

    Where the next sample is due is a number of popped chunks, right whatever goes back into the pages. Each bin's way
    is drawn by itself, and may be drawn anew at any time that does not depend on it. Only the owner calls these.
*/
template <class Source>
class SampledBins
{
public:
    // To be called by each slow path: whether the arena is sampled, from now on.
    static bool follow(ArenaBase &arena) noexcept
    {
        const std::size_t interval = Source::samplingInterval();
        if (QPOOL_UNLIKELY(interval != arena.sampledEvery))
            change(arena, interval);
        return interval != 0;
    }

    QPOOL_NEVER_INLINE static void *allocate(ArenaBase &arena, Bin &bin, std::size_t chunkSize) noexcept
    {
        prepare(arena, bin, chunkSize);
        if (bin.hasBacklog())
            BacklogDrain<Source>::take(arena, bin, BacklogDrain<Source>::Extent::All);
        Trim<Source>::atWork(arena);
        if (untilSample(bin) <= 0) {
            if (void *block = Source::allocateSample(chunkSize, arena.sampledEvery)) {
                bin.level.countPopped();
                drawNext(arena, bin);
                return block;
            }
            // No room: a chunk like any other, then the way to the next.
            drawNext(arena, bin);
            ++bin.lastSeen;
        }
        if (!bin.pages)
            BacklogDrain<Source>::takeAll(arena);
        refill(arena, bin);
        if (QPOOL_UNLIKELY(bin.held() == 0)) {
            Trim<Source>::now(arena);
            refill(arena, bin);
        }
        if (QPOOL_UNLIKELY(bin.held() == 0)) {
            ++arena.refusals;
            return nullptr;
        }
        arena.refusals = 0;
        arena.sampledHold = true;
        return bin.pop();
    }

    // As PageChunks::put(), unless the page was full or becomes empty; returns whether it did. Without a guard: the
    // fences, which would cost all others there, leave the child of a fork() by a signal handler a whole list, with at
    // most one chunk more than is counted. That of another thread's fork() may have lost the link: `changes` tell it.
    QPOOL_ALWAYS_INLINE static bool tryDeallocate(PageHeader &page, FreeChunk *chunk) noexcept
    {
        ArenaBase &arena = *page.owner;
        if (arena.sampledEvery == 0 || page.used == page.capacity || page.used <= 1)
            return false;
        arena.beginSlowPath();
        Link::set(chunk, page.free);
        std::atomic_signal_fence(std::memory_order_release);
        page.free = chunk;
        std::atomic_signal_fence(std::memory_order_release);
        --page.used;
        ++page.cameBack;
        countReturned(arena, *page.bin);
        arena.endSlowPath();
        return true;
    }

    static void deallocate(ArenaBase &arena, Bin &bin, PageHeader &page, FreeChunk *chunk) noexcept
    {
        Supply<Source>::put(arena, bin, page, chunk);
        countReturned(arena, bin);
        Source::giveBackDue();
    }

private:
    QPOOL_ALWAYS_INLINE static void countReturned(ArenaBase &arena, Bin &bin) noexcept
    {
        bin.loaded.store(bin.loaded.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
        ++arena.returnedChunks;
    }

    QPOOL_NEVER_INLINE static void change(ArenaBase &arena, std::size_t interval) noexcept
    {
        arena.sampledEvery = interval;
        for (unsigned i = 0; Bin *bin = arena.usedBin(i); ++i) {
            Trim<Source>::emptyBin(arena, *bin);
            bin->capacity = 0;
            if (interval != 0)
                drawNext(arena, *bin);
        }
        arena.watchedBins = nullptr;
        arena.sampledHold = false;
    }

    static void prepare(ArenaBase &arena, Bin &bin, std::size_t chunkSize) noexcept
    {
        if (QPOOL_LIKELY(bin.magazine))
            return;
        bin.chunkSize.store(std::uint32_t(chunkSize), std::memory_order_relaxed);
        arena.noteUsed(bin);
        bin.magazine = bin.inlineSlots;
        drawNext(arena, bin);
    }

    static std::uint32_t poppedFrom(const Bin &bin) noexcept { return std::uint32_t(bin.level.load().popped()); }
    static std::int32_t untilSample(const Bin &bin) noexcept { return std::int32_t(bin.lastSeen - poppedFrom(bin)); }
    static void drawNext(const ArenaBase &arena, Bin &bin) noexcept
    {
        const std::size_t size = bin.chunkSize.load(std::memory_order_relaxed);
        bin.lastSeen = poppedFrom(bin) + Source::blocksUntilSample(size, arena.sampledEvery);
    }

    // Called with some way left: the magazine gets no more chunks than that.
    static void refill(ArenaBase &arena, Bin &bin) noexcept
    {
        bin.capacity = Magazine<Source>::inlineCapacity(bin); // there is room for it
        const std::uint32_t batch = Magazine<Source>::atFirst(bin, bin.capacity);
        const auto left = std::uint32_t(untilSample(bin));
        Supply<Source>::fill(arena, bin, left < batch ? left : batch);
        bin.capacity = 0;
        Magazine<Source>::countSlowPath(bin);
    }
};

QPOOL_END_NAMESPACE

#endif // QPOOLSAMPLEDBINS_H
