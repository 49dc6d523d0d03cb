// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Runs of pages: which one is taken, and that split runs are merged again.

#include "testsegment.h"

#include <vector>

using namespace QPool;

namespace {

constexpr std::size_t Page = SharedClasses::PageBytes;

TEST(SharedPagesTest, aRunTakesNoMoreThanItNeeds)
{
    TestSegment test;
    const std::uint64_t before = test.segment.figures().freeBytes;
    for (const std::size_t pages : { 1, 2, 3, 5, 7, 17, 100 }) {
        void *run = test.segment.allocate(pages * Page - 5);
        ASSERT_NE(run, nullptr);
        EXPECT_EQ(test.segment.figures().freeBytes, before - pages * Page);
        EXPECT_EQ(test.segment.figures().usedBytes, pages * Page);
        EXPECT_SOUND(test.segment);
        test.segment.deallocate(run, pages * Page - 5);
        EXPECT_EQ(test.segment.figures().freeBytes, before);
        EXPECT_SOUND(test.segment);
    }
}

// However a segment was cut up, it is whole when all is free: in each order of frees.
TEST(SharedPagesTest, neighboursAreJoined)
{
    for (const std::uint64_t bytes : { std::uint64_t(1) << 20, (std::uint64_t(1) << 20) + 13 * Page,
                                       std::uint64_t(777) * Page }) {
        TestSegment test(bytes);
        const std::uint64_t largest = test.segment.figures().largestFree;
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
            EXPECT_EQ(test.segment.figures().largestFree, largest);
            EXPECT_EQ(test.segment.figures().usedBlocks, 0u);
        }
    }
}

TEST(SharedPagesTest, theUpperEndStaysWhole)
{
    TestSegment test;
    void *first = test.segment.allocate(Page);
    void *second = test.segment.allocate(Page);
    void *third = test.segment.allocate(Page);
    test.segment.deallocate(first, Page);
    EXPECT_EQ(test.segment.allocate(Page), first);
    EXPECT_LT(second, third);
}

TEST(SharedPagesTest, largestAndSmallestSegments)
{
    EXPECT_FALSE(SharedSegment::create("never", SharedSegment::MinBytes - 1));
    EXPECT_EQ(SharedSegment::lastError(), SharedError::InvalidSize);
    EXPECT_FALSE(SharedSegment::create("never", SharedSegment::MaxBytes + 1));
    EXPECT_EQ(SharedSegment::lastError(), SharedError::InvalidSize);
    TestSegment test(SharedSegment::MinBytes + 1);
    EXPECT_EQ(test.segment.figures().bytes, SharedSegment::MinBytes + Page);
    EXPECT_SOUND(test.segment);
}

} // namespace
