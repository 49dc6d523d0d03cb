// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLMAGAZINE_H
#define QPOOLMAGAZINE_H

#include "qpoolarena.h"
#include "qpooltuning.h"

QPOOL_BEGIN_NAMESPACE

// The capacity of the magazines of an arena's bins, and which of them may hold chunks.
template <class Source>
struct Magazine
{
    // Called before an allocation refills the magazine: watches the bin, or enlarges a magazine that
    // was often too small, unless memory was refused.
    static void prepare(ArenaBase &arena, Bin &bin, std::size_t chunkSize) noexcept
    {
        if (QPOOL_UNLIKELY(bin.capacity == 0))
            watch(arena, bin, chunkSize);
        else if (arena.refusals == 0)
            grow(arena, bin, bin.overflows > 0 ? Bin::MostCapacity : Bin::MiddleCapacity);
        bin.overflows = 0;
    }

    // Before a bin's magazine holds chunks, the bin joins its arena's list of watched bins, so that
    // its chunks are put back when the class is no longer used. A bin is not in the list before
    // its first use, nor after its chunks were put back for lack of use. Its capacity is 0 then,
    // so that its next use takes the slow path to here.
    static void watch(ArenaBase &arena, Bin &bin, std::size_t chunkSize) noexcept
    {
        bin.chunkSize.store(std::uint32_t(chunkSize), std::memory_order_relaxed);
        arena.noteUsed(bin);
        if (!bin.magazine)
            bin.magazine = bin.inlineSlots;
        bin.capacity = inlineCapacity(bin);
        // Insert behind bins with larger magazines.
        Bin **place = &arena.watchedBins;
        while (*place && isLarge(**place))
            place = &(*place)->nextWatched;
        bin.nextWatched = *place;
        *place = &bin;
    }

    static std::uint32_t inlineCapacity(const Bin &bin) noexcept
    {
        const std::uint32_t fit = Bin::InlineBytes / bin.chunkSize.load(std::memory_order_relaxed);
        return fit >= Bin::InlineCapacity ? std::uint32_t(Bin::InlineCapacity) : fit > 0 ? fit : 1;
    }

    static bool isLarge(const Bin &bin) noexcept { return bin.capacity > inlineCapacity(bin); }

    // How many chunks move between the magazine and the pages at once; at most half of the
    // magazine, rounded up.
    static std::uint32_t batchOf(const Bin &bin) noexcept
    {
        std::uint32_t count = Tuning::BatchBytes / bin.chunkSize.load(std::memory_order_relaxed);
        if (count > Tuning::MostInBatch)
            count = Tuning::MostInBatch;
        if (count < Tuning::FewestInBatch)
            count = Tuning::FewestInBatch;
        const std::uint32_t half = (bin.capacity + 1) / 2;
        return count < half ? count : half;
    }

    // The same for allocations, which begin with few chunks: a thread that allocates one chunk and
    // ends would otherwise fetch dozens and put them back.
    static std::uint32_t firstBatchOf(const Bin &bin) noexcept
    {
        return atFirst(bin, batchOf(bin));
    }

    static std::uint32_t atFirst(const Bin &bin, std::uint32_t most) noexcept
    {
        const std::uint32_t soFar = 4u << bin.slowPaths;
        return soFar < most ? soFar : most;
    }

    static void countSlowPath(Bin &bin) noexcept
    {
        if (bin.slowPaths < Tuning::SlowPathsUntilUsed)
            ++bin.slowPaths;
    }

    // The same for frees, which begin with few chunks, too: putting one back accesses it and the
    // header of its page, which may both be in no cache, and no single free should take long. As
    // long as chunks are only freed, their number doubles. At level 2 overflows are not counted.
    static std::uint32_t freedBatchOf(const Bin &bin) noexcept
    {
        const std::uint32_t batch = batchOf(bin);
        if constexpr (hardening == 2)
            return batch;
        const std::uint32_t soFar = 2u << bin.overflows;
        return soFar < batch ? soFar : batch;
    }

    // A class in use gets a magazine for 128 chunks; as long as chunks are only fetched, it holds
    // one batch. A class whose load varies by more gets a magazine of 128 KiB, at most 1024 chunks,
    // in two steps of one page of the system each; the memory of the smaller one is lost then. The
    // many classes that are used only a little keep the inline slots of the bin. If there is no
    // memory, the magazine stays as it is.
    static void grow(ArenaBase &arena, Bin &bin, std::uint32_t wanted) noexcept
    {
        if constexpr (Source::GrowsMagazines) {
            if constexpr (hardening == 2) {
                // Grow at once, but only this far: the magazine is a queue, in which every pop
                // moves all the others.
                if (wanted > Bin::MiddleCapacity)
                    wanted = Bin::MiddleCapacity;
            }
            if (bin.capacity >= wanted || (hardening != 2 && bin.slowPaths < Tuning::SlowPathsUntilUsed))
                return;
            const std::uint32_t fit = Tuning::MagazineBytes / bin.chunkSize.load(std::memory_order_relaxed);
            const std::uint32_t places = fit < wanted ? fit : wanted;
            std::uint32_t capacity = places;
            if (places > bin.places && places > Bin::LargeCapacity && bin.capacity < Bin::LargeCapacity)
                capacity = Bin::LargeCapacity; // a new array is accessed page by page
            if (capacity <= bin.capacity)
                return;
            if (capacity > Bin::InlineCapacity) {
                if (places > bin.places && !enlarge(bin, places))
                    return;
                // The page fault is part of this call, not of a free later.
                const bool isSecondStep = bin.capacity >= Bin::LargeCapacity;
                bin.magazine[isSecondStep ? Bin::LargeCapacity : bin.held()] = nullptr;
            }
            if (!isLarge(bin)) {
                Bin **place = &arena.watchedBins;
                while (*place != &bin)
                    place = &(*place)->nextWatched;
                *place = bin.nextWatched;
                bin.nextWatched = arena.watchedBins;
                arena.watchedBins = &bin;
            }
            bin.capacity = capacity;
        }
    }

    // A free that finds the magazine full does not enlarge it: the page faults of the new array
    // would make it many times as expensive as any other free. The next allocation that finds it
    // empty does. At level 2 the magazine is also the quarantine, which should be large at once.
    static void noteOverflow(ArenaBase &arena, Bin &bin) noexcept
    {
        if constexpr (hardening == 2)
            grow(arena, bin, Bin::MostCapacity);
        else if (bin.slowPaths >= Tuning::SlowPathsUntilUsed && bin.overflows < Tuning::MostOverflows)
            ++bin.overflows;
    }

private:
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

QPOOL_END_NAMESPACE

#endif // QPOOLMAGAZINE_H
