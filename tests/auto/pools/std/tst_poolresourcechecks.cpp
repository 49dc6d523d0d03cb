// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// What hardened builds report: misuse, and blocks in use when a resource frees them.

#include "pools/std/qpoolstatefulallocator.h"
#include "pool/qsizedpoolallocator.h"

#include <gtest/gtest.h>

#include <list>

using namespace QPool;

static_assert(hardened);

namespace {

class PoolResourceDeathTest : public ::testing::Test
{
protected:
    void SetUp() override { ::testing::GTEST_FLAG(death_test_style) = "threadsafe"; }

    PoolResource resource;
};

TEST_F(PoolResourceDeathTest, namesADoubleFree)
{
    void *block = resource.allocate(40, 8);
    void *other = resource.allocate(40, 8);
    resource.deallocate(block, 40, 8);
    EXPECT_DEATH(resource.deallocate(block, 40, 8), "PoolResource: .* is free already .*40 bytes");
    resource.deallocate(other, 40, 8);
}

TEST_F(PoolResourceDeathTest, namesAForeignPointer)
{
    PoolResource other;
    void *theirs = other.allocate(24, 8);
    int local = 0;
    void *volatile onStack = &local; // or the compiler sees that it is none of ours, too
    EXPECT_DEATH(resource.deallocate(theirs, 24, 8), "is not from this resource");
    EXPECT_DEATH(resource.deallocate(onStack, sizeof(local), 4), "is not from this resource");
    // Other pools do not accept this resource's blocks either.
    using Pool = QSizedPoolAllocator<SingleThreaded, ResourcePages>;
    EXPECT_DEATH(Pool::deallocate(theirs, 24), "is in a page that holds no chunks");
    other.deallocate(theirs, 24, 8);
}

TEST_F(PoolResourceDeathTest, namesAnotherSizeAndAnInteriorPointer)
{
    auto *block = static_cast<char *>(resource.allocate(64, 8));
    EXPECT_DEATH(resource.deallocate(block, 24, 8), "with a size of chunks of 24 bytes, is one of 64");
    EXPECT_DEATH(resource.deallocate(block + 8, 64, 8), "is not the start of a chunk of 64 bytes");
    resource.deallocate(block, 64, 8);
}

TEST_F(PoolResourceDeathTest, namesALargeBlockThatIsNotOurs)
{
    PoolResource other;
    void *first = other.allocate(5000, 8), *second = other.allocate(5000, 8);
    other.deallocate(first, 5000, 8);
    EXPECT_DEATH(resource.deallocate(second, 5000, 8), "is not a block of this resource");
    other.deallocate(second, 5000, 8);
    // One that is kept.
    void *large = other.allocate(3000000, 8);
    other.deallocate(large, 3000000, 8);
    EXPECT_DEATH(other.deallocate(large, 3000000, 8), "or is free already");
}

// Also for blocks whose first words were never written after they were freed, in pages that are
// used again
// from the start.
TEST_F(PoolResourceDeathTest, acceptsCorrectFrees)
{
    for (int round = 0; round < 3; ++round) {
        void *blocks[10000];
        for (void *&block : blocks)
            block = resource.allocate(8, 8);
        for (int i = 0; i < 10000; ++i)
            resource.deallocate(blocks[i * 7919 % 10000], 8, 8);
        if (round == 1)
            resource.release();
    }
}

TEST(PoolResourceInUse, isNamedAtRelease)
{
    PoolResource resource;
    for (int i = 0; i < 3; ++i)
        static_cast<void>(resource.allocate(30, 8));
    resource.deallocate(resource.allocate(100, 8), 100, 8);
    static_cast<void>(resource.allocate(5000, 8));
    ::testing::internal::CaptureStderr();
    resource.release();
    const std::string said = ::testing::internal::GetCapturedStderr();
    EXPECT_NE(said.find("qpool: PoolResource: memory was still in use at release(): 3 blocks of 32 "
                        "bytes\n"), std::string::npos) << said;
    EXPECT_NE(said.find("at release(): 1 larger blocks, "), std::string::npos) << said;
    EXPECT_EQ(said.find("of 104 bytes"), std::string::npos) << said;
    ::testing::internal::CaptureStderr();
    resource.release();
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "") << "once";
}

TEST(PoolResourceInUse, isNamedAtTheEnd)
{
    ::testing::internal::CaptureStderr();
    {
        PoolResource resource;
        static_cast<void>(resource.allocate(16, 8));
    }
    const std::string said = ::testing::internal::GetCapturedStderr();
    EXPECT_NE(said.find("memory was still in use when it was destroyed: 1 blocks of 16 bytes"),
              std::string::npos) << said;
}

TEST(PoolResourceInUse, isNotNamedWhenThereIsNone)
{
    ::testing::internal::CaptureStderr();
    {
        PoolResource resource;
        std::list<int, StatefulAllocator<int>> list(resource);
        list.assign(100, 1);
    }
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

} // namespace
