// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A sampled block lives and ends like any other, whoever frees it and when.

#include "sampledpool.h"

#include <cstring>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

using QPool::HeapSamples;
using QPool::PageHeader;
using QPool::PublishedPages;

class SampleLives : public SampledTest
{
protected:
    // Each block is sampled.
    void SetUp() override
    {
        SampledTest::SetUp();
        HeapSamples::setInterval(1);
    }
    void TearDown() override
    {
        SampledTest::TearDown();
        EXPECT_EQ(inUse().samples, 0u);
        EXPECT_EQ(inUse().bytes, 0);
        EXPECT_EQ(inUse().objects, 0);
    }
};

TEST_F(SampleLives, giveEachClassItsSizeAndAlignment)
{
    for (unsigned bin = 0; bin < SampledLayout::BinCount; ++bin) {
        void *chunk = Sampled::allocate(bin);
        ASSERT_TRUE(chunk);
        ASSERT_TRUE(isSampled(chunk));
        EXPECT_EQ(std::uintptr_t(chunk) % QPool::HeapClasses::alignmentOf(bin), 0u);
        EXPECT_EQ(PublishedPages::headerOf(chunk)->chunkSize, SampledLayout::chunkSize(bin));
        std::memset(chunk, 0xff, SampledLayout::chunkSize(bin));
        deallocate(chunk);
    }
}

TEST_F(SampleLives, endByAFreeThatKnowsTheClass)
{
    const unsigned bin = QPool::HeapClasses::indexOf(48);
    void *chunk = Sampled::allocate(bin);
    EXPECT_EQ(inUse().samples, 1u);
    Sampled::deallocate(chunk, bin);
    EXPECT_EQ(inUse().samples, 0u);
}

TEST_F(SampleLives, endInAnotherThread)
{
    void *chunk = allocate(48);
    void *block = allocate(500000);
    std::thread([=] {
        deallocate(chunk);
        deallocate(block);
    }).join();
    EXPECT_EQ(inUse().samples, 0u);
}

TEST_F(SampleLives, endAfterTheirThread)
{
    std::vector<void *> blocks;
    std::thread([&] {
        for (int i = 0; i < 100; ++i)
            blocks.push_back(allocate(std::size_t(i) * 1000 + 16));
    }).join();
    EXPECT_EQ(inUse().samples, 100u);
    for (void *block : blocks)
        deallocate(block);
}

TEST_F(SampleLives, endAfterSamplingWasSwitchedOff)
{
    void *chunk = allocate(48);
    void *block = allocate(500000);
    HeapSamples::setInterval(0);
    void *other = allocate(48);
    EXPECT_FALSE(isSampled(other));
    deallocate(chunk);
    deallocate(block);
    deallocate(other);
}

TEST_F(SampleLives, beginAndEndWithTheSwitch)
{
    for (int i = 0; i < 100; ++i) {
        HeapSamples::setInterval(0);
        std::vector<void *> blocks;
        for (int k = 0; k < 300; ++k) {
            blocks.push_back(allocate(64));
            EXPECT_FALSE(isSampled(blocks.back()));
        }
        HeapSamples::setInterval(1);
        for (void *block : blocks)
            deallocate(block);
        // The first free switched the arena over.
        void *block = allocate(64);
        EXPECT_TRUE(isSampled(block));
        deallocate(block);
    }
}

TEST_F(SampleLives, startAgainWithAResize)
{
    void *block = allocate(100000);
    const auto samples = allocated().samples;
    PageHeader *header = PublishedPages::headerOf(block);
    for (std::size_t size : { 110000, 150000, 1000000, 70000 }) {
        if (Sampled::resizeBlock(*header, size)) {
            EXPECT_EQ(inUse().samples, 1u);
            EXPECT_EQ(inUse().bytes, double(size));
        }
    }
    EXPECT_GT(allocated().samples, samples);
    HeapSamples::setInterval(0);
    EXPECT_TRUE(Sampled::resizeBlock(*header, 60000));
    EXPECT_EQ(inUse().samples, 0u);
    deallocate(block);
}

TEST_F(SampleLives, leaveAChunkItsSize)
{
    void *chunk = allocate(48);
    PageHeader *header = PublishedPages::headerOf(chunk);
    EXPECT_FALSE(Sampled::resizeBlock(*header, 60000));
    EXPECT_EQ(header->chunkSize, 48u);
    EXPECT_EQ(inUse().samples, 1u);
    deallocate(chunk);
}

// In the class of whole pages a sampled chunk is a block, and counted as one.
TEST_F(SampleLives, leaveTheCountOfBlocksRight)
{
    const std::size_t before = PublishedPages::blockBytes();
    void *chunk = allocate(PublishedPages::PageSize);
    EXPECT_TRUE(isSampled(chunk));
    EXPECT_EQ(PublishedPages::blockBytes(), before + PublishedPages::PageSize);
    deallocate(chunk);
    EXPECT_EQ(PublishedPages::blockBytes(), before);
}

TEST_F(SampleLives, goOnInAChild)
{
    void *chunk = allocate(48);
    void *block = allocate(500000);
    const pid_t child = fork();
    if (child == 0) {
        deallocate(chunk);
        deallocate(block);
        void *own = allocate(48);
        const bool right = isSampled(own) && inUse().samples == 1;
        deallocate(own);
        _exit(right && inUse().samples == 0 ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(inUse().samples, 2u);
    deallocate(chunk);
    deallocate(block);
}

// Others may hold the lock of the records at that moment.
TEST_F(SampleLives, surviveForksBesideOtherThreads)
{
    std::atomic<bool> stop { false };
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
        threads.emplace_back([&stop] {
            while (!stop.load())
                deallocate(allocate(48));
        });
    }
    for (int i = 0; i < 50; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            for (int k = 0; k < 10; ++k)
                deallocate(allocate(100));
            _exit(0);
        }
        int status = -1;
        EXPECT_EQ(waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
    }
    stop.store(true);
    for (std::thread &thread : threads)
        thread.join();
}

// Nearly all of its page is not touched.
TEST_F(SampleLives, areNoLargeBlocks)
{
    const std::size_t before = PublishedPages::blockBytes();
    void *chunk = allocate(48);
    EXPECT_EQ(PublishedPages::blockBytes(), before);
    void *block = allocate(100000);
    EXPECT_EQ(PublishedPages::blockBytes(), before + 2 * PublishedPages::PageSize);
    deallocate(chunk);
    deallocate(block);
    EXPECT_EQ(PublishedPages::blockBytes(), before);
}

TEST_F(SampleLives, countAsAllocationsOfTheirClass)
{
    const unsigned bin = QPool::HeapClasses::indexOf(80);
    const auto before = Sampled::statistics(bin);
    for (int i = 0; i < 10; ++i)
        deallocate(allocate(80));
    const auto after = Sampled::statistics(bin);
    EXPECT_EQ(after.allocated - before.allocated, 10u);
    EXPECT_EQ(after.live(), before.live());
}

TEST_F(SampleLives, areServedWhileAThreadSleeps)
{
    HeapSamples::setInterval(4096);
    for (int i = 0; i < 100; ++i) {
        std::vector<void *> blocks;
        for (int k = 0; k < 100; ++k)
            blocks.push_back(allocate(std::size_t(k) * 40 + 1));
        Sampled::idle();
        for (void *block : blocks)
            deallocate(block);
        Sampled::idle();
    }
}
