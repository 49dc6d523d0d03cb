// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SAMPLEDPOOL_H
#define SAMPLEDPOOL_H

#include "pool/qpoolallocator.h"
#include "qpoolheapclasses.h"
#include "samples/qpoolsamplemath.h"
#include "stats/qpoolpublishedpages.h"

#include <gtest/gtest.h>

// A pool whose allocations may be sampled, with the classes of malloc() and blocks above them.
struct SampledLayout
{
    static constexpr unsigned BinCount = QPool::HeapClasses::Count;
    static constexpr std::size_t chunkSize(unsigned bin) noexcept { return QPool::HeapClasses::sizeOf(bin); }
    static bool isDisabled() noexcept { return false; }
};
using Sampled = QPool::PoolFront<SampledLayout, QPool::MultiThreaded, QPool::PublishedPages>;

// Not in line, so that the functions that call it are short.
__attribute__((noinline)) inline void *allocate(std::size_t size)
{
    if (size <= QPool::HeapClasses::MaxSize)
        return Sampled::allocate(QPool::HeapClasses::indexOf(size));
    bool isZero;
    return Sampled::allocateBlock(size, 16, &isZero);
}

inline void deallocate(void *block)
{
    ASSERT_TRUE(Sampled::deallocateIfOwned(block));
}

inline bool isSampled(void *block)
{
    const QPool::PageHeader *header = QPool::PublishedPages::findHeader(block);
    return QPool::PublishedPages::isBlock(header) && header->used != 0;
}

// The sums of all stacks, or of those with a return address in a function.
struct Sums
{
    double objects = 0;
    double bytes = 0;
    std::uint64_t samples = 0;
};

inline Sums sumsOf(QPool::SampleSum QPool::StackRecord::*which, const void *function = nullptr)
{
    constexpr std::uintptr_t most = 32; // bytes of a function that only calls another one
    Sums sums;
    const auto &state = QPool::HeapSamples::state();
    const QPool::SampleRecords *records = state.records;
    for (std::uint32_t i = 0; records && i < state.freshStack; ++i) {
        const QPool::StackRecord &record = records->stacks[i];
        bool wanted = !function;
        for (std::uint32_t frame = 0; frame < record.depth && !wanted; ++frame)
            wanted = record.frames[frame] - reinterpret_cast<std::uintptr_t>(function) < most;
        if (!wanted || (i > 0 && record.hash == 0))
            continue;
        sums.samples += (record.*which).samples;
        sums.objects += double((record.*which).objects) / QPool::SampleSum::ObjectParts;
        sums.bytes += double((record.*which).bytes);
    }
    return sums;
}
inline Sums allocated(const void *function = nullptr) { return sumsOf(&QPool::StackRecord::allocated, function); }
inline Sums inUse(const void *function = nullptr) { return sumsOf(&QPool::StackRecord::inUse, function); }

// Nothing else in the process is sampled: malloc() is the C library's.
class SampledTest : public testing::Test
{
protected:
    void SetUp() override
    {
        if (!QPool::PublishedPages::HasSamples)
            GTEST_SKIP() << "there are no samples here";
        QPool::HeapSamples::setSeed(1);
    }
    void TearDown() override { QPool::HeapSamples::setInterval(0); }
};

#endif // SAMPLEDPOOL_H
