// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// What samples say against what was allocated, at known sites, of known sizes and lifetimes. A block of s bytes is
// sampled with the probability p = 1 - exp(-s/T) and then stands for s/p bytes. So the sum over n blocks has the mean
// ns and the variance n s^2 (1-p)/p. The seeds are fixed: a test that passes always passes.

#include "sampledpool.h"

#include <cmath>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t Interval = 64 * 1024;

double deviation(double blocks, std::size_t size)
{
    const double p = -std::expm1(-double(size) / Interval);
    return double(size) * std::sqrt(blocks * (1 - p) / p);
}

// How far the estimate is from the truth, in standard deviations; by a byte in rounding a block, too.
double errorOf(const Sums &estimate, const Sums &before, std::size_t blocks, std::size_t size)
{
    const double sigma = deviation(double(blocks), size) + double(estimate.samples - before.samples);
    const double error = (estimate.bytes - before.bytes - double(blocks) * double(size)) / sigma;
    const double objects = (estimate.objects - before.objects - double(blocks)) * double(size) / sigma;
    EXPECT_NEAR(error, objects, 0.1);
    return error;
}

__attribute__((noinline, aligned(256))) void *firstSite(std::size_t size)
{
    void *block = allocate(size);
    asm volatile("" : : "r"(block) : "memory"); // no tail call: the function is on the stack
    return block;
}
__attribute__((noinline, aligned(256))) void *secondSite(std::size_t size)
{
    void *block = allocate(size);
    asm volatile("nop" : : "r"(block) : "memory");
    return block;
}

std::size_t sizeOf(std::size_t size)
{
    return size <= QPool::HeapClasses::MaxSize ? QPool::HeapClasses::sizeOf(QPool::HeapClasses::indexOf(size)) : size;
}

} // namespace

class SampleEstimates : public SampledTest, public testing::WithParamInterface<std::size_t>
{
};

TEST_P(SampleEstimates, areRightInTheMean)
{
    const std::size_t size = sizeOf(GetParam());
    const std::size_t count = std::min<std::size_t>(40000, 64 * 1024 * 1024 / size);
    constexpr int seeds = 16;
    QPool::HeapSamples::setSeed(size);
    QPool::HeapSamples::setInterval(Interval);
    double allocations = 0;
    double live = 0;
    for (int seed = 0; seed < seeds; ++seed) {
        const auto first = reinterpret_cast<const void *>(&firstSite);
        const Sums allocatedBefore = allocated(first);
        const Sums inUseBefore = inUse(first);
        std::vector<void *> kept;
        for (std::size_t i = 0; i < count; ++i) {
            void *block = firstSite(size);
            if (i % 4 == 0)
                kept.push_back(block);
            else
                deallocate(block);
        }
        const double error = errorOf(allocated(first), allocatedBefore, count, size);
        const double errorInUse = errorOf(inUse(first), inUseBefore, kept.size(), size);
        EXPECT_LT(std::abs(error), 5);
        EXPECT_LT(std::abs(errorInUse), 5);
        allocations += error;
        live += errorInUse;
        for (void *block : kept)
            deallocate(block);
        EXPECT_EQ(inUse(first).samples, inUseBefore.samples);
    }
    // The means of so many, whose deviation is smaller.
    EXPECT_LT(std::abs(allocations / seeds), 5 / std::sqrt(seeds));
    EXPECT_LT(std::abs(live / seeds), 5 / std::sqrt(seeds));
    std::printf("%zu bytes: allocated %+.2f, in use %+.2f standard deviations in the mean of %d\n", size,
                allocations / seeds, live / seeds, seeds);
}

INSTANTIATE_TEST_SUITE_P(Sizes, SampleEstimates,
                         testing::Values(16, 48, 112, 560, 4096, 20000, 32768, 40000, 65536, 200000, 3000000));

class SampleSites : public SampledTest
{
};

TEST_F(SampleSites, areToldApart)
{
    QPool::HeapSamples::setInterval(Interval);
    const Sums first = allocated(reinterpret_cast<const void *>(&firstSite));
    const Sums second = allocated(reinterpret_cast<const void *>(&secondSite));
    constexpr std::size_t count = 100000;
    std::vector<void *> blocks;
    for (std::size_t i = 0; i < count; ++i) {
        blocks.push_back(firstSite(64));
        if (i % 3 == 0)
            blocks.push_back(secondSite(256));
    }
    EXPECT_LT(std::abs(errorOf(allocated(reinterpret_cast<const void *>(&firstSite)), first, count, 64)), 5);
    EXPECT_LT(std::abs(errorOf(allocated(reinterpret_cast<const void *>(&secondSite)), second, count / 3 + 1, 256)), 5);
    for (void *block : blocks)
        deallocate(block);
}

// A positive control: without sampling, and with a wrong interval, the same test must fail.
TEST_F(SampleSites, areNotSeenWhileSamplingIsOff)
{
    const Sums before = allocated();
    for (int i = 0; i < 100000; ++i)
        deallocate(firstSite(256));
    EXPECT_EQ(allocated().samples, before.samples);
    QPool::HeapSamples::setInterval(2 * Interval);
    for (int i = 0; i < 400000; ++i)
        deallocate(firstSite(256));
    QPool::HeapSamples::setInterval(0);
    const auto samples = double(allocated().samples - before.samples);
    EXPECT_GT(400000.0 * 256 / Interval - samples, 5 * std::sqrt(samples));
}

// Chunks that go back into pages unused must not count as handed out: the way to the next sample would be too short.
TEST_F(SampleSites, areRightIfMagazinesAreEmptiedAllTheTime)
{
    QPool::HeapSamples::setInterval(Interval);
    const Sums before = allocated();
    constexpr std::size_t count = 200000;
    for (std::size_t i = 0; i < count; ++i) {
        deallocate(firstSite(512));
        if (i % 2 == 0)
            Sampled::trim();
    }
    EXPECT_LT(std::abs(errorOf(allocated(), before, count, 512)), 5);
}

TEST_F(SampleSites, areRightInManyThreads)
{
    QPool::HeapSamples::setInterval(Interval);
    const Sums before = allocated();
    const Sums inUseBefore = inUse();
    constexpr std::size_t count = 100000;
    constexpr int threadCount = 8;
    std::vector<std::vector<void *>> blocks(threadCount);
    std::vector<std::thread> threads;
    for (int i = 0; i < threadCount; ++i) {
        threads.emplace_back([&mine = blocks[std::size_t(i)]] {
            for (std::size_t k = 0; k < count; ++k) {
                void *block = firstSite(128);
                if (k % 10 == 0)
                    mine.push_back(block);
                else
                    deallocate(block);
            }
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    EXPECT_LT(std::abs(errorOf(allocated(), before, threadCount * count, 128)), 5);
    EXPECT_LT(std::abs(errorOf(inUse(), inUseBefore, threadCount * count / 10, 128)), 5);
    for (const auto &mine : blocks) {
        for (void *block : mine)
            deallocate(block);
    }
    Sampled::flush();
    EXPECT_EQ(inUse().samples, inUseBefore.samples);
    EXPECT_EQ(inUse().bytes, inUseBefore.bytes);
}
