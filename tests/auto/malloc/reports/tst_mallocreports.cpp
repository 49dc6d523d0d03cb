// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// mallinfo2(), malloc_info() and the others report both parts of the heap correctly.

#include "childprocess.h"
#include "heapblock.h"
#include "rendezvous.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <unistd.h>

namespace {

std::string writtenInfo()
{
    char *text = nullptr;
    std::size_t length = 0;
    std::FILE *file = open_memstream(&text, &length);
    EXPECT_EQ(malloc_info(0, file), 0);
    std::fclose(file);
    std::string result(text, length);
    std::free(text);
    return result;
}

// The number after \a prefix; -1 if there is none.
long long numberAfter(const std::string &text, const std::string &prefix)
{
    const std::size_t at = text.find(prefix);
    return at == std::string::npos ? -1 : std::atoll(text.c_str() + at + prefix.size());
}

TEST(MallinfoTest, countsAMillionSmallBlocks)
{
    constexpr std::size_t count = 1000000;
    constexpr std::size_t size = 48;
    std::vector<void *> blocks(count);
    const struct mallinfo2 before = mallinfo2();
    for (void *&block : blocks)
        block = std::malloc(size);
    const struct mallinfo2 during = mallinfo2();
    EXPECT_EQ(during.uordblks - before.uordblks, count * size);
    EXPECT_GE(during.arena + during.hblkhd, during.uordblks + during.fordblks);
    // Blocks of another thread, freed by this one or not at all, are counted as well.
    std::vector<void *> others(1000);
    inOtherThread([&] {
        for (void *&block : others)
            block = std::malloc(1000);
    });
    EXPECT_GE(mallinfo2().uordblks, during.uordblks + others.size() * 1000);
    for (void *block : others)
        std::free(block);
    for (void *block : blocks)
        std::free(block);
    EXPECT_LE(mallinfo2().uordblks, before.uordblks + 100000);
}

TEST(MallinfoTest, countsLargeBlocks)
{
    const struct mallinfo2 before = mallinfo2();
    void *small = std::malloc(50000);
    void *large = std::malloc(50 << 20);
    const struct mallinfo2 during = mallinfo2();
    EXPECT_GE(during.uordblks, before.uordblks + 50000 + (50 << 20));
    std::free(small);
    std::free(large);
}

TEST(MallinfoTest, theOldFormAgreesAndNeverWraps)
{
    const struct mallinfo2 large = mallinfo2();
// Functions that old binaries still call.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    struct mallinfo small = mallinfo();
    EXPECT_EQ(std::size_t(small.uordblks), large.uordblks);
    EXPECT_EQ(std::size_t(small.arena), large.arena);
    void *mapped = std::malloc(std::size_t(INT_MAX) + 4096);
    if (mapped) { // addresses only
        small = mallinfo();
        EXPECT_EQ(small.uordblks, INT_MAX);
        std::free(mapped);
    }
#pragma GCC diagnostic pop
}

TEST(MallocInfoTest, describesThePoolAndTheCLibrary)
{
    std::vector<void *> blocks(5000);
    for (void *&block : blocks)
        block = std::malloc(700);
    const std::string text = writtenInfo();
    for (void *block : blocks)
        std::free(block);
    EXPECT_EQ(text.rfind("<malloc", 0), 0u) << text;
    const std::size_t end = text.find("</malloc>");
    ASSERT_NE(end, std::string::npos);
    EXPECT_EQ(text.find("</malloc>", end + 1), std::string::npos);
    EXPECT_NE(text.find("<heap nr="), std::string::npos); // the C library's
    const std::size_t pool = text.find("<qpool>");
    ASSERT_NE(pool, std::string::npos);
    EXPECT_LT(pool, end);
    EXPECT_LT(text.find("</qpool>"), end);
    EXPECT_GE(numberAfter(text, "<used size=\""), 5000 * 700);
    EXPECT_GE(numberAfter(text, "<size bytes=\"704\" allocated=\""), 5000);
}

TEST(MallocInfoTest, refusesOptions)
{
    errno = 0;
    EXPECT_EQ(malloc_info(1, stderr), -1);
    EXPECT_EQ(errno, EINVAL);
}

TEST(MallocStatsTest, describeThePoolAndTheCLibrary)
{
    ::testing::internal::CaptureStderr();
    malloc_stats();
    const std::string text = ::testing::internal::GetCapturedStderr();
    EXPECT_NE(text.find("Arena 0"), std::string::npos) << text;
    EXPECT_NE(text.find("QPool"), std::string::npos) << text;
}

TEST(MallocTrimTest, givesThePoolsMemoryBack)
{
    std::vector<void *> blocks(200000);
    for (void *&block : blocks) {
        block = std::malloc(512);
        std::memset(block, 1, 512);
    }
    for (void *block : blocks)
        std::free(block);
    const std::size_t before = mallinfo2().arena;
    EXPECT_EQ(malloc_trim(0), 1);
    EXPECT_LT(mallinfo2().arena, before);
}

// With QT_POOL_ALLOCATOR=0 the front is disabled: these tests, run so by ctest, are about nothing
// else.
class DisabledTest : public testing::Test
{
protected:
    void SetUp() override
    {
        const char *wish = std::getenv("QT_POOL_ALLOCATOR");
        if (!wish || std::strcmp(wish, "0") != 0)
            GTEST_SKIP() << "the pool is in use";
    }
};

TEST_F(DisabledTest, nothingIsFromThePool)
{
    std::vector<void *> blocks(10000);
    const struct mallinfo2 before = mallinfo2();
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        blocks[i] = i % 2 ? std::malloc(i % 1025) : std::calloc(1, i % 1025);
        ASSERT_FALSE(isPooled(blocks[i]));
    }
    const struct mallinfo2 during = mallinfo2();
    EXPECT_GE(during.uordblks, before.uordblks + 4000000);
    const std::string text = writtenInfo();
    EXPECT_EQ(numberAfter(text, "<system type=\"current\" size=\"0\"/>\n<used size=\""), 0) << text;
    EXPECT_EQ(text.find("<size bytes="), std::string::npos);
    for (void *block : blocks)
        std::free(block);
}

// The C library is not told to keep more than by default either.
TEST_F(DisabledTest, theEndOfTheHeapGoesBack)
{
    // Until the free memory within is used up.
    std::vector<void *> blocks;
    blocks.reserve(10000);
    const char *begin = static_cast<char *>(sbrk(0));
    while (sbrk(0) < begin + 512 * 1024)
        blocks.push_back(std::malloc(16 * 1024));
    const void *end = sbrk(0);
    for (void *block : blocks)
        std::free(block);
    EXPECT_LT(sbrk(0), end);
}

} // namespace
