// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Runs of pages: which one is taken, and that split runs are merged again.

#include "randomsource.h"
#include "testsegment.h"

#include <utility>
#include <vector>

using namespace QPool;

namespace {

constexpr std::size_t Page = SharedClasses::PageBytes;

TEST(SharedPagesTest, aRunTakesNoMoreThanItNeeds)
{
    TestSegment test;
    const std::uint64_t before = test.segment.statistics().freeBytes;
    for (const std::size_t pages : { 1, 2, 3, 5, 7, 17, 100 }) {
        void *run = test.segment.allocate(pages * Page - 5);
        ASSERT_NE(run, nullptr);
        EXPECT_EQ(test.segment.statistics().freeBytes, before - pages * Page);
        EXPECT_EQ(test.segment.statistics().usedBytes, pages * Page);
        EXPECT_SOUND(test.segment);
        test.segment.deallocate(run, pages * Page - 5);
        EXPECT_EQ(test.segment.statistics().freeBytes, before);
        EXPECT_SOUND(test.segment);
    }
}

// However a segment was cut up, it is whole when all is free: in each order of frees.
TEST(SharedPagesTest, neighboursAreJoined)
{
    for (const std::uint64_t bytes : { std::uint64_t(1) << 20, (std::uint64_t(1) << 20) + 13 * Page,
                                       std::uint64_t(777) * Page }) {
        TestSegment test(bytes);
        const std::uint64_t largest = test.segment.statistics().largestFree;
        for (const std::size_t stride : { 1, 2, 3, 7 }) {
            std::vector<void *> runs;
            for (std::size_t pages = 1;; pages = pages % 5 + 1) {
                void *run = test.segment.allocate(pages * Page);
                if (!run)
                    break;
                runs.push_back(run);
            }
            EXPECT_SOUND(test.segment);
            for (std::size_t first = 0; first < stride; ++first) {
                for (std::size_t i = first; i < runs.size(); i += stride)
                    test.segment.deallocate(runs[i], (i % 5 + 1) * Page);
            }
            EXPECT_SOUND(test.segment);
            EXPECT_EQ(test.segment.statistics().largestFree, largest);
            EXPECT_EQ(test.segment.statistics().usedBlocks, 0u);
        }
    }
}

TEST(SharedPagesTest, lowerPagesAreReusedFirst)
{
    TestSegment test;
    void *first = test.segment.allocate(Page);
    void *second = test.segment.allocate(Page);
    void *third = test.segment.allocate(Page);
    test.segment.deallocate(first, Page);
    EXPECT_EQ(test.segment.allocate(Page), first);
    EXPECT_LT(second, third);
}

TEST(SharedPagesTest, theShortestSufficientRowIsTaken)
{
    TestSegment test;
    const std::size_t rows[] = { 70, 9, 3, 5, 200, 4, 5 };
    std::vector<void *> runs;
    for (const std::size_t pages : rows) {
        runs.push_back(test.segment.allocate(pages * Page));
        ASSERT_NE(test.segment.allocate(Page), nullptr); // stands between them
    }
    // What follows must not serve.
    while (test.segment.allocate(Page)) { }
    for (std::size_t i = 0; i < runs.size(); ++i)
        test.segment.deallocate(runs[i], rows[i] * Page);
    EXPECT_SOUND(test.segment);

    EXPECT_EQ(test.segment.allocate(4 * Page), runs[5]);
    EXPECT_EQ(test.segment.allocate(4 * Page), runs[3]); // the first of two that are as short
    EXPECT_EQ(test.segment.allocate(4 * Page), runs[6]);
    EXPECT_EQ(test.segment.allocate(65 * Page), runs[0]); // across words of the bitmap
    EXPECT_EQ(test.segment.allocate(200 * Page), runs[4]);
    EXPECT_EQ(test.segment.allocate(10 * Page), nullptr);
    EXPECT_SOUND(test.segment);
}

// Runs come and go at random with nine tenths in use.
TEST(SharedPagesTest, aFullSegmentStaysUsable)
{
    const std::size_t bytes = 16 << 20;
    TestSegment test(bytes, SharedLockKind::None);
    RandomSource random(7);
    std::vector<std::pair<void *, std::size_t>> blocks;
    std::size_t used = 0;
    int failed = 0;
    const int calls = 100000;
    const auto drop = [&] {
        std::swap(blocks[random.below(blocks.size())], blocks.back());
        test.segment.deallocate(blocks.back().first, blocks.back().second);
        used -= blocks.back().second;
        blocks.pop_back();
    };
    for (int i = 0; i < calls; ++i) {
        const std::size_t size = (1 + random.below(16)) * Page;
        while (used + size > bytes / 10 * 9)
            drop();
        if (void *block = test.segment.allocate(size)) {
            blocks.emplace_back(block, size);
            used += size;
        } else {
            ++failed;
            drop();
        }
    }
    EXPECT_SOUND(test.segment);
    EXPECT_LT(failed, calls / 50);
}

TEST(SharedPagesTest, refusesSizesBeyondTheLimits)
{
    EXPECT_FALSE(SharedSegment::create("never", SharedSegment::MinBytes - 1));
    EXPECT_EQ(SharedSegment::lastError(), SharedError::InvalidSize);
    EXPECT_FALSE(SharedSegment::create("never", SharedSegment::MaxBytes + 1));
    EXPECT_EQ(SharedSegment::lastError(), SharedError::InvalidSize);
    TestSegment test(SharedSegment::MinBytes + 1);
    EXPECT_EQ(test.segment.statistics().bytes, SharedSegment::MinBytes + Page);
    EXPECT_SOUND(test.segment);
}

} // namespace
