// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Blocks of all sizes in a segment: they are aligned, do not overlap and are counted, and all
// memory is in one piece again when they are freed.

#include "randomsource.h"
#include "testscale.h"
#include "testsegment.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

using namespace QPool;

namespace {

bool isFilled(const void *block, std::size_t bytes, unsigned char value)
{
    const auto *at = static_cast<const unsigned char *>(block);
    return std::all_of(at, at + bytes, [&](unsigned char byte) { return byte == value; });
}

TEST(SharedHeapTest, classesFitTheirSlabs)
{
    std::uint32_t before = 0;
    for (std::uint32_t i = 0; i < SharedClasses::Count; ++i) {
        const SharedClass &entry = SharedClasses::at(i);
        EXPECT_GT(entry.size, before);
        before = entry.size;
        EXPECT_LE(entry.words, SharedClasses::MaxWords);
        EXPECT_LE(entry.blocks * entry.size, entry.pages * SharedClasses::PageBytes);
        EXPECT_GE(entry.blocks * entry.size * 8, entry.pages * SharedClasses::PageBytes * 7);
        EXPECT_EQ(SharedClasses::indexOf(entry.size), i);
        for (std::uint32_t block = 0; block < entry.blocks; ++block) {
            for (const std::uint32_t within : { block * entry.size, block * entry.size + entry.size - 1 })
                ASSERT_EQ(std::uint64_t(within) * entry.reciprocal >> 32, block) << entry.size;
        }
    }
    EXPECT_EQ(before, SharedClasses::LargestBytes);
}

TEST(SharedHeapTest, servesEverySize)
{
    TestSegment test(8 << 20);
    const SharedStatistics empty = test.segment.statistics();
    std::vector<std::pair<void *, std::size_t>> blocks;
    for (std::size_t bytes = 0; bytes < 5000; bytes += bytes < 1100 ? 1 : 37) {
        void *block = test.segment.allocate(bytes, 1);
        ASSERT_NE(block, nullptr) << bytes;
        EXPECT_TRUE(test.segment.contains(block));
        std::memset(block, int(blocks.size() & 0xFF), bytes);
        blocks.emplace_back(block, bytes);
    }
    EXPECT_SOUND(test.segment);
    EXPECT_EQ(test.segment.statistics().usedBlocks, blocks.size());
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        EXPECT_TRUE(isFilled(blocks[i].first, blocks[i].second, (unsigned char)(i)));
        test.segment.deallocate(blocks[i].first, blocks[i].second, 1);
    }
    EXPECT_SOUND(test.segment);
    const SharedStatistics after = test.segment.statistics();
    EXPECT_EQ(after.usedBlocks, 0u);
    EXPECT_EQ(after.usedBytes, 0u);
    // A slab a class may stay.
    EXPECT_GE(after.freeBytes + 2 * SharedClasses::Count * 4 * 4096, empty.freeBytes);
    EXPECT_EQ(after.badFrees, 0u);
}

TEST(SharedHeapTest, servesEveryAlignment)
{
    TestSegment test(16 << 20);
    std::vector<std::tuple<void *, std::size_t, std::size_t>> blocks;
    for (std::size_t alignment = 1; alignment <= 4096; alignment *= 2) {
        for (std::size_t bytes : { 1, 8, 24, 100, 256, 700, 1100, 1500, 2100, 2900, 3073, 9000, 70000 }) {
            void *block = test.segment.allocate(bytes, alignment);
            ASSERT_NE(block, nullptr);
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignment, 0u) << bytes;
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 16, 0u) << bytes;
            std::memset(block, 7, bytes);
            blocks.emplace_back(block, bytes, alignment);
        }
    }
    EXPECT_EQ(test.segment.allocate(1, 8192), nullptr);
    EXPECT_SOUND(test.segment);
    for (const auto &[block, bytes, alignment] : blocks)
        test.segment.deallocate(block, bytes, alignment);
    EXPECT_SOUND(test.segment);
    EXPECT_EQ(test.segment.statistics().usedBlocks, 0u);
    EXPECT_EQ(test.segment.statistics().badFrees, 0u);
}

// Full is full for this size only, and not for good.
TEST(SharedHeapTest, isUsableAgainAfterBeingFull)
{
    for (const std::size_t bytes : { 16, 96, 1000, 3000, 4096, 50000 }) {
        TestSegment test(SharedSegment::MinBytes);
        std::vector<void *> blocks;
        for (int round = 0; round < 3; ++round) {
            while (void *block = test.segment.allocate(bytes))
                blocks.push_back(block);
            EXPECT_EQ(SharedSegment::lastError(), SharedError::SegmentFull);
            EXPECT_SOUND(test.segment);
            EXPECT_GE(blocks.size() * bytes * 2, SharedSegment::MinBytes / 2) << bytes;
            const std::size_t most = blocks.size();
            for (void *block : blocks)
                test.segment.deallocate(block, bytes);
            blocks.clear();
            EXPECT_SOUND(test.segment);
            // Empty slabs give way to what needs pages.
            void *large = test.segment.allocate(SharedSegment::MinBytes / 2);
            EXPECT_NE(large, nullptr);
            test.segment.deallocate(large, SharedSegment::MinBytes / 2);
            EXPECT_GT(most, 0u);
        }
    }
}

TEST(SharedHeapTest, refusesImpossibleSizes)
{
    TestSegment test;
    for (const std::size_t bytes : { std::size_t(1) << 20, SIZE_MAX, SIZE_MAX - 4095, SIZE_MAX / 2 }) {
        for (const std::size_t alignment : { 1, 16, 64, 4096 })
            EXPECT_EQ(test.segment.allocate(bytes, alignment), nullptr);
    }
    EXPECT_SOUND(test.segment);
}

// Compared with a model: a block that is handed out has no other owner, keeps its contents, and the
// amount agrees with the statistics.
TEST(SharedHeapTest, randomOperationsMatchAModel)
{
    struct Block
    {
        std::size_t bytes;
        std::size_t alignment;
        unsigned char value;
    };
    for (const SharedLockKind kind : allLocks()) {
        SCOPED_TRACE(nameOf(kind));
        RandomSource random(TestScale::seed());
        TestSegment test(4 << 20, kind);
        std::map<char *, Block> blocks;
        const std::uint64_t steps = TestScale::scaled(100000);
        for (std::uint64_t step = 0; step < steps; ++step) {
            if (blocks.empty() || random.below(1000) < (step / 5000 % 2 ? 400u : 600u)) {
                const std::size_t kindOfSize = random.below(100);
                const std::size_t bytes = kindOfSize < 80 ? random.below(300)
                        : kindOfSize < 97                 ? random.below(5000)
                                                          : random.below(200000);
                const std::size_t alignment = std::size_t(1)
                        << (random.below(10) ? random.below(5) : random.below(13));
                auto *block = static_cast<char *>(test.segment.allocate(bytes, alignment));
                if (!block)
                    continue;
                ASSERT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignment, 0u);
                const auto next = blocks.lower_bound(block);
                ASSERT_TRUE(next == blocks.end() || block + bytes <= next->first);
                ASSERT_TRUE(next == blocks.begin()
                            || std::prev(next)->first + std::prev(next)->second.bytes <= block);
                const auto value = (unsigned char)(random());
                std::memset(block, value, bytes);
                blocks[block] = { bytes, alignment, value };
            } else {
                auto it = blocks.lower_bound(static_cast<char *>(const_cast<void *>(test.segment.address()))
                                             + random.below(4 << 20));
                if (it == blocks.end())
                    it = blocks.begin();
                const auto &[block, what] = *it;
                ASSERT_TRUE(isFilled(block, what.bytes, what.value));
                test.segment.deallocate(block, what.bytes, what.alignment);
                blocks.erase(it);
            }
            if (step % 10000 == 0) {
                EXPECT_SOUND(test.segment);
                ASSERT_EQ(test.segment.statistics().usedBlocks, blocks.size());
            }
        }
        // Rebuilt records are the same.
        const SharedStatistics before = test.segment.statistics();
        EXPECT_TRUE(test.segment.repair());
        EXPECT_SOUND(test.segment);
        EXPECT_EQ(test.segment.statistics().usedBytes, before.usedBytes);
        EXPECT_EQ(test.segment.statistics().freeBytes, before.freeBytes);
        EXPECT_EQ(test.segment.statistics().largestFree, before.largestFree);
        for (const auto &[block, what] : blocks)
            test.segment.deallocate(block, what.bytes, what.alignment);
        EXPECT_SOUND(test.segment);
        EXPECT_EQ(test.segment.statistics().usedBytes, 0u);
        EXPECT_EQ(test.segment.statistics().badFrees, 0u);
    }
}

} // namespace
