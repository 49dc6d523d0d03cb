// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "core/qpoolremotecache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <vector>

using namespace QPool;

namespace {

class RemoteCacheTest : public ::testing::Test
{
protected:
    static constexpr unsigned Bins = 96;
    static constexpr unsigned ChunksPerBin = 1024;

    RemoteCacheTest()
    {
        for (unsigned bin = 0; bin < Bins; ++bin)
            arenas.emplace_back("test", &bins[bin], 1);
    }

    // The source of batches, as long as some are available.
    struct Source
    {
        static constexpr bool GrowsMagazines = true;
        static void *allocateMetadata(std::size_t bytes)
        {
            if (left == 0)
                return nullptr;
            --left;
            auto *memory = new Memory;
            EXPECT_LE(bytes, sizeof(Memory));
            memories().emplace_back(memory);
            return memory;
        }

        struct alignas(CacheLineSize) Memory
        {
            char bytes[1024];
        };
        static std::vector<std::unique_ptr<Memory>> &memories()
        {
            static std::vector<std::unique_ptr<Memory>> all;
            return all;
        }
        static inline unsigned left = 0;
    };

    void SetUp() override { Source::left = Unlimited; }
    void TearDown() override { Source::memories().clear(); }
    static constexpr unsigned Unlimited = 1000000;

    // The chunks that arrived at a bin, in no order.
    struct Arrived
    {
        std::vector<FreeChunk *> chunks;
        unsigned batches = 0;
    };

    Arrived take(unsigned bin, bool giveBack = true)
    {
        Arrived arrived;
        Backlog &backlog = bins[bin].backlog;
        for (RemoteBatch *batch = backlog.takeBatches(); batch;) {
            arrived.chunks.insert(arrived.chunks.end(), batch->chunks,
                                  batch->chunks + batch->count);
            ++arrived.batches;
            RemoteBatch *next = batch->next;
            if (giveBack)
                batch->returnToRing();
            batch = next;
        }
        for (FreeChunk *chunk = backlog.takeAll(); chunk; chunk = Link::next(chunk))
            arrived.chunks.push_back(chunk);
        backlog.countTaken(std::uint32_t(arrived.chunks.size()));
        return arrived;
    }

    // Each of a bin's chunks that was put, once.
    void expectAll(unsigned bin, std::vector<FreeChunk *> arrived) const
    {
        std::sort(arrived.begin(), arrived.end());
        std::vector<FreeChunk *> expected;
        for (unsigned i = 0; i < used[bin]; ++i)
            expected.push_back(const_cast<FreeChunk *>(&chunks[bin * ChunksPerBin + i]));
        EXPECT_EQ(arrived, expected);
    }

    struct Batch
    {
        ArenaBase *arena;
        std::size_t bytes;
    };

    void put(unsigned bin, std::uint32_t chunkSize)
    {
        FreeChunk *chunk = &chunks[bin * ChunksPerBin + used[bin]++];
        remoteCache.put<Source>(&arenas[bin], &bins[bin], chunk, chunkSize, record);
    }

    // Like a thread's free; counts the calls that left the fast path.
    void deallocate(unsigned bin, std::uint32_t chunkSize)
    {
        if (remoteCache.tryPut(&bins[bin], &chunks[bin * ChunksPerBin + used[bin]])) {
            ++used[bin];
            return;
        }
        ++slow;
        put(bin, chunkSize);
    }

    void flush()
    {
        remoteCache.flush(record);
    }

    std::uint64_t heldBack() const
    {
        std::uint64_t held = 0;
        for (unsigned bin = 0; bin < Bins; ++bin)
            held += used[bin] - bins[bin].backlog.pushed();
        return held;
    }

    struct Record
    {
        void operator()(ArenaBase &arena, std::size_t bytes) const
        {
            test->sent.push_back({ &arena, bytes });
        }
        RemoteCacheTest *test;
    };

    const Record record { this };
    RemoteCache remoteCache;
    std::unique_ptr<Bin[]> bins { new Bin[Bins] };
    std::vector<FreeChunk> chunks { Bins * ChunksPerBin };
    std::deque<ArenaBase> arenas;
    unsigned used[Bins] = { };
    unsigned slow = 0;
    std::vector<Batch> sent;
};

TEST_F(RemoteCacheTest, sendsAfterSixtyFourChunks)
{
    for (unsigned i = 1; i < RemoteCache::BatchChunks; ++i)
        put(0, 16);
    EXPECT_TRUE(sent.empty());
    EXPECT_FALSE(arenas[0].hasBacklog());
    put(0, 16);
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_EQ(sent[0].arena, &arenas[0]);
    EXPECT_EQ(sent[0].bytes, RemoteCache::BatchChunks * 16u);
    EXPECT_EQ(bins[0].backlog.pushed(), RemoteCache::BatchChunks);
    EXPECT_TRUE(arenas[0].hasBacklog());
}

TEST_F(RemoteCacheTest, sendsLargeChunksSooner)
{
    for (unsigned i = 0; i < 3; ++i)
        put(0, 1024);
    EXPECT_TRUE(sent.empty());
    put(0, 1024);
    EXPECT_EQ(bins[0].backlog.pushed(), 4u);
    put(1, 64 * 1024);
    EXPECT_EQ(bins[1].backlog.pushed(), 1u) << "one alone is past the limit";
}

TEST_F(RemoteCacheTest, flushSendsTheRestOnce)
{
    put(0, 8);
    put(1, 8);
    put(1, 8);
    flush();
    EXPECT_EQ(heldBack(), 0u);
    EXPECT_EQ(bins[0].backlog.pushed(), 1u);
    EXPECT_EQ(bins[1].backlog.pushed(), 2u);
    EXPECT_EQ(sent.size(), 2u);
    flush();
    EXPECT_EQ(sent.size(), 2u);
}

TEST_F(RemoteCacheTest, manyChunksGoInABatchUntouched)
{
    for (FreeChunk &chunk : chunks)
        chunk.word = 0xabcd;
    for (unsigned i = 0; i < RemoteCache::FewestInBatch; ++i)
        put(3, 8);
    flush();
    const Arrived arrived = take(3);
    EXPECT_EQ(arrived.batches, 1u);
    expectAll(3, arrived.chunks);
    for (FreeChunk *chunk : arrived.chunks)
        EXPECT_EQ(chunk->word, 0xabcdu);
}

TEST_F(RemoteCacheTest, fewChunksGoLinked)
{
    for (unsigned round = 0; round < 3; ++round) {
        for (unsigned i = 1; i < RemoteCache::FewestInBatch; ++i)
            put(3, 8);
        flush();
    }
    const Arrived arrived = take(3);
    EXPECT_EQ(arrived.batches, 0u);
    expectAll(3, arrived.chunks);
}

TEST_F(RemoteCacheTest, aBatchThatCameBackIsUsedAgain)
{
    std::vector<FreeChunk *> arrived;
    for (unsigned round = 0; round < 20; ++round) {
        for (unsigned i = 0; i < RemoteCache::BatchChunks; ++i)
            put(5, 8);
        const Arrived more = take(5);
        EXPECT_EQ(more.batches, 1u);
        arrived.insert(arrived.end(), more.chunks.begin(), more.chunks.end());
    }
    expectAll(5, arrived);
    EXPECT_LE(Source::memories().size(), 2u);
}

TEST_F(RemoteCacheTest, allChunksGoLinkedWithoutBatches)
{
    Source::left = 0;
    for (unsigned i = 0; i < 1000; ++i)
        put(7, 8);
    flush();
    const Arrived arrived = take(7);
    EXPECT_EQ(arrived.batches, 0u);
    expectAll(7, arrived.chunks);
}

// An owner that never looks: its batches stay away, and new ones are created up to the limit. Later
// chunks are linked, until a batch is returned.
TEST_F(RemoteCacheTest, batchesThatStayAwayAreBounded)
{
    std::vector<FreeChunk *> arrived;
    const auto note = [&](const Arrived &more) {
        arrived.insert(arrived.end(), more.chunks.begin(), more.chunks.end());
        return more.batches;
    };
    // Few chunks of each batch, so that there are enough chunks.
    const auto sendOne = [&] {
        for (unsigned i = 0; i < RemoteCache::FewestInBatch; ++i)
            put(9, 8);
        flush();
    };
    for (unsigned i = 0; i < RemoteBatchRing::MostAway; ++i)
        sendOne();
    EXPECT_EQ(note(take(9, false)), RemoteBatchRing::MostAway);
    EXPECT_EQ(Source::memories().size(), RemoteBatchRing::MostAway);
    for (unsigned i = 0; i < 10; ++i)
        sendOne();
    EXPECT_EQ(note(take(9)), 0u);
    constexpr unsigned made = RemoteBatchRing::MostAway + 1; // the batch holds one
    EXPECT_EQ(Source::memories().size(), made);

    // Found before long, whichever it is.
    auto *batch = reinterpret_cast<RemoteBatch *>(Source::memories()[made / 2].get());
    batch->returnToRing();
    for (unsigned i = 0; i < made / 4 + 1; ++i)
        sendOne();
    EXPECT_EQ(note(take(9)), 1u);
    EXPECT_EQ(Source::memories().size(), made);
    expectAll(9, arrived);
}

// A thread that frees for many such owners finds room in a batch for each chunk all the same.
TEST_F(RemoteCacheTest, freesAreFastWhileBatchesAreAway)
{
    constexpr unsigned many = 32;
    const auto round = [&](unsigned frees) {
        for (unsigned i = 0; i < frees * many; ++i)
            deallocate(i % many, 16);
    };
    // More sends than the limit of batches that are away.
    round(8 * RemoteCache::BatchChunks);
    EXPECT_EQ(Source::memories().size(), RemoteBatchRing::MostAway + many);
    slow = 0;
    round(4 * RemoteCache::BatchChunks);
    EXPECT_EQ(slow, 4 * 2 * many) << "the first and the last of each batch";
    EXPECT_EQ(Source::memories().size(), RemoteBatchRing::MostAway + many);
    flush();
    unsigned batches = 0;
    for (unsigned bin = 0; bin < many; ++bin) {
        const Arrived arrived = take(bin);
        batches += arrived.batches;
        expectAll(bin, arrived.chunks);
    }
    EXPECT_EQ(batches, RemoteBatchRing::MostAway);
}

// Whatever the order of frees, a thread holds back a stated number of bytes and no more.
TEST_F(RemoteCacheTest, holdsBackAtMostItsBound)
{
    constexpr std::size_t bound = RemoteCache::MostBytes;
    for (std::uint32_t chunkSize : { 8u, 24u, 64u, 72u, 1024u, 4000u }) {
        for (unsigned i = 0; i < 1500; ++i) {
            // One bin for long, then all in turn: more bins than slots, and full batches.
            put(i < 70 ? 0 : i % Bins, chunkSize);
            ASSERT_LE(heldBack() * chunkSize, bound);
            ASSERT_LE(heldBack(), RemoteCache::Slots * RemoteCache::BatchChunks);
        }
        flush();
        EXPECT_EQ(heldBack(), 0u);
    }
}

// Thirty-two bins in turn: their batches stand side by side, though some want the same slot.
TEST_F(RemoteCacheTest, manyBinsDoNotCrowdEachOtherOut)
{
    constexpr unsigned many = 32;
    constexpr unsigned frees = 64;
    for (unsigned i = 0; i < frees * many; ++i)
        put(i % many, 16);
    flush();
    // Each has at least one batch. More than a quarter in addition would be a performance cliff.
    EXPECT_LE(sent.size(), many * 5 / 4);
    for (unsigned bin = 0; bin < many; ++bin)
        expectAll(bin, take(bin).chunks);
}

// Any two, wherever their addresses lead.
TEST_F(RemoteCacheTest, twoBinsNeverCrowdEachOtherOut)
{
    for (unsigned other = 1; other < Bins; ++other) {
        sent.clear();
        for (unsigned i = 0; i < 2 * (RemoteCache::BatchChunks / 8); ++i)
            put(i % 2 ? other : other - 1, 8);
        EXPECT_TRUE(sent.empty()) << "bin " << other;
        flush();
        EXPECT_EQ(sent.size(), 2u) << "bin " << other;
    }
}

// Both stay on the fast path, except for the first and the last chunk of a batch.
TEST_F(RemoteCacheTest, twoBinsTakeTheFastPath)
{
    for (unsigned other = 1; other < Bins; ++other) {
        slow = 0;
        for (unsigned i = 0; i < 2 * RemoteCache::BatchChunks; ++i)
            deallocate(i % 2 ? other : 0, 8);
        EXPECT_EQ(slow, 2 * 2u) << "bin " << other;
        take(0);
        used[0] = 0;
    }
}

TEST_F(RemoteCacheTest, binsThatShareASlotLoseNothing)
{
    for (unsigned i = 0; i < 5000; ++i)
        put((i * 7) % Bins, 32);
    flush();
    for (unsigned bin = 0; bin < Bins; ++bin)
        expectAll(bin, take(bin).chunks);
}

} // namespace
