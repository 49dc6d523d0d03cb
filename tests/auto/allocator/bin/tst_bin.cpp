// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "stats/qpoolstatistics.h"

#include <gtest/gtest.h>

using namespace QPool;

namespace {

class BinTest : public ::testing::Test
{
protected:
    // As the slow path prepares it.
    BinTest()
    {
        bin.magazine = bin.inlineSlots;
        bin.capacity = Bin::InlineCapacity;
    }

    void load(std::uint32_t count)
    {
        for (std::uint32_t i = 0; i < count; ++i)
            bin.magazine[bin.held() + i] = &chunks[i];
        bin.countMoved(std::int32_t(count));
    }

    void expect(std::uint64_t allocated, std::uint64_t freed)
    {
        const BinStatistics statistics = statisticsOf(bin);
        EXPECT_EQ(statistics.allocated, allocated);
        EXPECT_EQ(statistics.freed, freed);
        EXPECT_EQ(statistics.live(), allocated - freed);
    }

    Bin bin;
    void *chunks[64];
};

TEST(EmptyBinTest, popsNothingAndRefusesPushes)
{
    static Bin bin;
    int chunk = 0;
    EXPECT_EQ(bin.pop(), nullptr);
    EXPECT_FALSE(bin.push(&chunk));
    EXPECT_EQ(statisticsOf(bin).allocated, 0u);
    EXPECT_EQ(statisticsOf(bin).freed, 0u);
}

TEST_F(BinTest, popsLoadedChunksFromTheEnd)
{
    load(3);
    expect(0, 0);
    EXPECT_EQ(bin.pop(), &chunks[2]);
    EXPECT_EQ(bin.pop(), &chunks[1]);
    expect(2, 0);
    EXPECT_EQ(bin.pop(), &chunks[0]);
    EXPECT_EQ(bin.pop(), nullptr);
    expect(3, 0);
}

TEST_F(BinTest, pushesUntilItIsFull)
{
    load(Bin::InlineCapacity);
    for (std::uint32_t i = 0; i < Bin::InlineCapacity; ++i)
        bin.pop();
    for (std::uint32_t i = 0; i < Bin::InlineCapacity; ++i)
        EXPECT_TRUE(bin.push(&chunks[i]));
    EXPECT_FALSE(bin.push(&chunks[20]));
    expect(Bin::InlineCapacity, Bin::InlineCapacity);
}

TEST_F(BinTest, popsTheLastPushedChunkFirst)
{
    load(2);
    void *first = bin.pop();
    void *second = bin.pop();
    bin.push(second);
    bin.push(first);
    EXPECT_EQ(bin.pop(), first);
    EXPECT_EQ(bin.pop(), second);
    expect(4, 2);
}

TEST_F(BinTest, countsTheSameBeforeAndAfterALoad)
{
    load(10);
    while (bin.pop()) { }
    for (int i = 0; i < 7; ++i)
        bin.push(&chunks[i]);
    expect(10, 7);
    bin.countMoved(-3);
    expect(10, 7);
    load(8);
    EXPECT_EQ(bin.held(), 12u);
    expect(10, 7);
}

// On some machines one word holds both the number of chunks held and the number popped.
template <class Level>
class MagazineLevelTest : public ::testing::Test
{
};
using Levels = ::testing::Types<LevelOfOneWord, LevelOfTwoWords>;
TYPED_TEST_SUITE(MagazineLevelTest, Levels);

TYPED_TEST(MagazineLevelTest, keepsBothCountsApart)
{
    TypeParam level;
    constexpr std::uint32_t most = TypeParam::MaxHeld;
    level.setHeld(most);
    for (std::uint32_t i = 0; i < most; ++i)
        level.pop(level.load());
    EXPECT_EQ(level.load().held(), 0u);
    EXPECT_EQ(level.load().popped(), most);
    for (std::uint32_t i = 0; i < most; ++i)
        level.push(level.load());
    EXPECT_EQ(level.load().held(), most);
    EXPECT_EQ(level.load().popped(), most);
    level.setHeld(3);
    level.pop(level.load());
    EXPECT_EQ(level.load().held(), 2u);
    EXPECT_EQ(level.load().popped(), most + 1u);
}

TEST_F(BinTest, countsRemoteFreesAsFrees)
{
    load(4);
    while (bin.pop()) { }
    FreeChunk chunk;
    bin.backlog.push(&chunk, &chunk, 1);
    EXPECT_EQ(statisticsOf(bin).remote, 1u);
    expect(4, 1);
}

// On 32 bits the counters wrap in minutes, but the number of live chunks stays correct.
TEST(ShortCountersTest, countLiveChunksAcrossAWrap)
{
    // 100 chunks were live before the first wrapped, 32 more are held, 7 were freed by others.
    for (std::uint32_t popped : { 0xFFFFFFFFu, 0u, 1u, 99u, 100u, 0x80000000u }) {
        for (std::uint32_t pushed : { 7u, 0xFFFFFFF0u, 0u }) {
            const std::uint32_t loaded = 100 + 32 + pushed;
            const BinStatistics statistics = statisticsOfShortCounters(popped, loaded, 32, pushed);
            EXPECT_EQ(statistics.live(), 100u) << popped << ' ' << pushed;
            EXPECT_EQ(std::uint32_t(statistics.allocated), popped);
            EXPECT_EQ(statistics.remote, pushed);
        }
    }
}

// A thread that freed five large chunks which others allocated: none is live of its own, and the sum is right.
TEST(ShortCountersTest, addUpWhoeverFreed)
{
    BinStatistics statistics = statisticsOfShortCounters(50, 10, 12, 3);
    EXPECT_EQ(statistics.live(), 0u);
    EXPECT_EQ(statistics.freed, 55u);
    statistics += statisticsOfShortCounters(20, 8, 1, 0);
    EXPECT_EQ(statistics.live(), 2u);
    EXPECT_EQ(statistics.allocated, 70u);
}

// Data of the fast paths must not share a cache line with data that other threads write.
TEST_F(BinTest, keepsOtherThreadsOffItsFirstLine)
{
    const auto line = [](const void *place) {
        return reinterpret_cast<std::uintptr_t>(place) / CacheLineSize;
    };
    EXPECT_EQ(line(&bin.level), line(&bin.pages));
    EXPECT_NE(line(&bin.backlog), line(&bin.level));
    EXPECT_NE(line(&bin.backlog), line(&bin.inlineSlots));
}

} // namespace
