// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Blocks of a requested alignment: every power of two up to 64 KiB, with sizes on both sides of it
// and of the largest that the pool serves.

#include "heapblock.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <unistd.h>

namespace {

constexpr std::size_t MostAlignment = 64 * 1024;
volatile std::size_t tooMuch = std::size_t(PTRDIFF_MAX) + 1;

bool isAligned(const void *block, std::size_t alignment)
{
    return reinterpret_cast<std::uintptr_t>(block) % alignment == 0;
}

// Several of each, as the first of a page is aligned to anything. Whole blocks are written, so that
// those which overlap show.
template <class Allocate>
void checkAllAlignments(std::size_t least, Allocate allocate)
{
    for (std::size_t alignment = least; alignment <= MostAlignment; alignment *= 2) {
        for (std::size_t size : { std::size_t(0), std::size_t(1), std::size_t(24), alignment / 2,
                                  alignment, alignment + 1, 3 * alignment, std::size_t(500),
                                  std::size_t(1024), std::size_t(1025) }) {
            std::vector<unsigned char *> blocks;
            for (int i = 0; i < 5; ++i) {
                auto *block = static_cast<unsigned char *>(allocate(alignment, size));
                ASSERT_NE(block, nullptr) << size << " at " << alignment;
                EXPECT_TRUE(isAligned(block, alignment)) << size << " at " << alignment;
                EXPECT_TRUE(isAligned(block, 16)) << size << " at " << alignment;
                ASSERT_GE(malloc_usable_size(block), size) << " at " << alignment;
                std::memset(block, i, malloc_usable_size(block));
                blocks.push_back(block);
            }
            for (int i = 0; i < 5; ++i) {
                for (std::size_t at = 0; at < size; ++at)
                    ASSERT_EQ(blocks[std::size_t(i)][at], i) << size << " at " << alignment;
                std::free(blocks[std::size_t(i)]);
            }
        }
    }
}

TEST(AlignmentTest, alignedAllocAlignsEveryBlock)
{
    checkAllAlignments(1, [](std::size_t alignment, std::size_t size) {
        return aligned_alloc(alignment, size);
    });
}

TEST(AlignmentTest, memalignAlignsEveryBlock)
{
    checkAllAlignments(1, [](std::size_t alignment, std::size_t size) {
        return memalign(alignment, size);
    });
}

TEST(AlignmentTest, posixMemalignAlignsEveryBlock)
{
    checkAllAlignments(sizeof(void *), [](std::size_t alignment, std::size_t size) {
        void *block = nullptr;
        EXPECT_EQ(posix_memalign(&block, alignment, size), 0);
        return block;
    });
}

TEST(AlignmentTest, vallocAndPvallocAlignToPages)
{
    const auto page = std::size_t(sysconf(_SC_PAGESIZE));
    for (std::size_t size : { std::size_t(0), std::size_t(1), std::size_t(100), page, page + 1 }) {
        void *block = valloc(size);
        EXPECT_TRUE(block && isAligned(block, page));
        EXPECT_GE(malloc_usable_size(block), size);
        std::free(block);
        block = pvalloc(size);
        EXPECT_TRUE(block && isAligned(block, page));
        EXPECT_GE(malloc_usable_size(block), (size + page - 1) / page * page);
        std::free(block);
    }
}

// Small blocks do not need the C library, whose blocks of 64 bytes at 64 take 160.
TEST(AlignmentTest, smallAlignedBlocksAreThePools)
{
    for (std::size_t alignment : { 16, 32, 64, 256, 1024 }) {
        void *block = aligned_alloc(alignment, alignment);
        EXPECT_TRUE(isPooled(block)) << alignment;
        std::free(block);
    }
}

TEST(AlignmentTest, reallocKeepsTheContentOfAnAlignedBlock)
{
    for (std::size_t alignment : { 32, 128, 4096, 65536 }) {
        auto *block = static_cast<char *>(aligned_alloc(alignment, 100));
        std::memset(block, 0x5A, 100);
        block = static_cast<char *>(std::realloc(block, 3000));
        for (int i = 0; i < 100; ++i)
            ASSERT_EQ(block[i], 0x5A);
        std::free(block);
    }
}

TEST(PosixMemalignTest, refusesInvalidAlignments)
{
    int mark;
    for (std::size_t alignment : { 0, 1, 2, 4, 3, 12, 24, 48, 100, 4097 }) {
        void *block = &mark;
        EXPECT_EQ(posix_memalign(&block, alignment, 100), EINVAL) << alignment;
        EXPECT_EQ(block, &mark) << alignment;
    }
}

TEST(PosixMemalignTest, reportsFailureAsGlibcDoes)
{
    int mark;
    for (std::size_t alignment : { 16, 64, 65536 }) {
        void *block = &mark;
        errno = 4711;
        EXPECT_EQ(posix_memalign(&block, alignment, tooMuch), ENOMEM);
        EXPECT_EQ(block, &mark);
        EXPECT_EQ(errno, ENOMEM);
    }
}

TEST(AlignmentTest, tooMuchIsRefused)
{
    for (std::size_t alignment : { 16, 64, 65536 }) {
        errno = 0;
        EXPECT_EQ(aligned_alloc(alignment, tooMuch), nullptr);
        EXPECT_EQ(errno, ENOMEM);
        errno = 0;
        EXPECT_EQ(memalign(alignment, tooMuch), nullptr);
        EXPECT_EQ(errno, ENOMEM);
    }
    errno = 0;
    EXPECT_EQ(valloc(tooMuch), nullptr);
    EXPECT_EQ(errno, ENOMEM);
    errno = 0;
    EXPECT_EQ(pvalloc(tooMuch * 2 - 1), nullptr);
    EXPECT_EQ(errno, ENOMEM);
}

} // namespace
