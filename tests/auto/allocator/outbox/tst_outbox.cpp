// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "core/qpooloutbox.h"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <vector>

using namespace QPool;

namespace {

class OutboxTest : public ::testing::Test
{
protected:
    static constexpr unsigned Bins = 24;
    static constexpr unsigned ChunksPerBin = 2048;

    OutboxTest()
    {
        for (unsigned bin = 0; bin < Bins; ++bin)
            arenas.emplace_back("test", &bins[bin], 1);
    }

    struct Batch
    {
        ArenaBase *arena;
        std::size_t bytes;
    };

    void put(unsigned bin, std::uint32_t chunkSize)
    {
        FreeChunk *chunk = &chunks[bin * ChunksPerBin + used[bin]++];
        outbox.put(&arenas[bin], &bins[bin], chunk, chunkSize, record);
    }

    void flush()
    {
        outbox.flush(record);
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
        OutboxTest *test;
    };

    const Record record { this };
    Outbox outbox;
    std::unique_ptr<Bin[]> bins { new Bin[Bins] };
    std::vector<FreeChunk> chunks { Bins * ChunksPerBin };
    std::deque<ArenaBase> arenas;
    unsigned used[Bins] = { };
    std::vector<Batch> sent;
};

TEST_F(OutboxTest, sendsAfterSixtyFourChunks)
{
    for (unsigned i = 1; i < Outbox::BatchChunks; ++i)
        put(0, 16);
    EXPECT_TRUE(sent.empty());
    EXPECT_FALSE(arenas[0].hasBacklog);
    put(0, 16);
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_EQ(sent[0].arena, &arenas[0]);
    EXPECT_EQ(sent[0].bytes, Outbox::BatchChunks * 16u);
    EXPECT_EQ(bins[0].backlog.pushed(), Outbox::BatchChunks);
    EXPECT_TRUE(arenas[0].hasBacklog);
}

TEST_F(OutboxTest, sendsLargeChunksSooner)
{
    for (unsigned i = 0; i < 3; ++i)
        put(0, 1024);
    EXPECT_TRUE(sent.empty());
    put(0, 1024);
    EXPECT_EQ(bins[0].backlog.pushed(), 4u);
    put(1, 64 * 1024);
    EXPECT_EQ(bins[1].backlog.pushed(), 1u) << "one alone is past the limit";
}

TEST_F(OutboxTest, flushSendsTheRestOnce)
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

TEST_F(OutboxTest, chunksArriveLinkedAndComplete)
{
    for (int i = 0; i < 10; ++i)
        put(3, 8);
    flush();
    std::vector<bool> seen(10);
    unsigned count = 0;
    for (FreeChunk *chunk = bins[3].backlog.takeAll(); chunk; chunk = Link::next(chunk)) {
        const std::size_t index = std::size_t(chunk - &chunks[3 * ChunksPerBin]);
        ASSERT_LT(index, 10u);
        EXPECT_FALSE(seen[index]);
        seen[index] = true;
        ++count;
    }
    EXPECT_EQ(count, 10u);
}

// Whatever the order of frees, a thread holds back a stated number of bytes and no more.
TEST_F(OutboxTest, holdsBackAtMostItsBound)
{
    constexpr std::size_t bound = Outbox::Slots * Outbox::BatchBytes;
    for (std::uint32_t chunkSize : { 8u, 24u, 64u, 72u, 1024u, 4000u }) {
        for (unsigned i = 0; i < 300; ++i) {
            // One bin for long, then all in turn: collisions of slots and full batches.
            put(i < 70 ? 0 : i % Bins, chunkSize);
            ASSERT_LE(heldBack() * chunkSize, bound);
            ASSERT_LE(heldBack(), Outbox::Slots * Outbox::BatchChunks);
        }
        flush();
        EXPECT_EQ(heldBack(), 0u);
    }
}

TEST_F(OutboxTest, binsThatShareASlotLoseNothing)
{
    for (unsigned i = 0; i < 1000; ++i)
        put((i * 7) % Bins, 32);
    flush();
    std::uint64_t arrived = 0;
    for (unsigned bin = 0; bin < Bins; ++bin) {
        for (FreeChunk *chunk = bins[bin].backlog.takeAll(); chunk; chunk = Link::next(chunk)) {
            EXPECT_EQ(unsigned(chunk - chunks.data()) / ChunksPerBin, bin) << "went elsewhere";
            ++arrived;
        }
    }
    EXPECT_EQ(arrived, 1000u);
}

} // namespace
