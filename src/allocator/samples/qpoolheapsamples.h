// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLHEAPSAMPLES_H
#define QPOOLHEAPSAMPLES_H

#include "../os/qpoolcopies.h"
#include "../os/qpoolmutex.h"
#include "qpoolsamplerecords.h"

QPOOL_BEGIN_NAMESPACE

struct HeapSamplesState
{
    // Bytes between two samples in the mean; 0 while none are taken. The control word: a tool may write it from
    // outside at any time, so it is read once for each decision. Relaxed, because nothing else is ordered by it.
    std::atomic<std::size_t> interval { 0 };
    // The seed of all draws, and how many there were. Relaxed: a draw only needs a place of its own.
    std::atomic<std::uint64_t> seed { 0 };
    std::atomic<std::uint64_t> draws { 0 };
    // Null until the first sample, then constant.
    std::atomic<SampleRecords *> records { nullptr };
    // Samples that are not in use, by their links; 0: none. Whoever frees a sampled block pushes; only the holder of
    // the lock pops. So what was popped can't be pushed again while another pop is half done, and the list needs no
    // counter against ABA. A push releases and a pop acquires the record.
    std::atomic<std::uint32_t> freeSamples { 0 };

    // For readers; written with the lock held.
    std::atomic<std::uint64_t> missed { 0 }; // samples for which there was no record
    std::atomic<std::uint64_t> folded { 0 }; // stacks whose record was given to another one

    // Guards all that follows, the index, and all fields of records that are not atomic: those of a sample until its
    // block is handed out, afterwards they are constant until it is freed. A thread that holds it takes no other.
    Mutex lock;
    std::uint64_t taken = 0; // samples
    std::uint32_t freshSample = 1; // the first that was never used
    std::uint32_t freshStack = 1;
    std::uint32_t freeStacks = 0; // by their links
    std::uint64_t foldAt = 0; // the number of the sample from which on it may help again
    std::uint64_t retryAt = 0; // there was no memory for the records; the number of the sample that asks again
    bool survivesFork = false;
};

/*
    Call stacks of sampled allocations: every byte that is allocated is a sample's with the same small probability,
    independent of all others, and a block is sampled if one of its bytes is. So what samples stand for is right in
    the mean for each stack, whatever its sizes. (J. Evans's and Google's heap profilers do the same, and say so.)

    Here is what a sample is and what is kept of it. When one is due, core/qpoolsampledbins.h decides for chunks.
    Any thread may call the functions. None allocates from a pool, and the stack is walked without a lock.
*/
class HeapSamples
{
public:
    static constexpr std::size_t DefaultInterval = 512 * 1024;
    static constexpr std::size_t MostInterval = 1 << 30; // what is computed for longer ones is not exact

    HeapSamples() = delete;

    // 0 while sampling is off.
    QPOOL_ALWAYS_INLINE static std::size_t interval() noexcept
    {
        const std::size_t interval = state().interval.load(std::memory_order_relaxed);
        return interval < MostInterval ? interval : MostInterval;
    }
    static void setInterval(std::size_t bytes) noexcept
    {
        state().interval.store(bytes, std::memory_order_relaxed);
    }
    // For tests: the draws after this are always the same.
    static void setSeed(std::uint64_t seed) noexcept;

    // How many blocks of \a size bytes are allocated until the next that is sampled.
    static std::uint32_t blocksUntilSample(std::size_t size, std::size_t interval) noexcept;
    // Whether this one is.
    static bool isDue(std::size_t size, std::size_t interval) noexcept;

    // Records a block that is sampled, with the caller's stack, before its address is known. Returns a mark, by
    // which end() finds the record; 0 if there is no room.
    static std::uint32_t begin(std::size_t size, std::size_t interval) noexcept;
    static void setAddress(std::uint32_t mark, const void *block) noexcept;
    // The block was freed, by any thread. Takes no lock, so that signal handlers may.
    static void end(std::uint32_t mark) noexcept;

    // As SystemPages' function of this name.
    static void surviveFork() noexcept;

    static HeapSamplesState &state() noexcept { return OnePerProcess<HeapSamplesState>::value; }

private:
    static SampleRecords *records() noexcept;
    static std::uint32_t takeSample(SampleRecords &records) noexcept;
    static std::uint32_t stackOf(SampleRecords &records, const std::uintptr_t *frames, std::uint32_t depth) noexcept;
    static std::uint32_t takeStack(SampleRecords &records) noexcept;
    static void fold(SampleRecords &records) noexcept;
};

// Instantiated once, in the library.
extern template struct OnePerProcess<HeapSamplesState>;

QPOOL_END_NAMESPACE

#endif // QPOOLHEAPSAMPLES_H
