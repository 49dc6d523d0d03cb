// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// The slow path on top of the pages: what a magazine fetches and brings back, and when.

#include "core/qpoolslowpath.h"
#include "pages/qpoolstaticpages.h"
#include "pages/qpoolsystempages.h"
#include "stats/qpoolstatistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

using namespace QPool;

namespace {

struct Tag;
using Pages = StaticPages<64 * 1024, Tag>;
constexpr std::uint32_t ChunkSize = 64;

// A layout of one class, for an arena of its own.
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
        Trim<StaticPages<64 * 1024, LargeTag, 8192>>::now(arena);
        EXPECT_EQ(arena.pageCount, 0u);
    }
}

static void allocateUpTo(std::size_t count, std::vector<void *> &chunks, Arena<OneClass> &arena)
{
    Bin &bin = arena.bins[0];
    while (chunks.size() < count) {
        void *chunk = bin.pop();
        chunks.push_back(chunk ? chunk : SlowPath<SystemPages>::allocate(arena, bin, ChunkSize));
        ASSERT_NE(chunks.back(), nullptr);
    }
}

// Room for what comes back, where something does: freed by the owner, or by others.
TEST(SlowPathTest, growsAMagazineAsFarAsItIsUsed)
{
    using Slow = SlowPath<SystemPages>;
    for (const bool byOthers : { false, true }) {
        Arena<OneClass> arena { "test" };
        Bin &bin = arena.bins[0];
        std::vector<void *> chunks;
        ASSERT_NO_FATAL_FAILURE(allocateUpTo(3000, chunks, arena));
        EXPECT_EQ(bin.capacity, Bin::MiddleCapacity);
        for (void *pointer : chunks) {
            if (byOthers) {
                auto *chunk = static_cast<FreeChunk *>(pointer);
                bin.backlog.push(chunk, chunk, 1);
            } else if (!bin.push(pointer)) {
                Slow::deallocate(arena, bin, pointer);
            }
        }
        if (byOthers) {
            arena.noteBacklog(1);
            BacklogDrain<SystemPages>::takeAll(arena);
        }
        // The frees only noted it; the next allocation that finds nothing enlarges the magazine. It
        // takes two steps, each of which accesses one more page of the array.
        EXPECT_EQ(bin.capacity, byOthers ? Bin::LargeCapacity : Bin::MiddleCapacity);
        for (const std::uint32_t capacity : { Bin::LargeCapacity, Bin::MostCapacity }) {
            chunks.clear();
            ASSERT_NO_FATAL_FAILURE(allocateUpTo(2 * Bin::MostCapacity, chunks, arena));
            EXPECT_EQ(bin.capacity, capacity);
            for (void *pointer : chunks) {
                if (!bin.push(pointer))
                    Slow::deallocate(arena, bin, pointer);
            }
        }
        EXPECT_GT(bin.held(), Bin::MiddleCapacity);
        Trim<SystemPages>::now(arena);
        EXPECT_EQ(arena.pageCount, 0u);
    }
}

// So that no single free takes long, and many in a row are cheap all the same.
TEST(SlowPathTest, givesBackFewChunksAtFirst)
{
    if (hardening == 2)
        GTEST_SKIP() << "at level 2 the magazine is a queue, from which batches are always whole";
    using Slow = SlowPath<SystemPages>;
    Arena<OneClass> arena { "test" };
    Bin &bin = arena.bins[0];
    std::vector<void *> chunks;
    ASSERT_NO_FATAL_FAILURE(allocateUpTo(3000, chunks, arena));
    std::vector<std::uint32_t> given;
    for (void *chunk : chunks) {
        if (bin.push(chunk))
            continue;
        const std::uint32_t before = arena.returnedChunks;
        Slow::deallocate(arena, bin, chunk);
        given.push_back(arena.returnedChunks - before);
    }
    ASSERT_GE(given.size(), 5u);
    const std::uint32_t batch = Magazine<SystemPages>::batchOf(bin);
    std::uint32_t expected = 4;
    for (const std::uint32_t count : given) {
        EXPECT_EQ(count, expected);
        expected = std::min(2 * expected, batch);
    }
    // An allocation that finds nothing begins anew.
    while (void *chunk = bin.pop())
        chunks.push_back(chunk);
    ASSERT_NE(Slow::allocate(arena, bin, ChunkSize), nullptr);
    EXPECT_LE(Magazine<SystemPages>::freedBatchOf(bin), 4u);
}

struct ManyClasses
{
    static constexpr unsigned BinCount = 200;
    static constexpr std::size_t chunkSize(unsigned bin) { return 16 * (bin + 1); }
};

// What concerns all bins must not touch the memory of those that were never used.
TEST(ArenaTest, visitsOnlyUsedBins)
{
    Arena<ManyClasses> arena { "test" };
    unsigned index = 0;
    EXPECT_EQ(arena.usedBin(index), nullptr);
    const std::vector<unsigned> used = { 0, 1, 63, 64, 127, 130, 199 };
    for (unsigned bin : used)
        arena.noteUsed(arena.bins[bin]);
    std::vector<unsigned> visited;
    for (unsigned i = 0; Bin *bin = arena.usedBin(i); ++i) {
        EXPECT_EQ(bin, &arena.bins[i]);
        visited.push_back(i);
    }
    EXPECT_EQ(visited, used);
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
