// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// What hardened builds report for blocks above the largest size class.

#include "pools/std/qpoolstdallocator.h"
#include "os/qpoolwatchers.h"

#include <gtest/gtest.h>

using namespace QPool;

static_assert(hardened);

namespace {

class LargeBlockDeathTest : public ::testing::Test
{
protected:
    void SetUp() override
    {
        ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
        char *probe = allocator.allocate(Size);
        allocator.deallocate(probe, Size);
        EXPECT_FALSE(LargeBlockCache::keeps()) << "freed blocks must not stay usable";
        EXPECT_EQ(LargeBlockCache::statistics().kept, 0u);
        if (Os::isHeapWatched())
            GTEST_SKIP() << "a tool finds it";
    }

    static constexpr std::size_t Size = 3 << 20;
    StdAllocator<char> allocator;
};

TEST_F(LargeBlockDeathTest, namesADoubleFree)
{
    for (std::size_t size : { Size, Size / 10 }) {
        char *volatile block = allocator.allocate(size);
        allocator.deallocate(block, size);
        EXPECT_DEATH(allocator.deallocate(block, size), "is no large block, or free already");
    }
}

TEST_F(LargeBlockDeathTest, namesAnotherSize)
{
    char *block = allocator.allocate(Size);
    EXPECT_DEATH(allocator.deallocate(block, Size + 1), "size of 3145729 bytes, is a block of 3145728");
    allocator.deallocate(block, Size);
}

TEST_F(LargeBlockDeathTest, namesAWriteInFrontOfTheStart)
{
    char *volatile block = allocator.allocate(Size);
    EXPECT_DEATH((block[-1] = 'x', allocator.deallocate(block, Size)),
                 "was written to in front of its start");
    allocator.deallocate(block, Size);
}

TEST_F(LargeBlockDeathTest, acceptsCorrectFrees)
{
    for (int round = 0; round < 200; ++round) {
        const std::size_t size = Size / 20 + std::size_t(round) * 30000;
        char *block = allocator.allocate(size);
        block[0] = block[size - 1] = 'x';
        allocator.deallocate(block, size);
    }
}

} // namespace
