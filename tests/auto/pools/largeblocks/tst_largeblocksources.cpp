// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// The source of large blocks, and that they go back to it: blocks of operator new go to operator
// delete, and no others do. Also run with QT_POOL_ALLOCATOR=0, with which all blocks come from
// operator new.

#include "pools/std/qpoolresource.h"
#include "pools/std/qpoolstdallocator.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

using namespace QPool;

namespace {

// The blocks of operator new that are in use, of those that are not small.
constexpr std::size_t Notable = 100 * 1024;
void *s_live[256];

void note(void *block, std::size_t bytes)
{
    for (void *&slot : s_live) {
        if (bytes >= Notable && block && !slot) {
            slot = block;
            return;
        }
    }
}

void forget(void *block)
{
    for (void *&slot : s_live) {
        if (block && slot == block)
            slot = nullptr;
    }
}

int liveCount()
{
    int count = 0;
    for (void *slot : s_live)
        count += slot != nullptr;
    return count;
}

bool isDisabled()
{
    const char *wish = std::getenv("QT_POOL_ALLOCATOR");
    return wish && std::strcmp(wish, "0") == 0;
}

// std::aligned_alloc(), which Windows lacks. What malloc() returned is noted before the block.
void *alignedBlock(std::size_t bytes, std::size_t alignment)
{
    std::size_t space = bytes + alignment;
    void *const whole = std::malloc(sizeof(void *) + space);
    if (!whole)
        return nullptr;
    void *block = static_cast<void **>(whole) + 1;
    std::align(alignment, bytes, block, space);
    std::memcpy(static_cast<char *>(block) - sizeof(void *), &whole, sizeof(void *));
    return block;
}

void freeAlignedBlock(void *block)
{
    if (!block)
        return;
    void *whole;
    std::memcpy(&whole, static_cast<char *>(block) - sizeof(void *), sizeof(void *));
    std::free(whole);
}

void *allocateNoted(std::size_t bytes, std::size_t alignment)
{
    void *block = alignedBlock(bytes, alignment);
    note(block, bytes);
    return block;
}

} // namespace

void *operator new(std::size_t bytes)
{
    if (void *block = allocateNoted(bytes, __STDCPP_DEFAULT_NEW_ALIGNMENT__))
        return block;
    throw std::bad_alloc();
}

void *operator new(std::size_t bytes, std::align_val_t alignment)
{
    if (void *block = allocateNoted(bytes, std::size_t(alignment)))
        return block;
    throw std::bad_alloc();
}

void operator delete(void *block) noexcept
{
    forget(block);
    freeAlignedBlock(block);
}

void operator delete(void *block, std::size_t) noexcept { operator delete(block); }
void operator delete(void *block, std::align_val_t) noexcept { operator delete(block); }

void operator delete(void *block, std::size_t, std::align_val_t) noexcept
{
    operator delete(block);
}

namespace {

constexpr std::size_t KiB = 1024;

void *whatOperatorNewReturned(void *block, std::size_t header)
{
    for (void *live : s_live) {
        if (live && live == static_cast<char *>(block) - header)
            return live;
    }
    return nullptr;
}

TEST(LargeBlockSources, goBackToWhereTheyCameFrom)
{
    QSizedPoolAllocator<>::trim();
    const int before = liveCount();
    StdAllocator<char> allocator;
    for (std::size_t bytes : { 110 * KiB, 128 * KiB, 500 * KiB, 1024 * KiB, 5000 * KiB }) {
        char *block = allocator.allocate(bytes);
        const bool mapped = bytes >= 1024 * KiB && !isDisabled();
        const std::size_t header = bytes < LargeBlockCache::LeastBytes || isDisabled()
                ? 0 : sizeof(LargeBlock);
        EXPECT_EQ(whatOperatorNewReturned(block, header) != nullptr, !mapped) << bytes;
        EXPECT_EQ(liveCount() - before, mapped ? 0 : 1);
        allocator.deallocate(block, bytes);
        QSizedPoolAllocator<>::trim();
        EXPECT_EQ(liveCount(), before) << bytes;
    }
}

TEST(LargeBlockSources, goBackAfterAMixtureOfUses)
{
    QSizedPoolAllocator<>::trim();
    const int before = liveCount();
    {
        PoolResource resource;
        for (int round = 0; round < 20; ++round) {
            std::vector<int, StdAllocator<int>> vector;
            for (int i = 0; i < 400000; ++i)
                vector.push_back(i);
            std::pmr::vector<int> other(vector.begin(), vector.end(), &resource);
        }
    }
    QSizedPoolAllocator<>::trim();
    EXPECT_EQ(liveCount(), before);
    EXPECT_EQ(LargeBlockCache::statistics().used, 0u);
}

TEST(LargeBlockSources, keepNothingWhileThePoolIsDisabled)
{
    EXPECT_EQ(LargeBlockCache::keeps(), !isDisabled() && !hardened);
    StdAllocator<char> allocator;
    allocator.deallocate(allocator.allocate(500 * KiB), 500 * KiB);
    if (isDisabled()) {
        EXPECT_EQ(LargeBlockCache::statistics().kept, 0u);
    }
}

} // namespace
