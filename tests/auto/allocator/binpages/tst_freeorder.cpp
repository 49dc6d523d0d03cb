// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "takeinto.h"
#include "pages/qpoolstaticpages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

using namespace QPool;

namespace {

struct Tag;
using Pages = StaticPages<64 * 1024, Tag, 8 * 1024>;
using Bins = BinPages<Pages>;
constexpr std::uint32_t ChunkSize = 64;
constexpr std::uint32_t Capacity = Pages::PageSize / ChunkSize;

// One page whose chunks, except one, were freed in no order.
class FreeOrderTest : public ::testing::Test
{
protected:
    void SetUp() override
    {
        if (hardened)
            GTEST_SKIP() << "links are followed one by one, once they were checked";
        bin.chunkSize = ChunkSize;
        while (all.size() < Capacity)
            take(Capacity, all);
        std::sort(all.begin(), all.end());
        stays = all[Capacity / 2];
        for (std::size_t i = 0; i < Capacity; ++i)
            give(all[i * 37 % Capacity]);
    }

    void TearDown() override { EXPECT_LE(arena.pageCount, 1u); }

    std::size_t take(std::uint32_t wanted, std::vector<void *> &to)
    {
        std::vector<void *> slots(wanted);
        const std::uint32_t count = takeInto<Pages>(slots.data(), arena, bin, wanted);
        // A magazine is emptied from its end.
        to.insert(to.end(), slots.rend() - count, slots.rend());
        return count;
    }

    void give(void *chunk)
    {
        if (chunk != stays)
            Bins::put(arena, bin, static_cast<FreeChunk *>(chunk));
    }

    Bin bin;
    ArenaBase arena { "test", &bin, 1 };
    std::vector<void *> all;
    void *stays = nullptr;
};

TEST_F(FreeOrderTest, isByAddressAfterUnorderedFrees)
{
    std::vector<void *> taken;
    while (taken.size() < Capacity - 1)
        ASSERT_GT(take(16, taken), 0u);
    EXPECT_TRUE(std::is_sorted(taken.begin(), taken.end()));
    taken.push_back(stays);
    std::sort(taken.begin(), taken.end());
    EXPECT_EQ(taken, all) << "each is handed out once";
}

// A few chunks that came back since are handed out last in, first out, because a list is not sorted
// for each batch.
TEST_F(FreeOrderTest, isLastInFirstOutForAFewChunks)
{
    std::vector<void *> few;
    ASSERT_EQ(take(4, few), 4u);
    EXPECT_TRUE(std::is_sorted(few.begin(), few.end()));
    for (std::size_t i : { 1u, 3u, 0u, 2u })
        give(few[i]);
    std::vector<void *> again;
    ASSERT_EQ(take(4, again), 4u);
    EXPECT_EQ(again, (std::vector<void *> { few[2], few[0], few[3], few[1] }));
}

// The next time that half of the page came back it is.
TEST_F(FreeOrderTest, isByAddressAgainAfterManyFrees)
{
    std::vector<void *> taken;
    while (taken.size() < Capacity - 1)
        ASSERT_GT(take(16, taken), 0u);
    for (std::size_t i = 0; i < Capacity; ++i)
        give(all[i * 53 % Capacity]);
    taken.clear();
    while (taken.size() < Capacity - 1)
        ASSERT_GT(take(16, taken), 0u);
    EXPECT_TRUE(std::is_sorted(taken.begin(), taken.end()));
}

} // namespace
