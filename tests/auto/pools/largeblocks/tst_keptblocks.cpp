// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Which of the large blocks that were freed are found again, and which go back, and when. The time is
// the test's own.

#include "os/qpoolkeptblocks.h"

#include "randomsource.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

using namespace QPool;

namespace {

constexpr std::size_t KiB = 1024;
constexpr std::size_t MiB = 1024 * KiB;

class KeptBlocksTest : public ::testing::Test
{
protected:
    ~KeptBlocksTest() override
    {
        destroy(kept.takeAll());
        EXPECT_EQ(kept.bytes(), 0u);
    }

    LargeBlock *make(std::size_t bytes, std::size_t alignment = 64)
    {
        LargeBlock *block = LargeBlock::make(bytes, alignment, false);
        EXPECT_NE(block, nullptr);
        return block;
    }

    LargeBlock *put(std::size_t bytes, std::uint32_t now = 0, std::size_t alignment = 64)
    {
        LargeBlock *block = make(bytes, alignment);
        kept.put(block, now);
        return block;
    }

    static int destroy(LargeBlock *list)
    {
        int count = 0;
        for (; LargeBlock *block = list; ++count) {
            list = block->next;
            LargeBlock::destroy(block);
        }
        return count;
    }

    // A block that is put in comes out.
    void expectTaken(LargeBlock *block, std::size_t bytes, std::size_t alignment = 64)
    {
        LargeBlock *taken = kept.take(bytes, alignment);
        EXPECT_EQ(taken, block) << bytes;
        if (taken)
            LargeBlock::destroy(taken);
    }

    KeptBlocks kept;
};

TEST_F(KeptBlocksTest, areTakenForSlightlySmallerSizes)
{
    EXPECT_EQ(kept.take(MiB, 64), nullptr);
    LargeBlock *block = put(MiB);
    EXPECT_EQ(kept.bytes(), block->total);
    EXPECT_EQ(kept.take(MiB + 1, 64), nullptr);
    EXPECT_EQ(kept.take(700 * KiB, 64), nullptr);
    EXPECT_EQ(kept.take(std::size_t(PTRDIFF_MAX), 64), nullptr);
    expectTaken(block, 850 * KiB);
    EXPECT_EQ(kept.bytes(), 0u);
}

// Whatever the size, in a bin or between two, the block of exactly that size is found.
TEST_F(KeptBlocksTest, areFoundForEverySize)
{
    for (std::size_t bytes = KeptBlocks::LeastBytes; bytes <= KeptBlocks::MostBytes;
         bytes += bytes / 7 + 1) {
        LargeBlock *block = put(bytes);
        EXPECT_EQ(block->room(), bytes);
        expectTaken(block, bytes);
        block = put(bytes);
        expectTaken(block, bytes - bytes / 6);
    }
}

TEST_F(KeptBlocksTest, areTakenOnlyIfAlignedEnough)
{
    LargeBlock *block = put(MiB, 0, 64);
    LargeBlock *aligned = put(MiB, 0, 4096);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(aligned->memory()) % 4096, 0u);
    expectTaken(aligned, MiB, 4096);
    EXPECT_EQ(kept.take(MiB, 128), nullptr);
    expectTaken(block, MiB, 64);
}

TEST_F(KeptBlocksTest, areTakenLastInFirstOut)
{
    LargeBlock *first = put(MiB), *second = put(MiB), *third = put(MiB);
    expectTaken(third, MiB);
    expectTaken(second, MiB);
    expectTaken(first, MiB);
}

TEST_F(KeptBlocksTest, letTheOldestGoFirst)
{
    put(2 * MiB);
    put(3 * MiB);
    LargeBlock *last = put(MiB);
    EXPECT_EQ(destroy(kept.takeBeyond(kept.bytes())), 0);
    EXPECT_EQ(destroy(kept.takeBeyond(kept.bytes() - 1)), 1);
    EXPECT_EQ(destroy(kept.takeBeyond(last->total)), 1);
    EXPECT_EQ(kept.bytes(), last->total);
    expectTaken(last, MiB);
}

TEST_F(KeptBlocksTest, areBounded)
{
    EXPECT_EQ(KeptBlocks::limit(0), KeptBlocks::AlwaysKept);
    EXPECT_EQ(KeptBlocks::limit(80 * MiB), KeptBlocks::AlwaysKept + 10 * MiB);
    EXPECT_EQ(KeptBlocks::limit(SIZE_MAX), KeptBlocks::MostBytes);
}

TEST_F(KeptBlocksTest, goWhenUnusedForLong)
{
    constexpr std::uint32_t wait = std::uint32_t(KeptBlocks::MaxAge);
    for (std::uint32_t begin : { 0u, 5u, UINT32_MAX - wait / 2 }) { // the clock wraps
        put(MiB, begin);
        put(2 * MiB, begin + wait / 2);
        EXPECT_EQ(destroy(kept.takeAged(begin)), 0);
        EXPECT_EQ(destroy(kept.takeAged(begin + wait)), 0);
        EXPECT_EQ(destroy(kept.takeAged(begin + wait + 1)), 1);
        EXPECT_EQ(destroy(kept.takeAged(begin + wait / 2 + wait + 1)), 1);
        EXPECT_EQ(kept.bytes(), 0u);
    }
}

// A turn of an event loop that does the same as the previous one.
TEST_F(KeptBlocksTest, stayForTheNextTurnIfReused)
{
    const auto turn = [this] {
        LargeBlock *block = kept.take(3 * MiB, 64);
        const bool was = block;
        kept.put(was ? block : make(3 * MiB), 0);
        destroy(kept.takeForIdle());
        return was;
    };
    EXPECT_FALSE(turn());
    EXPECT_EQ(kept.bytes(), 0u) << "a burst is gone at once";
    EXPECT_FALSE(turn());
    EXPECT_GT(kept.bytes(), 3 * MiB) << "it was missed";
    EXPECT_TRUE(turn());
    EXPECT_TRUE(turn());
    destroy(kept.takeForIdle());
    EXPECT_EQ(kept.bytes(), 0u) << "a turn did not use it";
    // Never much.
    for (int i = 0; i < 3; ++i) {
        for (int count = 0; count < 8; ++count) {
            LargeBlock *block = kept.take(2 * MiB, 64);
            put(2 * MiB);
            if (block)
                kept.put(block, 0);
        }
        destroy(kept.takeForIdle());
        EXPECT_LE(kept.bytes(), KeptBlocks::MostForTurn);
    }
}

// Against a list that is searched from end to end.
TEST_F(KeptBlocksTest, matchAReferenceList)
{
    RandomSource random(7);
    std::vector<LargeBlock *> inside; // the oldest first
    const auto bytesInside = [&] {
        std::size_t sum = 0;
        for (const LargeBlock *block : inside)
            sum += block->total;
        return sum;
    };
    for (std::uint32_t now = 0; now < 6000; ++now) {
        const std::size_t bytes = KeptBlocks::LeastBytes + random.below(3 * MiB);
        const std::size_t alignment = std::size_t(64) << random.below(3);
        switch (random.below(4)) {
        case 0: {
            LargeBlock *block = kept.take(bytes, alignment);
            const auto found = std::find(inside.begin(), inside.end(), block);
            ASSERT_EQ(block != nullptr, found != inside.end());
            if (block) {
                EXPECT_GE(block->room(), bytes);
                EXPECT_LE(block->room(), bytes + bytes / 4);
                EXPECT_GE(block->alignment, alignment);
                inside.erase(found);
                LargeBlock::destroy(block);
            }
            break;
        }
        case 1: {
            const std::size_t most = 8 * MiB + random.below(16 * MiB);
            for (LargeBlock *block = kept.takeBeyond(most); block;) {
                LargeBlock *next = block->next;
                const auto found = std::find(inside.begin(), inside.end(), block);
                ASSERT_NE(found, inside.end());
                inside.erase(found);
                LargeBlock::destroy(block);
                block = next;
            }
            EXPECT_LE(kept.bytes(), most);
            break;
        }
        default:
            inside.push_back(put(bytes, now, alignment));
        }
        ASSERT_EQ(kept.bytes(), bytesInside());
        // The oldest one is the first to go.
        if (now % 500 == 0 && !inside.empty()) {
            LargeBlock *oldest = kept.takeBeyond(kept.bytes() - 1);
            EXPECT_EQ(oldest, inside.front());
            EXPECT_EQ(destroy(oldest), 1);
            inside.erase(inside.begin());
        }
    }
    EXPECT_EQ(std::size_t(destroy(kept.takeAll())), inside.size());
}

TEST(LargeBlock, refusesImpossibleSizesAndAlignments)
{
    EXPECT_EQ(LargeBlock::totalFor(SIZE_MAX, 64), 0u);
    EXPECT_EQ(LargeBlock::totalFor(PTRDIFF_MAX, 64), 0u);
    EXPECT_EQ(LargeBlock::totalFor(1, std::size_t(1) << 31), 0u);
    EXPECT_EQ(LargeBlock::make(SIZE_MAX, 64, true), nullptr);
    EXPECT_EQ(LargeBlock::make(PTRDIFF_MAX - 63, 64, true), nullptr);
}

TEST(LargeBlock, knowsItsSizeAndState)
{
    for (bool mayMap : { false, true }) {
        for (std::size_t bytes : { std::size_t(1), 200 * KiB, MiB - 64, MiB, 3 * MiB + 5 }) {
            for (std::size_t alignment = 1; alignment <= 65536; alignment *= 16) {
                LargeBlock *block = LargeBlock::make(bytes, alignment, mayMap);
                ASSERT_NE(block, nullptr);
                EXPECT_EQ(block->room(), bytes);
                EXPECT_EQ(block->asked, bytes);
                EXPECT_EQ(block->state, LargeBlock::State::InUse);
                EXPECT_EQ(LargeBlock::of(block->memory()), block);
                const auto address = reinterpret_cast<std::uintptr_t>(block->memory());
                EXPECT_EQ(address % std::max(alignment, LargeBlock::LeastAlignment), 0u);
                auto *memory = static_cast<char *>(block->memory());
                memory[0] = memory[bytes - 1] = 1;
                LargeBlock::destroy(block);
            }
        }
    }
}

} // namespace
