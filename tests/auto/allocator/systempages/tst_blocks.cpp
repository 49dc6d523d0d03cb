// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Blocks of several pages.

#include "pages/qpoolsystempages.h"
#include "randomsource.h"
#include "rendezvous.h"
#include "testscale.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

using QPool::PageHeader;
using QPool::PageMemory;
using QPool::SystemPages;

namespace {

constexpr std::size_t PageSize = SystemPages::PageSize;

class BlocksTest : public ::testing::Test
{
protected:
    BlocksTest() { SystemPages::trim(); }
    ~BlocksTest() override
    {
        EXPECT_EQ(SystemPages::blockBytes(), 0u);
        SystemPages::trim();
    }

    static char *allocate(std::size_t bytes, std::size_t alignment = 16, bool *isZero = nullptr)
    {
        bool isKnownZero = false;
        auto *block = static_cast<char *>(SystemPages::allocateBlock(bytes, alignment, &isKnownZero));
        if (isZero)
            *isZero = isKnownZero;
        return block;
    }
    static void free(char *block) { SystemPages::deallocateBlock(SystemPages::headerOf(block)); }
    static bool resize(char *block, std::size_t bytes)
    {
        return SystemPages::resizeBlock(SystemPages::headerOf(block), bytes);
    }
    static std::size_t sizeOf(const char *block) { return SystemPages::headerOf(block)->chunkSize; }
};

TEST_F(BlocksTest, haveTheSizeAndTheAlignment)
{
    std::map<char *, std::size_t> blocks; // by address
    std::size_t all = 0;
    for (std::size_t alignment = 1; alignment <= 8 * 1024 * 1024; alignment *= 2) {
        for (std::size_t bytes : { std::size_t(0), std::size_t(1), PageSize, PageSize + 1, 3 * PageSize - 1,
                                   30 * PageSize }) {
            char *block = allocate(bytes, alignment);
            ASSERT_NE(block, nullptr);
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % std::max(alignment, PageSize), 0u);
            EXPECT_EQ(sizeOf(block), std::max(bytes + PageSize - 1, PageSize) / PageSize * PageSize);
            EXPECT_TRUE(SystemPages::isBlock(SystemPages::findHeader(block)));
            EXPECT_TRUE(SystemPages::contains(block + sizeOf(block) - 1));
            std::memset(block, int(blocks.size()), sizeOf(block));
            all += sizeOf(block);
            blocks[block] = blocks.size();
        }
    }
    EXPECT_EQ(SystemPages::blockBytes(), all);
    const char *end = nullptr;
    for (const auto &[block, number] : blocks) {
        EXPECT_LE(end, block) << "they do not overlap";
        end = block + sizeOf(block);
        EXPECT_EQ(std::count(block, block + sizeOf(block), char(number)), std::ptrdiff_t(sizeOf(block)));
    }
    for (const auto &[block, number] : blocks)
        free(block);
}

TEST_F(BlocksTest, tooLargeOnesAreRefused)
{
    const PageMemory before = SystemPages::memory();
    for (std::size_t bytes : { SystemPages::MostBlockBytes + 1, SIZE_MAX, SIZE_MAX - PageSize + 1 })
        EXPECT_EQ(allocate(bytes), nullptr);
    EXPECT_EQ(allocate(1, (SIZE_MAX >> 1) + 1), nullptr);
    EXPECT_EQ(allocate(SystemPages::MostBlockBytes, 1024 * 1024), nullptr) << "it fits no window, aligned";
    EXPECT_EQ(SystemPages::memory().committed, before.committed);
    EXPECT_EQ(SystemPages::memory().reserved, before.reserved);
    char *first = allocate(PageSize);
    char *block = allocate(PageSize); // not the first page of its window
    if (block < first)
        std::swap(block, first);
    for (std::size_t bytes : { SystemPages::MostBlockBytes, SystemPages::MostBlockBytes + 1, SIZE_MAX })
        EXPECT_FALSE(resize(block, bytes));
    EXPECT_EQ(sizeOf(block), PageSize);
    free(first);
    free(block);
}

TEST_F(BlocksTest, saysWhetherTheyAreZero)
{
    bool isZero = false;
    const auto isAllZero = [](const char *block) {
        return std::all_of(block, block + sizeOf(block), [](char byte) { return byte == 0; });
    };
    char *block = allocate(10 * PageSize, 16, &isZero);
    EXPECT_TRUE(isZero);
    EXPECT_TRUE(isAllZero(block));
    std::memset(block, 1, sizeOf(block));
    free(block);
    block = allocate(10 * PageSize, 16, &isZero);
    EXPECT_FALSE(isZero) << "the same memory";
    free(block);
    SystemPages::trim();
    block = allocate(10 * PageSize, 16, &isZero);
    EXPECT_TRUE(isZero);
    EXPECT_TRUE(isAllZero(block));
    free(block);
}

TEST_F(BlocksTest, changeTheirSizeInPlace)
{
    for (bool gone : { false, true }) {
        char *block = allocate(20 * PageSize);
        std::memset(block, 7, sizeOf(block));
        EXPECT_TRUE(resize(block, 5 * PageSize - 1));
        EXPECT_EQ(sizeOf(block), 5 * PageSize);
        EXPECT_EQ(SystemPages::blockBytes(), 5 * PageSize);
        if (gone)
            SystemPages::trim();
        // The pages behind it are in use.
        char *next = allocate(2 * PageSize);
        if (next == block + 5 * PageSize) {
            EXPECT_FALSE(resize(block, 6 * PageSize));
            EXPECT_EQ(sizeOf(block), 5 * PageSize);
        }
        free(next);
        if (gone)
            SystemPages::trim();
        EXPECT_TRUE(resize(block, 19 * PageSize + 1));
        EXPECT_EQ(sizeOf(block), 20 * PageSize);
        EXPECT_EQ(std::count(block, block + 5 * PageSize, 7), std::ptrdiff_t(5 * PageSize));
        std::memset(block, 8, sizeOf(block));
        EXPECT_TRUE(resize(block, 0));
        EXPECT_EQ(sizeOf(block), PageSize);
        free(block);
    }
}

// The pages behind a block are several free runs, with memory and without.
TEST_F(BlocksTest, growAcrossFreeRuns)
{
    char *block = allocate(30 * PageSize);
    std::memset(block, 7, sizeOf(block));
    ASSERT_TRUE(resize(block, 20 * PageSize));
    char *behind = allocate(10 * PageSize);
    ASSERT_EQ(behind, block + 20 * PageSize);
    ASSERT_TRUE(resize(block, 5 * PageSize));
    SystemPages::trim();
    std::memset(behind, 7, sizeOf(behind));
    free(behind);
    const PageMemory before = SystemPages::memory();
    EXPECT_TRUE(resize(block, 28 * PageSize)) << "those without memory are first";
    EXPECT_EQ(SystemPages::memory().decommitted, before.decommitted - 15 * PageSize);
    SystemPages::trim();
    ASSERT_TRUE(resize(block, 5 * PageSize));
    EXPECT_TRUE(resize(block, 30 * PageSize)) << "those without memory are last";
    EXPECT_EQ(std::count(block, block + 5 * PageSize, 7), std::ptrdiff_t(5 * PageSize));
    std::memset(block, 8, sizeOf(block));
    free(block);
}

TEST_F(BlocksTest, growIntoPagesThatWereNeverUsed)
{
    std::vector<char *> others;
    do {
        others.push_back(allocate(PageSize));
    } while (SystemPages::memory().decommitted > 0);
    const std::size_t bytes = 100 * PageSize;
    char *block = allocate(bytes);
    ASSERT_NE(block, nullptr);
    std::memset(block, 7, bytes);
    for (std::size_t more : { 1, 50, 3000 }) {
        ASSERT_TRUE(resize(block, bytes + more * PageSize));
        EXPECT_EQ(sizeOf(block), bytes + more * PageSize);
    }
    EXPECT_EQ(std::count(block, block + bytes, 7), std::ptrdiff_t(bytes));
    EXPECT_EQ(std::count(block + bytes, block + sizeOf(block), 0), std::ptrdiff_t(3000 * PageSize));

    // A free run, and what was never used behind it.
    ASSERT_TRUE(resize(block, sizeOf(block) - PageSize));
    ASSERT_TRUE(resize(block, sizeOf(block) + 5 * PageSize));
    char *next = allocate(PageSize);
    EXPECT_EQ(next, block + sizeOf(block)) << "they do not overlap";
    EXPECT_FALSE(resize(block, sizeOf(block) + PageSize));
    free(next);

    const std::size_t had = sizeOf(block);
    EXPECT_FALSE(resize(block, SystemPages::MostBlockBytes)) << "no window has as many behind it";
    EXPECT_EQ(sizeOf(block), had);
    free(block);
    EXPECT_EQ(SystemPages::blockBytes(), others.size() * PageSize);
    for (char *other : others)
        free(other);
}

TEST_F(BlocksTest, doNotGrowIntoOthers)
{
    std::vector<char *> blocks;
    for (int i = 0; i < 50; ++i)
        blocks.push_back(allocate(2 * PageSize));
    std::sort(blocks.begin(), blocks.end());
    PageHeader *page = SystemPages::acquirePage();
    for (char *block : blocks)
        EXPECT_FALSE(SystemPages::findHeader(block + 2 * PageSize) && block != blocks.back()
                     && resize(block, 3 * PageSize));
    SystemPages::releasePage(page);
    for (char *block : blocks)
        free(block);
}

TEST_F(BlocksTest, areFreedByTheNextCallIfNobodyMayWait)
{
    char *first = allocate(3 * PageSize);
    char *second = allocate(4 * PageSize);
    inOtherThread([&] {
        SystemPages::deallocateBlockLater(SystemPages::headerOf(first));
        SystemPages::deallocateBlockLater(SystemPages::headerOf(second));
    });
    EXPECT_EQ(SystemPages::blockBytes(), 7 * PageSize);
    SystemPages::idle();
    EXPECT_EQ(SystemPages::blockBytes(), 0u);
    for (auto call : { +[] { SystemPages::trim(); },
                       +[] { free(allocate(PageSize)); } }) {
        SystemPages::deallocateBlockLater(SystemPages::headerOf(allocate(PageSize)));
        call();
        EXPECT_EQ(SystemPages::blockBytes(), 0u);
    }
    PageHeader *page = SystemPages::acquirePage();
    SystemPages::deallocateBlockLater(SystemPages::headerOf(allocate(PageSize)));
    SystemPages::releasePage(page);
    EXPECT_EQ(SystemPages::blockBytes(), 0u);

    char *block = allocate(4 * PageSize);
    ASSERT_TRUE(resize(block, 2 * PageSize));
    char *next = allocate(2 * PageSize);
    ASSERT_EQ(next, block + 2 * PageSize);
    SystemPages::deallocateBlockLater(SystemPages::headerOf(next));
    EXPECT_TRUE(resize(block, 4 * PageSize)) << "into the pages of one that waited to be freed";
    free(block);
}

// Whatever the order, all that was freed is one run again: a block as large as the sum fits.
TEST_F(BlocksTest, joinWhenTheyAreFree)
{
    RandomSource random(TestScale::seed());
    for (int round = 0; round < 5; ++round) {
        std::vector<char *> blocks;
        for (int i = 0; i < 200; ++i)
            blocks.push_back(allocate(PageSize * (1 + random.below(20)), PageSize << random.below(4)));
        std::shuffle(blocks.begin(), blocks.end(), random);
        for (char *block : blocks)
            free(block);
        SystemPages::trim();
        const PageMemory before = SystemPages::memory();
        char *all = allocate(before.decommitted);
        ASSERT_NE(all, nullptr);
        EXPECT_EQ(SystemPages::memory().reserved, before.reserved);
        EXPECT_EQ(SystemPages::memory().decommitted, 0u);
        free(all);
    }
}

TEST_F(BlocksTest, surviveRandomUseByManyThreads)
{
    const std::uint64_t seed = TestScale::seed();
    std::vector<std::thread> threads;
    // Blocks wander from thread to thread through an array.
    std::vector<std::atomic<char *>> shared(64);
    for (unsigned t = 0; t < 3; ++t) {
        threads.emplace_back([&shared, seed, t] {
            RandomSource random(seed + t);
            const auto check = [](char *block) {
                EXPECT_EQ(block[0], block[sizeOf(block) - 1]);
            };
            const std::uint64_t steps = TestScale::scaled(3000);
            for (std::uint64_t step = 0; step < steps; ++step) {
                const std::size_t bytes = 1 + random.below(12 * PageSize);
                char *block = allocate(bytes, std::size_t(1) << random.below(21));
                ASSERT_NE(block, nullptr);
                block[0] = block[sizeOf(block) - 1] = char(step);
                block = shared[random.below(shared.size())].exchange(block);
                if (!block)
                    continue;
                check(block);
                const char was = block[0];
                if (random.below(2) && resize(block, 1 + random.below(20 * PageSize))) {
                    EXPECT_EQ(block[0], was);
                    block[sizeOf(block) - 1] = was;
                }
                if (random.below(10) == 0)
                    SystemPages::deallocateBlockLater(SystemPages::headerOf(block));
                else
                    free(block);
                if (random.below(100) == 0)
                    SystemPages::trim();
            }
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    for (auto &block : shared) {
        if (block)
            free(block);
    }
    SystemPages::idle();
}

// A pointer into a block that was freed, and is part of a larger one, is none.
TEST_F(BlocksTest, areNoBlocksAfterTheyAreFree)
{
    char *both = allocate(8 * PageSize);
    free(both);
    char *first = allocate(4 * PageSize);
    char *second = allocate(4 * PageSize);
    if (second < first)
        std::swap(first, second);
    ASSERT_EQ(first + 4 * PageSize, second);
    free(first);
    free(second); // joins the first
    EXPECT_FALSE(SystemPages::isBlock(SystemPages::headerOf(first)));
    EXPECT_FALSE(SystemPages::isBlock(SystemPages::headerOf(second)));
    both = allocate(8 * PageSize);
    EXPECT_EQ(both, first);
    EXPECT_FALSE(SystemPages::isBlock(SystemPages::headerOf(second)));
    free(both);
}

} // namespace
