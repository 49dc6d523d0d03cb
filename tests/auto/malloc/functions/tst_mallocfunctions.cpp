// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// malloc(), calloc(), free() and malloc_usable_size(), of every size and of none.

#include "heapblock.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include <dlfcn.h>

namespace {

// Larger than any object can be, and not known to the compiler.
volatile std::size_t tooMuch = std::size_t(PTRDIFF_MAX) + 1;

template <class Function>
std::string libraryOf(Function *function)
{
    Dl_info info = {};
    dladdr(reinterpret_cast<void *>(function), &info);
    return info.dli_fname ? info.dli_fname : "nowhere";
}

// All the others would test the C library otherwise.
TEST(MallocTest, everyFunctionIsOurs)
{
    for (const char *name : { "malloc", "free", "calloc", "realloc", "reallocarray",
                              "aligned_alloc", "posix_memalign", "memalign", "valloc", "pvalloc",
                              "malloc_usable_size", "malloc_trim", "mallinfo", "mallinfo2",
                              "malloc_info", "malloc_stats", "free_sized",
                              "free_aligned_sized", "nallocx", "sdallocx", "_Znwm", "_Znam",
                              "_ZdlPv", "_ZdaPv" }) {
        EXPECT_NE(libraryOf(static_cast<char *>(dlsym(RTLD_DEFAULT, name)))
                          .find("libqpool-malloc"), std::string::npos) << name;
    }
}

TEST(MallocTest, blocksOfEverySizeArePooled)
{
    for (std::size_t size : { 0, 1, 24, 100, 1000, int(MaxPooledSize), int(MaxPooledSize) + 1, 50000, 5000000 }) {
        void *block = std::malloc(size);
        EXPECT_TRUE(isPooled(block)) << size;
        std::free(block);
    }
}

TEST(MallocTest, everySizeIsAlignedAndWritable)
{
    constexpr std::size_t most = 5000;
    std::vector<unsigned char *> blocks(most);
    for (std::size_t size = 0; size < most; ++size) {
        auto *block = static_cast<unsigned char *>(std::malloc(size));
        ASSERT_NE(block, nullptr) << size;
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 16, 0u) << size;
        const std::size_t usable = malloc_usable_size(block);
        EXPECT_GE(usable, size);
        std::memset(block, int(size % 251), usable);
        blocks[size] = block;
    }
    for (std::size_t size = 0; size < most; ++size) {
        const std::size_t usable = malloc_usable_size(blocks[size]);
        for (std::size_t i = 0; i < usable; ++i)
            ASSERT_EQ(blocks[size][i], size % 251) << "byte " << i << " of " << size;
        std::free(blocks[size]);
    }
}

TEST(MallocTest, zeroBytesGiveADistinctBlock)
{
    std::set<void *> blocks;
    for (int i = 0; i < 1000; ++i) {
        void *block = std::malloc(0);
        ASSERT_NE(block, nullptr);
        EXPECT_TRUE(blocks.insert(block).second);
    }
    for (void *block : blocks)
        std::free(block);
}

TEST(MallocTest, nullIsFreedAndHasNoSize)
{
    std::free(nullptr);
    EXPECT_EQ(malloc_usable_size(nullptr), 0u);
}

TEST(MallocTest, whatIsFreedIsUsedAgain)
{
    std::set<void *> places;
    for (int i = 0; i < 1000; ++i) {
        void *block = std::malloc(200);
        places.insert(block);
        std::free(block);
    }
    EXPECT_LT(places.size(), 1000u);
}

TEST(MallocTest, tooMuchIsRefused)
{
    errno = 0;
    EXPECT_EQ(std::malloc(tooMuch), nullptr);
    EXPECT_EQ(errno, ENOMEM);
    errno = 0;
    EXPECT_EQ(std::malloc(tooMuch * 2 - 1), nullptr);
    EXPECT_EQ(errno, ENOMEM);
}

TEST(CallocTest, zeroesReusedMemory)
{
    for (std::size_t size : { 0, 1, 16, 17, 100, 255, 512, 1000, 1024, 1025, 4000, 200000 }) {
        // More than magazines hold, so that pages are used again, too.
        std::vector<void *> blocks(300);
        for (void *&block : blocks) {
            block = std::malloc(size);
            std::memset(block, 0xEE, malloc_usable_size(block));
        }
        for (void *block : blocks)
            std::free(block);
        for (void *&block : blocks) {
            block = std::calloc(size, 1);
            ASSERT_NE(block, nullptr);
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 16, 0u);
            for (std::size_t i = 0; i < size; ++i)
                ASSERT_EQ(static_cast<char *>(block)[i], 0) << "byte " << i << " of " << size;
        }
        for (void *block : blocks)
            std::free(block);
    }
}

TEST(CallocTest, multipliesItsArguments)
{
    auto *block = static_cast<char *>(std::calloc(30, 30));
    ASSERT_GE(malloc_usable_size(block), 900u);
    for (std::size_t i = 0; i < 900; ++i)
        ASSERT_EQ(block[i], 0);
    std::free(block);
}

TEST(CallocTest, aProductThatOverflowsIsRefused)
{
    // The first wraps to 0 bytes, the second to 16: both would otherwise succeed.
    const std::size_t half = tooMuch;
    for (const auto &[count, size] : { std::pair { half, std::size_t(2) },
                                       std::pair { half / 8 + 1, std::size_t(16) },
                                       std::pair { half, std::size_t(1) } }) {
        errno = 0;
        EXPECT_EQ(std::calloc(count, size), nullptr);
        EXPECT_EQ(errno, ENOMEM);
        errno = 0;
        EXPECT_EQ(std::calloc(size, count), nullptr);
        EXPECT_EQ(errno, ENOMEM);
    }
}

TEST(CallocTest, zeroElementsGiveABlock)
{
    void *block = std::calloc(0, tooMuch);
    EXPECT_NE(block, nullptr);
    std::free(block);
}

} // namespace
