// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// realloc() and reallocarray(): within a class, between classes, between the pool and the C
// library.

#include "heapblock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace {

volatile std::size_t tooMuch = std::size_t(PTRDIFF_MAX) + 1;

unsigned char byteAt(std::size_t index)
{
    return static_cast<unsigned char>(index * 7 + index / 256);
}

void fill(void *block, std::size_t size)
{
    for (std::size_t i = 0; i < size; ++i)
        static_cast<unsigned char *>(block)[i] = byteAt(i);
}

bool isFilled(const void *block, std::size_t size)
{
    for (std::size_t i = 0; i < size; ++i) {
        if (static_cast<const unsigned char *>(block)[i] != byteAt(i))
            return false;
    }
    return true;
}

constexpr std::size_t Sizes[] = { 1, 8, 15, 16, 17, 31, 40, 100, 160, 161, 255, 256, 257, 400, 511,
                                  513, 700, 1000, 1023, 1024, 1025, 1500, 5000, 70000, 300000 };

TEST(ReallocTest, keepsTheContentFromAnySizeToAnyOther)
{
    for (std::size_t from : Sizes) {
        for (std::size_t to : Sizes) {
            void *block = std::malloc(from);
            fill(block, from);
            block = std::realloc(block, to);
            ASSERT_NE(block, nullptr);
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 16, 0u);
            EXPECT_GE(malloc_usable_size(block), to);
            EXPECT_TRUE(isFilled(block, from < to ? from : to)) << from << " to " << to;
            // All of the requested bytes can be written, and they belong to no other block.
            fill(block, to);
            EXPECT_TRUE(isFilled(block, to));
            std::free(block);
        }
    }
}

// The content of its neighbours, too.
TEST(ReallocTest, growsByteByByteAndShrinksAgain)
{
    constexpr std::size_t most = 3000;
    void *before = std::malloc(1);
    void *block = nullptr;
    for (std::size_t size = 1; size <= most; ++size) {
        block = std::realloc(block, size);
        ASSERT_TRUE(isFilled(block, size - 1)) << size;
        fill(block, size);
    }
    for (std::size_t size = most; size > 0; --size) {
        block = std::realloc(block, size);
        ASSERT_TRUE(isFilled(block, size)) << size;
    }
    std::free(block);
    std::free(before);
}

TEST(ReallocTest, staysWithinItsClass)
{
    void *block = std::malloc(100);
    const std::size_t usable = malloc_usable_size(block);
    for (std::size_t size : { std::size_t(101), usable, std::size_t(100), usable / 2 + 1 }) {
        void *same = std::realloc(block, size);
        EXPECT_EQ(same, block) << size;
        block = same;
    }
    EXPECT_EQ(malloc_usable_size(block), usable);
    std::free(block);
}

TEST(ReallocTest, aLargeShrinkGivesMemoryBack)
{
    void *block = std::malloc(1000);
    block = std::realloc(block, 10);
    EXPECT_LT(malloc_usable_size(block), 500u);
    std::free(block);
}

TEST(ReallocTest, allocatesForNull)
{
    for (std::size_t size : { 0, 10, 5000 }) {
        void *block = std::realloc(nullptr, size);
        EXPECT_NE(block, nullptr);
        std::free(block);
    }
}

// Like glibc. If the block were not freed, the pool's statistics would show it.
TEST(ReallocTest, freesForSizeZero)
{
    EXPECT_EQ(std::realloc(std::malloc(5000), 0), nullptr);
    const std::size_t used = mallinfo2().uordblks;
    for (int i = 0; i < 10000; ++i)
        ASSERT_EQ(std::realloc(std::malloc(500), 0), nullptr);
    EXPECT_LT(mallinfo2().uordblks, used + 10000 * 500 / 2);
}

// Beyond 32 KiB a block may be a chunk or pages of its own, and becomes the other.
TEST(ReallocTest, keepsTheContentsAroundTheLargestClass)
{
    const std::size_t sizes[] = { 30000, 32769, 40000, 65536, 65537, 300000 };
    for (std::size_t from : sizes) {
        for (std::size_t to : sizes) {
            void *block = std::malloc(from);
            fill(block, std::min(from, to));
            block = std::realloc(block, to);
            ASSERT_NE(block, nullptr);
            EXPECT_GE(malloc_usable_size(block), to);
            EXPECT_TRUE(isFilled(block, std::min(from, to))) << from << " to " << to;
            std::free(block);
        }
    }
}

TEST(ReallocTest, leavesTheBlockOnFailure)
{
    for (std::size_t size : { 100, 5000, 300000 }) {
        void *block = std::malloc(size);
        fill(block, size);
        errno = 0;
        EXPECT_EQ(std::realloc(block, tooMuch), nullptr);
        EXPECT_EQ(errno, ENOMEM);
        EXPECT_TRUE(isFilled(block, size));
        std::free(block);
    }
}

// The product wraps to 0 bytes, which would free the block, and to 16.
TEST(ReallocarrayTest, leavesTheBlockOnOverflow)
{
    const std::size_t half = tooMuch;
    // The compiler takes a block for freed that was passed to realloc().
    void *volatile block = std::malloc(100);
    fill(block, 100);
    for (const auto &[count, size] : { std::pair { half, std::size_t(2) },
                                       std::pair { half / 8 + 1, std::size_t(16) } }) {
        errno = 0;
        EXPECT_EQ(reallocarray(block, count, size), nullptr);
        EXPECT_EQ(errno, ENOMEM);
        errno = 0;
        EXPECT_EQ(reallocarray(block, size, count), nullptr);
        EXPECT_EQ(errno, ENOMEM);
    }
    EXPECT_TRUE(isFilled(block, 100));
    std::free(block);
}

TEST(ReallocarrayTest, multipliesItsArguments)
{
    void *block = reallocarray(nullptr, 10, 10);
    fill(block, 100);
    block = reallocarray(block, 100, 30);
    EXPECT_GE(malloc_usable_size(block), 3000u);
    EXPECT_TRUE(isFilled(block, 100));
    std::free(block);
}

} // namespace
