// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "core/qpooltrim.h"
#include "os/qpoolstaticpages.h"
#include "stats/qpoolstatistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

using namespace QPool;

namespace {

struct Tag;
using Pages = StaticPages<64 * 1024, Tag>;
using Bins = BinPages<Pages>;
constexpr std::uint32_t ChunkSize = 64;
constexpr std::uint32_t Capacity = Pages::PageSize / ChunkSize;

// A bin of an arena whose owner is the test.
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
        const std::uint32_t count = Bins::take(arena, bin, slots.data(), wanted);
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
        Bins::give(arena, bin, static_cast<FreeChunk *>(chunk));
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

TEST_F(BinPagesTest, endsABatchAtAPagesEnd)
{
    EXPECT_EQ(take(Capacity - 3), Capacity - 3);
    EXPECT_EQ(take(10), 3u);
    EXPECT_EQ(arena.pageCount, 1u);
    EXPECT_EQ(take(10), 10u);
    EXPECT_EQ(arena.pageCount, 2u);
    EXPECT_EQ(std::set<void *>(taken.begin(), taken.end()).size(), taken.size());
}

TEST_F(BinPagesTest, reusesWhatCameBackFirst)
{
    takeAll(Capacity);
    void *chunk = taken[3];
    give(chunk);
    EXPECT_EQ(take(1), 1u);
    EXPECT_EQ(taken.back(), chunk);
}

TEST_F(BinPagesTest, oneEmptyPageStaysWithTheBin)
{
    take(1);
    give(taken[0]);
    EXPECT_EQ(arena.pageCount, 1u);
    EXPECT_EQ(arena.emptyCount, 0u);
    EXPECT_NE(bin.pages, nullptr);
}

TEST_F(BinPagesTest, theArenaKeepsAFewAndPassesTheRestOn)
{
    takeAll(12 * Capacity);
    EXPECT_EQ(arena.pageCount, 12u);
    while (!taken.empty())
        give(taken.back());
    EXPECT_EQ(arena.emptyCount, Bins::KeptEmptyPages);
    EXPECT_LE(arena.pageCount, Bins::KeptEmptyPages + 1);
    EXPECT_GE(arena.releasedPages, 7u);
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
    // The next who has it touches less.
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
    EXPECT_EQ(Bins::take(arena, other, slots, 4), 4u);
    EXPECT_EQ(arena.pageCount, pages);
    EXPECT_EQ(Pages::headerOf(slots[0])->bin, &other);
    EXPECT_EQ(Pages::headerOf(slots[0])->capacity, Pages::PageSize / 200);
    for (void *chunk : slots)
        Bins::give(arena, other, static_cast<FreeChunk *>(chunk));
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

// Layout of one class with an arena of its own: the slow path on top of the pages.
struct OneClass
{
    static constexpr unsigned BinCount = 1;
    static constexpr std::size_t chunkSize(unsigned) { return ChunkSize; }
};

TEST(SlowPathTest, keepsAnAdoptedArenasMagazine)
{
    using Slow = SlowPath<Pages>;
    Arena<OneClass> arena { "test" };
    Bin &bin = arena.bins[0];
    void *first = Slow::allocate(arena, bin, ChunkSize);
    ASSERT_NE(first, nullptr);
    ASSERT_GT(bin.held(), 0u);
    // A thread that adopts an arena comes here without having looked into its magazines.
    void *second = Slow::allocate(arena, bin, ChunkSize);
    ASSERT_NE(second, nullptr);
    EXPECT_EQ(statisticsOf(bin).live(), 2u);
    Slow::deallocate(arena, bin, first);
    Slow::deallocate(arena, bin, second);
    Trim<Pages>::now(arena);
    EXPECT_EQ(statisticsOf(bin).live(), 0u);
    EXPECT_EQ(arena.pageCount, 0u) << "the magazine's chunks were lost";
}

// A thread that allocates one chunk and ends fetches few; one that goes on, more each time.
TEST(SlowPathTest, beginsWithFewChunksEachTimeItWasTrimmed)
{
    struct LargeTag;
    using Slow = SlowPath<StaticPages<64 * 1024, LargeTag, 8192>>;
    Arena<OneClass> arena { "test" };
    Bin &bin = arena.bins[0];
    for (int round = 0; round < 3; ++round) {
        std::vector<void *> chunks;
        std::uint32_t fetched = 0;
        for (std::uint32_t least : { 0u, 4u, 8u, 16u }) {
            chunks.push_back(Slow::allocate(arena, bin, ChunkSize));
            ASSERT_NE(chunks.back(), nullptr);
            fetched = bin.held() + 1;
            EXPECT_GE(fetched, least);
            EXPECT_LE(fetched, least == 0 ? 4u : 2 * least);
            while (void *chunk = bin.pop())
                chunks.push_back(chunk);
        }
        for (void *chunk : chunks) {
            if (!bin.push(chunk))
                Slow::deallocate(arena, bin, chunk);
        }
        Slow::trim(arena);
        EXPECT_EQ(arena.pageCount, 0u);
    }
}

TEST(SlowPathTest, countsAreExactAtEveryStep)
{
    using Slow = SlowPath<Pages>;
    Arena<OneClass> arena { "test" };
    Bin &bin = arena.bins[0];
    std::vector<void *> chunks;
    std::uint64_t allocated = 0;
    std::uint64_t freed = 0;
    const auto check = [&] {
        ASSERT_EQ(statisticsOf(bin).allocated, allocated);
        ASSERT_EQ(statisticsOf(bin).freed, freed);
    };
    for (int i = 0; i < 2000; ++i) {
        if (i % 5 < 3 || chunks.empty()) {
            void *chunk = bin.pop();
            if (!chunk)
                chunk = Slow::allocate(arena, bin, ChunkSize);
            ASSERT_NE(chunk, nullptr);
            chunks.push_back(chunk);
            ++allocated;
        } else {
            void *chunk = chunks.back();
            chunks.pop_back();
            if (i % 2) {
                auto *link = static_cast<FreeChunk *>(chunk);
                bin.backlog.push(link, link, 1);
            } else if (!bin.push(chunk)) {
                Slow::deallocate(arena, bin, chunk);
            }
            ++freed;
        }
        check();
        if (i % 211 == 0) {
            Trim<Pages>::now(arena);
            check();
        }
    }
    for (void *chunk : chunks) {
        if (!bin.push(chunk))
            Slow::deallocate(arena, bin, chunk);
    }
    Trim<Pages>::now(arena);
    EXPECT_EQ(arena.pageCount, 0u);
}

} // namespace
