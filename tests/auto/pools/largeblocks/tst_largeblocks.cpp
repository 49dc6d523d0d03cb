// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "pools/std/qlargeblocklist.h"
#include "pools/std/qpoolstdallocator.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

using QPool::LargeBlockList;
using QPool::LargeBlocks;
using QPool::SystemPages;

namespace {

// By the environment, or because a tool watches the heap.
bool isDisabled()
{
    const char *wishes = std::getenv("QT_POOL_ALLOCATOR");
    return (wishes && std::strcmp(wishes, "0") == 0) || QPool::Os::isHeapWatched();
}

TEST(LargeBlocks, comeFromThePagesFromTheLimitOn)
{
    for (std::size_t alignment : { 8, 64, 4096, 1 << 20 }) {
        for (std::size_t bytes : { LargeBlocks::LeastBytes - 1, LargeBlocks::LeastBytes, std::size_t(5000001) }) {
            void *block = LargeBlocks::allocate(bytes, alignment);
            ASSERT_NE(block, nullptr);
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignment, 0u);
            EXPECT_EQ(SystemPages::contains(block),
                      bytes >= LargeBlocks::LeastBytes && !QPool::hardened && !isDisabled());
            std::memset(block, 1, bytes);
            LargeBlocks::deallocate(block, alignment);
        }
    }
}

TEST(LargeBlocks, areUsedAgain)
{
    if (QPool::hardened || isDisabled())
        GTEST_SKIP() << "they go back to the system at once";
    void *first = LargeBlocks::allocate(3000000, 8);
    LargeBlocks::deallocate(first, 8);
    const std::size_t before = SystemPages::memory().reserved;
    void *second = LargeBlocks::allocate(3000000, 8);
    EXPECT_EQ(SystemPages::memory().reserved, before);
    LargeBlocks::deallocate(second, 8);
}

TEST(LargeBlocks, areFreedByAnyThread)
{
    const std::size_t before = SystemPages::blockBytes();
    std::vector<void *> blocks;
    for (int i = 0; i < 20; ++i)
        blocks.push_back(LargeBlocks::allocate(200000, 8));
    std::thread([&] {
        for (void *block : blocks)
            LargeBlocks::deallocate(block, 8);
    }).join();
    EXPECT_EQ(SystemPages::blockBytes(), before);
}

TEST(LargeBlocks, refuseWhatNoMemoryHas)
{
    for (std::size_t bytes : { std::size_t(PTRDIFF_MAX), std::size_t(PTRDIFF_MAX) + 1, SIZE_MAX - 4096, SIZE_MAX })
        EXPECT_EQ(LargeBlocks::allocate(bytes, 4096), nullptr) << bytes;
}

TEST(LargeBlocks, serveAVector)
{
    std::vector<int, QPool::StdAllocator<int>> numbers;
    for (int i = 0; i < 1000000; ++i)
        numbers.push_back(i);
    for (int i = 0; i < 1000000; ++i)
        ASSERT_EQ(numbers[std::size_t(i)], i);
}

TEST(LargeBlockList, freesWhatIsLeft)
{
    const std::size_t before = SystemPages::blockBytes();
    {
        LargeBlockList list;
        void *first = list.add(LargeBlockList::create(300000, 8));
        list.add(LargeBlockList::create(400000, 4096));
        LargeBlockList::Block *removed = list.remove(first, "test");
        EXPECT_EQ(list.count(), 1u);
        LargeBlockList::destroy(removed);
    }
    EXPECT_EQ(SystemPages::blockBytes(), before);
}

} // namespace
