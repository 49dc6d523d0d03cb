// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Functions that differ between versions of the C library: the front does what the installed one does.

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <dlfcn.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {

// The C library's own function, which the front replaces.
template <class Function>
Function *ofGlibc(const char *name)
{
    static void *library = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
    auto *function = reinterpret_cast<Function *>(library ? dlsym(library, name) : nullptr);
    EXPECT_NE(function, nullptr) << name;
    return function;
}

// Everything that a caller can see of a call, except the address.
struct Outcome
{
    bool isBlock;
    int error;
    bool operator==(const Outcome &other) const
    {
        return isBlock == other.isBlock && error == other.error;
    }
};

std::ostream &operator<<(std::ostream &stream, const Outcome &outcome)
{
    return stream << (outcome.isBlock ? "a block" : "null") << ", errno " << outcome.error;
}

template <class Call>
Outcome outcomeOf(Call call)
{
    errno = 0;
    void *block = call();
    const Outcome outcome { block != nullptr, errno };
    std::free(block);
    return outcome;
}

constexpr std::size_t HalfOfAll = SIZE_MAX / 2 + 1;

const std::vector<std::size_t> alignments = { 0, 1, 2, 3, 4, 7, 8, 12, 16, 24, 32, 48, 64, 100, 4096,
                                              5000, 1 << 20, HalfOfAll / 2, HalfOfAll,
                                              HalfOfAll + 1, SIZE_MAX - 15, SIZE_MAX };
const std::vector<std::size_t> sizes = { 0, 1, 100, 1024, 9000, PTRDIFF_MAX, SIZE_MAX - 4096,
                                         SIZE_MAX };

using Aligned = void *(std::size_t, std::size_t);

void compareAligned(Aligned *front, const char *name)
{
    auto *glibc = ofGlibc<Aligned>(name);
    ASSERT_NE(front, glibc) << "the front is not there";
    for (std::size_t alignment : alignments) {
        for (std::size_t size : sizes) {
            EXPECT_EQ(outcomeOf([=] { return front(alignment, size); }),
                      outcomeOf([=] { return glibc(alignment, size); }))
                    << name << '(' << alignment << ", " << size << ')';
        }
    }
}

TEST(AsGlibcTest, alignedAllocHasTheSameOutcome)
{
    compareAligned(&aligned_alloc, "aligned_alloc");
}

TEST(AsGlibcTest, memalignHasTheSameOutcome)
{
    compareAligned(&memalign, "memalign");
}

// Not errno, which POSIX leaves open: the front keeps it.
TEST(AsGlibcTest, posixMemalignHasTheSameOutcome)
{
    auto *glibc = ofGlibc<int(void **, std::size_t, std::size_t)>("posix_memalign");
    for (std::size_t alignment : alignments) {
        for (std::size_t size : sizes) {
            int unchanged;
            void *block = &unchanged;
            void *other = &unchanged;
            const int result = posix_memalign(&block, alignment, size);
            EXPECT_EQ(result, glibc(&other, alignment, size)) << alignment << ", " << size;
            EXPECT_EQ(block == &unchanged, other == &unchanged) << alignment << ", " << size;
            if (block != &unchanged)
                std::free(block);
            if (other != &unchanged)
                std::free(other);
        }
    }
}

TEST(AsGlibcTest, vallocAndPvallocHaveTheSameOutcome)
{
    using Function = void *(std::size_t);
    for (std::size_t size : sizes) {
        EXPECT_EQ(outcomeOf([=] { return valloc(size); }),
                  outcomeOf([=] { return ofGlibc<Function>("valloc")(size); })) << size;
        EXPECT_EQ(outcomeOf([=] { return pvalloc(size); }),
                  outcomeOf([=] { return ofGlibc<Function>("pvalloc")(size); })) << size;
    }
}

std::size_t residentPages(const void *block, std::size_t bytes)
{
    const std::size_t page = std::size_t(sysconf(_SC_PAGESIZE));
    const std::uintptr_t begin = (reinterpret_cast<std::uintptr_t>(block) + page - 1) / page * page;
    const std::uintptr_t end = (reinterpret_cast<std::uintptr_t>(block) + bytes) / page * page;
    std::vector<unsigned char> pages((end - begin) / page);
    EXPECT_EQ(mincore(reinterpret_cast<void *>(begin), end - begin, pages.data()), 0);
    std::size_t count = 0;
    for (unsigned char state : pages)
        count += state & 1;
    return count;
}

// Memory from the system is zero: writing zeros again would fetch all of it. One huge page may be
// fetched because of the C library's word before the block.
TEST(AsGlibcTest, callocDoesNotTouchFreshMemory)
{
    constexpr std::size_t bytes = 64 << 20;
    const std::size_t hugePage = (2 << 20) / std::size_t(sysconf(_SC_PAGESIZE));
    auto *block = static_cast<char *>(std::calloc(bytes / 8, 8));
    ASSERT_NE(block, nullptr);
    EXPECT_LE(residentPages(block, bytes), hugePage);
    for (std::size_t at = 0; at < bytes; at += 4096)
        ASSERT_EQ(block[at], 0) << at;
    std::free(block);
}

// Nor is a large block that the program has used and freed: glibc has given it back.
TEST(AsGlibcTest, callocDoesNotTouchLargeBlocksThatWereFreed)
{
    constexpr std::size_t bytes = 64 << 20;
    const std::size_t hugePage = (2 << 20) / std::size_t(sysconf(_SC_PAGESIZE));
    for (int round = 0; round < 3; ++round) {
        auto *block = static_cast<char *>(std::calloc(1, bytes));
        ASSERT_NE(block, nullptr);
        EXPECT_LE(residentPages(block, bytes), hugePage) << round;
        for (std::size_t at = 0; at < bytes; at += 4096)
            ASSERT_EQ(block[at], 0) << at;
        std::memset(block, 1, bytes);
        std::free(block);
    }
}

} // namespace
