// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// The same for arrays and for aligned blocks: a program replaces the basic form of each, and the
// forms that call it follow.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

int arrays = 0;
int alignedBlocks = 0;

constexpr std::align_val_t Aligned { 64 };

template <class Call>
int change(const int &count, Call call)
{
    const int before = count;
    call();
    return count - before;
}

TEST(OwnArrayOperatorsTest, serveTheirForms)
{
    void *block = nullptr;
    EXPECT_EQ(change(arrays, [&] { block = operator new[](24, std::nothrow); }), 1);
    EXPECT_EQ(change(arrays, [&] { operator delete[](block, std::size_t(24)); }), -1);
    EXPECT_EQ(change(arrays, [&] { block = operator new[](24); }), 1);
    EXPECT_EQ(change(arrays, [&] { operator delete[](block, std::nothrow); }), -1);
    EXPECT_EQ(change(arrays, [&] { operator delete(operator new(24), std::size_t(24)); }), 0);
}

TEST(OwnAlignedOperatorsTest, serveTheirForms)
{
    void *block = nullptr;
    const int &count = alignedBlocks;
    EXPECT_EQ(change(count, [&] { block = operator new(24, Aligned, std::nothrow); }), 1);
    EXPECT_EQ(change(count, [&] { operator delete(block, std::size_t(24), Aligned); }), -1);
    EXPECT_EQ(change(count, [&] { block = operator new(24, Aligned); }), 1);
    EXPECT_EQ(change(count, [&] { operator delete(block, Aligned, std::nothrow); }), -1);
    EXPECT_EQ(change(count, [&] { block = operator new[](24, Aligned); }), 1);
    EXPECT_EQ(change(count, [&] { operator delete[](block, Aligned); }), -1);
    EXPECT_EQ(change(count, [&] { block = operator new[](24, Aligned, std::nothrow); }), 1);
    EXPECT_EQ(change(count, [&] { operator delete[](block, std::size_t(24), Aligned); }), -1);
    EXPECT_EQ(change(count, [&] { block = operator new[](24, Aligned); }), 1);
    EXPECT_EQ(change(count, [&] { operator delete[](block, Aligned, std::nothrow); }), -1);
}

} // namespace

void *operator new[](std::size_t size)
{
    ++arrays;
    return std::malloc(size);
}

void operator delete[](void *block) noexcept
{
    --arrays;
    std::free(block);
}

void *operator new(std::size_t size, std::align_val_t alignment)
{
    ++alignedBlocks;
    return aligned_alloc(std::size_t(alignment), size);
}

void operator delete(void *block, std::align_val_t) noexcept
{
    --alignedBlocks;
    std::free(block);
}
