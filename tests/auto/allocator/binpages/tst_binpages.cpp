// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "takeinto.h"
#include "pages/qpoolstaticpages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <vector>

using namespace QPool;

namespace {

struct Tag;
using Pages = StaticPages<64 * 1024, Tag>;
using Bins = BinPages<Pages>;
constexpr std::uint32_t ChunkSize = 64;
constexpr std::uint32_t Capacity = Pages::PageSize / ChunkSize;

// A bin of an arena that the test owns.
class BinPagesTest : public ::testing::Test
{
protected:
    BinPagesTest() { bin.chunkSize = ChunkSize; }

    ~BinPagesTest() override
    {
        while (!taken.empty())
            give(taken.back());
        Bins::releaseEmpty(arena, bin);
        Bins::releaseKept(arena);
        EXPECT_EQ(arena.pageCount, 0u);
    }

    std::uint32_t take(std::uint32_t wanted)
    {
        std::vector<void *> slots(wanted);
        const std::uint32_t count = takeInto<Pages>(slots.data(), arena, bin, wanted);
        // A magazine is emptied from its end.
        for (std::uint32_t i = count; i > 0; --i)
            taken.push_back(slots[i - 1]);
        return count;
    }

    void takeAll(std::uint32_t wanted)
    {
        for (std::uint32_t done = 0; done < wanted;)
            done += take(wanted - done);
    }

    void give(void *chunk)
    {
        taken.erase(std::find(taken.begin(), taken.end(), chunk));
        Bins::put(arena, bin, static_cast<FreeChunk *>(chunk));
    }

    Bin bin;
    ArenaBase arena { "test", &bin, 1 };
    std::vector<void *> taken;
};

TEST_F(BinPagesTest, handsOutRisingAddressesOfOnePage)
{
    EXPECT_EQ(take(5), 5u);
    EXPECT_EQ(arena.pageCount, 1u);
    for (std::size_t i = 1; i < taken.size(); ++i)
        EXPECT_EQ(static_cast<char *>(taken[i]), static_cast<char *>(taken[i - 1]) + ChunkSize);
    const PageHeader *page = Pages::headerOf(taken[0]);
    EXPECT_EQ(page->owner, &arena);
    EXPECT_EQ(page->bin, &bin);
    EXPECT_EQ(page->used, 5u);
    EXPECT_EQ(page->fresh, 5u) << "chunks that nobody had must not be touched";
}

TEST_F(BinPagesTest, endsABatchAtTheEndOfAPage)
{
    EXPECT_EQ(take(Capacity - 3), Capacity - 3);
    EXPECT_EQ(take(10), 3u);
    EXPECT_EQ(arena.pageCount, 1u);
    EXPECT_EQ(take(10), 10u);
    EXPECT_EQ(arena.pageCount, 2u);
    EXPECT_EQ(std::set<void *>(taken.begin(), taken.end()).size(), taken.size());
}

TEST_F(BinPagesTest, reusesReturnedChunksFirst)
{
    takeAll(Capacity);
    void *chunk = taken[3];
    give(chunk);
    EXPECT_EQ(take(1), 1u);
    EXPECT_EQ(taken.back(), chunk);
}

// Chunks that wait in a magazine and were never used go back as they came: their memory is not
// accessed.
TEST_F(BinPagesTest, chunksGivenBackUnusedAreFreshAgain)
{
    if (hardened)
        GTEST_SKIP() << "they were prepared, and are linked";
    std::vector<void *> magazine(Capacity);
    ASSERT_EQ(takeInto<Pages>(magazine.data(), arena, bin, Capacity), Capacity);
    PageHeader *page = Pages::headerOf(magazine[0]);
    page->touched = 0; // as one that came from the system
    for (void *chunk : magazine) {
        Track::allocated(chunk, ChunkSize);
        std::memset(chunk, 0x5A, ChunkSize);
    }
    // Five go to the program, the first of which comes back.
    void *first = magazine.back();
    taken.assign(magazine.rbegin(), magazine.rbegin() + 5);
    taken.erase(taken.begin());
    magazine.resize(Capacity - 4);
    magazine.back() = first;
    Bins::putAll(arena, bin, magazine.data(), Capacity - 4);
    EXPECT_EQ(page->used, 4u);
    EXPECT_EQ(page->fresh, 5u);
    const std::string untouched(ChunkSize, 0x5A);
    for (std::size_t i = 0; i < Capacity - 5; ++i)
        EXPECT_EQ(std::string(static_cast<char *>(magazine[i]), ChunkSize), untouched);
    // The one that is linked comes first, then the fresh ones.
    EXPECT_EQ(take(Capacity - 4), Capacity - 4);
    EXPECT_EQ(taken.back(), first);
    EXPECT_EQ(std::set<void *>(taken.begin(), taken.end()).size(), Capacity);
    EXPECT_EQ(page->fresh, Capacity);
    // Chunks that were handed out once still count as touched.
    while (!taken.empty())
        give(taken.back());
    Bins::releaseEmpty(arena, bin);
    EXPECT_EQ(page->touched, Capacity * ChunkSize);
}

TEST_F(BinPagesTest, oneEmptyPageStaysWithTheBin)
{
    take(1);
    give(taken[0]);
    EXPECT_EQ(arena.pageCount, 1u);
    EXPECT_EQ(arena.emptyCount, 0u);
    EXPECT_NE(bin.pages, nullptr);
}

// However many others there are that are used in part.
TEST_F(BinPagesTest, anEmptyPageIsFoundWithoutAWalk)
{
    take(1);
    PageHeader *empty = Pages::headerOf(taken[0]);
    give(taken[0]);
    takeAll(10 * Capacity);
    // The first page is empty again and alone, the others are used in part.
    for (std::uint32_t i = 0; i < Capacity; ++i)
        give(taken[0]);
    ASSERT_EQ(bin.pages, empty);
    for (std::uint32_t page = 9; page-- > 0;)
        give(taken[page * Capacity]);
    ASSERT_TRUE(Bins::hasEmpty(bin));

    // A walk along the list must not reach its end.
    PageHeader *second = bin.pages->next;
    PageHeader *third = second->next;
    ASSERT_NE(third, empty);
    second->next = nullptr;
    Bins::releaseEmpty(arena, bin);
    EXPECT_EQ(empty->owner, nullptr);
    EXPECT_FALSE(Bins::hasEmpty(bin));
    second->next = third;

    // The list is whole.
    std::size_t count = 0;
    const PageHeader *last = nullptr;
    for (const PageHeader *page = bin.pages; page; page = page->next, ++count)
        last = page;
    EXPECT_EQ(count, 9u);
    EXPECT_EQ(bin.pages->previous, last);
}

TEST_F(BinPagesTest, keepsAFewEmptyPagesAndReleasesTheRest)
{
    takeAll(12 * Capacity);
    EXPECT_EQ(arena.pageCount, 12u);
    while (!taken.empty())
        give(taken.back());
    EXPECT_EQ(arena.emptyCount, Tuning::KeptEmptyPages);
    EXPECT_LE(arena.pageCount, Tuning::KeptEmptyPages + 1);
}

TEST_F(BinPagesTest, remembersHowMuchOfAPageWasTouched)
{
    takeAll(Capacity + 3);
    PageHeader *full = Pages::headerOf(taken.front());
    PageHeader *begun = Pages::headerOf(taken.back());
    ASSERT_NE(full, begun);
    full->touched = begun->touched = 0; // as pages that came from the system
    while (!taken.empty())
        give(taken.back());
    Bins::releaseEmpty(arena, bin);
    Bins::releaseKept(arena);
    EXPECT_EQ(full->touched, Capacity * ChunkSize);
    EXPECT_EQ(begun->touched, 3 * ChunkSize);
    // The next owner touches less memory.
    take(1);
    PageHeader *again = Pages::headerOf(taken.front());
    const std::uint32_t before = again->touched;
    give(taken.front());
    Bins::releaseEmpty(arena, bin);
    EXPECT_EQ(again->touched, before);
}

TEST_F(BinPagesTest, aKeptPageServesAnotherBin)
{
    takeAll(3 * Capacity);
    while (!taken.empty())
        give(taken.back());
    const std::uint32_t pages = arena.pageCount;
    ASSERT_GT(arena.emptyCount, 0u);

    Bin other;
    other.chunkSize = 200;
    void *slots[4];
    EXPECT_EQ(takeInto<Pages>(slots, arena, other, 4), 4u);
    EXPECT_EQ(arena.pageCount, pages);
    EXPECT_EQ(Pages::headerOf(slots[0])->bin, &other);
    EXPECT_EQ(Pages::headerOf(slots[0])->capacity, Pages::PageSize / 200);
    for (void *chunk : slots)
        Bins::put(arena, other, static_cast<FreeChunk *>(chunk));
    Bins::releaseEmpty(arena, other);
}

// In every order of frees each page's count must come to nothing exactly once.
class BinPagesOrder : public BinPagesTest, public ::testing::WithParamInterface<int>
{
};

TEST_P(BinPagesOrder, noPageIsLost)
{
    for (int round = 0; round < 3; ++round) {
        takeAll(10 * Capacity - 5);
        std::vector<void *> order = taken;
        if (GetParam() == 1)
            std::reverse(order.begin(), order.end());
        if (GetParam() > 1) {
            const std::size_t stride = std::size_t(GetParam());
            std::vector<void *> strided;
            for (std::size_t start = 0; start < stride; ++start) {
                for (std::size_t i = start; i < order.size(); i += stride)
                    strided.push_back(order[i]);
            }
            order = strided;
        }
        for (void *chunk : order)
            give(chunk);
        Bins::releaseEmpty(arena, bin);
        EXPECT_EQ(arena.pageCount, arena.emptyCount);
        EXPECT_EQ(bin.pages, nullptr);
    }
}

INSTANTIATE_TEST_SUITE_P(Strides, BinPagesOrder, ::testing::Values(0, 1, 2, 3, 17, 160));

} // namespace
