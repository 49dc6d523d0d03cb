// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// The functions for programs that know the sizes of their blocks. The headers of this system declare none.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <malloc.h>

extern "C" {
void free_sized(void *block, std::size_t size) noexcept;
void free_aligned_sized(void *block, std::size_t alignment, std::size_t size) noexcept;
std::size_t nallocx(std::size_t size, int flags) noexcept;
void sdallocx(void *block, std::size_t size, int flags) noexcept;
}

namespace {

std::vector<std::size_t> sizes()
{
    std::vector<std::size_t> all;
    for (std::size_t size = 0; size <= 2100; ++size)
        all.push_back(size);
    for (std::size_t size = 4096; size <= std::size_t(1) << 22; size *= 2) {
        for (std::size_t near : { size - 25, size - 1, size, size + 1, size + 25 })
            all.push_back(near);
    }
    return all;
}

TEST(MallocSizedTest, aBlockHasTheRoomThatWasPromised)
{
    for (std::size_t size : sizes()) {
        const std::size_t room = nallocx(size, 0);
        ASSERT_GE(room, size);
        ASSERT_LE(room, size < 128 ? size + 24 : size + size / 4);
        void *block = std::malloc(size);
        ASSERT_TRUE(block);
        ASSERT_GE(malloc_usable_size(block), room) << size;
        std::memset(block, 0x5a, room);
        sdallocx(block, room, 0);
    }
}

TEST(MallocSizedTest, soHasAnAlignedOne)
{
    for (int logarithm : { 3, 4, 5, 6, 9, 10, 12, 16, 21 }) {
        const std::size_t alignment = std::size_t(1) << logarithm;
        for (std::size_t size : { 1, 16, 24, 100, 1000, 1024, 1025, 5000, 100000 }) {
            const std::size_t room = nallocx(size, logarithm);
            ASSERT_GE(room, size);
            void *block = aligned_alloc(alignment, size);
            ASSERT_TRUE(block);
            ASSERT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignment, 0u);
            ASSERT_GE(malloc_usable_size(block), room) << size << " at " << alignment;
            std::memset(block, 0x5a, room);
            sdallocx(block, size, logarithm);
        }
    }
}

TEST(MallocSizedTest, noRoomForWhatNoObjectCanHave)
{
    const std::size_t most = std::size_t(PTRDIFF_MAX);
    for (std::size_t size : { most, most + 1, SIZE_MAX - 10, SIZE_MAX }) {
        EXPECT_EQ(nallocx(size, 0), 0u);
        EXPECT_EQ(nallocx(size, 12), 0u);
    }
    EXPECT_EQ(nallocx(1, 63), 0u);
}

// Blocks are counted, so that one that was not freed shows.
TEST(MallocSizedTest, sizedFreesFree)
{
    for (std::size_t size : { 0, 1, 40, 1000, 5000, 1000000 }) {
        const auto used = [] { return mallinfo2().uordblks + mallinfo2().hblkhd; };
        free_sized(std::malloc(size), size); // the first block of a size also takes its page
        const std::size_t before = used();
        for (int i = 0; i < 100; ++i) {
            free_sized(std::malloc(size), size);
            free_sized(std::calloc(1, size), size);
            free_aligned_sized(aligned_alloc(64, size), 64, size);
            sdallocx(std::malloc(size), size, 0);
        }
        EXPECT_LT(used(), before + 50 * (size + 16)) << size;
    }
    free_sized(nullptr, 0);
    free_aligned_sized(nullptr, 64, 0);
}

} // namespace
