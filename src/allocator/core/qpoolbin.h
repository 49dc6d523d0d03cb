// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLBIN_H
#define QPOOLBIN_H

#include "qpoolbacklog.h"

#include <atomic>

namespace QPool {

struct PageHeader;

/*
    One size class of one arena. In front stand two magazines, arrays of free chunks (J. Bonwick
    and J. Adams, "Magazines and Vmem", USENIX 2001): allocations are served from one, frees go
    to the other, and they change places when the first runs empty. So neither side touches a
    chunk, and every chunk that is allocated was loaded once: the cumulative counts follow from
    what is loaded and unloaded, and the fast paths count nothing.

    All but the backlog is the owner's. What statistics read from other threads is atomic, and
    always relaxed: the figures are exact when the owner is quiet. Counts are words, so that small
    machines need no library for their atomics; on 32 bits they wrap.

    All zero is a valid, empty bin; the first allocation prepares it.
*/
struct alignas(CacheLineSize) Bin
{
    static constexpr std::uint32_t InlineCapacity = 16;

    // The first cache line holds what the fast paths need.
    std::atomic<std::uint32_t> allocCount { 0 };
    std::atomic<std::uint32_t> freeCount { 0 };
    std::uint32_t capacity = 0; // of either magazine
    std::atomic<std::uint32_t> chunkSize { 0 };
    void **allocSlots = nullptr;
    void **freeSlots = nullptr;
    PageHeader *pages = nullptr; // those with chunks left to hand out
    std::atomic<std::size_t> loaded { 0 }; // chunks that came into the allocation magazine
    std::atomic<std::size_t> unloaded { 0 }; // chunks that left the free magazine
    std::uint32_t slowPaths = 0; // how often the inline magazines were too small

    // The line that other threads write to.
    alignas(CacheLineSize) Backlog backlog;

    alignas(CacheLineSize) void *inlineSlots[2 * InlineCapacity] = {};

    QPOOL_ALWAYS_INLINE void *pop() noexcept
    {
        const std::uint32_t count = allocCount.load(std::memory_order_relaxed);
        if (QPOOL_UNLIKELY(count == 0))
            return nullptr;
        allocCount.store(count - 1, std::memory_order_relaxed);
        void *chunk = allocSlots[count - 1];
        // So that callers, who test for null, are compiled to one test and not two.
        QPOOL_ASSUME(chunk != nullptr);
        return chunk;
    }

    QPOOL_ALWAYS_INLINE bool push(void *chunk) noexcept
    {
        const std::uint32_t count = freeCount.load(std::memory_order_relaxed);
        if (QPOOL_UNLIKELY(count == capacity))
            return false;
        freeSlots[count] = chunk;
        freeCount.store(count + 1, std::memory_order_relaxed);
        return true;
    }

    static void add(std::atomic<std::size_t> &counter, std::size_t value) noexcept
    {
        counter.store(counter.load(std::memory_order_relaxed) + value, std::memory_order_relaxed);
    }

    // Only with an empty allocation magazine.
    void swapMagazines() noexcept
    {
        void **magazine = allocSlots;
        allocSlots = freeSlots;
        freeSlots = magazine;
        const std::uint32_t count = freeCount.load(std::memory_order_relaxed);
        add(unloaded, count);
        add(loaded, count);
        freeCount.store(0, std::memory_order_relaxed);
        allocCount.store(count, std::memory_order_relaxed);
    }
};

} // namespace QPool

#endif // QPOOLBIN_H
