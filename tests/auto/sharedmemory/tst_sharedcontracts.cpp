// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A pointer that is not a block in use is ignored and counted, and reported in hardened builds.

#include "testsegment.h"

using namespace QPool;

namespace {

TEST(SharedContractsDeathTest, reportsADoubleFree)
{
    TestSegment test;
    void *small = test.segment.allocate(48);
    void *large = test.segment.allocate(10000);
    test.segment.deallocate(small, 48);
    test.segment.deallocate(large, 10000);
    EXPECT_DEATH(test.segment.deallocate(small, 48), "is not a block of 48 bytes that is in use");
    EXPECT_DEATH(test.segment.deallocate(large, 10000), "is not a block of 10000 bytes that is in use");
}

TEST(SharedContractsDeathTest, reportsFreesThatMatchNoBlock)
{
    TestSegment test;
    auto *block = static_cast<char *>(test.segment.allocate(48));
    int local = 0;
    EXPECT_DEATH(test.segment.deallocate(block + 16, 48), "is not a block");
    EXPECT_DEATH(test.segment.deallocate(block, 64), "is not a block");
    EXPECT_DEATH(test.segment.deallocate(block, 10000), "is not a block");
    EXPECT_DEATH(test.segment.deallocate(&local, sizeof local), "is not a block");
    EXPECT_DEATH(test.segment.deallocate(test.segment.heap(), 16), "is not a block");
    EXPECT_FALSE(test.segment.heap()->tryDeallocate(block + 16, 48, 16));
    EXPECT_EQ(test.segment.statistics().badFrees, 6u) << "those of the dead included";
    EXPECT_SOUND(test.segment);
    test.segment.deallocate(block, 48);
}

} // namespace
