// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "core/qpoolbacklog.h"
#include "rendezvous.h"
#include "testscale.h"

#include <gtest/gtest.h>

#include <vector>

using QPool::Backlog;
using QPool::FreeChunk;

namespace {

std::vector<FreeChunk *> chain(FreeChunk *first)
{
    std::vector<FreeChunk *> chunks;
    for (; first; first = QPool::Link::next(first))
        chunks.push_back(first);
    return chunks;
}

TEST(BacklogTest, startsEmpty)
{
    Backlog backlog;
    EXPECT_EQ(backlog.takeAll(), nullptr);
    EXPECT_EQ(backlog.pushed(), 0u);
    EXPECT_EQ(backlog.pending(), 0u);
}

TEST(BacklogTest, isTakenWhole)
{
    Backlog backlog;
    FreeChunk chunks[5];
    QPool::Link::set(&chunks[1], &chunks[2]);
    QPool::Link::set(&chunks[2], &chunks[3]);
    backlog.push(&chunks[0], &chunks[0], 1);
    backlog.push(&chunks[1], &chunks[3], 3);
    backlog.push(&chunks[4], &chunks[4], 1);
    EXPECT_EQ(backlog.pushed(), 5u);
    EXPECT_EQ(backlog.pending(), 5u);

    const std::vector<FreeChunk *> expected = { &chunks[4], &chunks[1], &chunks[2], &chunks[3],
                                                &chunks[0] };
    EXPECT_EQ(chain(backlog.takeAll()), expected);
    EXPECT_EQ(backlog.takeAll(), nullptr);
    backlog.countTaken(5);
    EXPECT_EQ(backlog.pending(), 0u);
    EXPECT_EQ(backlog.pushed(), 5u);
}

TEST(BacklogTest, batchesAreTakenWhole)
{
    Backlog backlog;
    FreeChunk chunks[5];
    QPool::RemoteBatch batches[2];
    batches[0].count = 2;
    batches[1].count = 1;
    backlog.push(&batches[0]);
    backlog.push(&chunks[4], &chunks[4], 1);
    backlog.push(&batches[1]);
    EXPECT_EQ(backlog.pushed(), 4u);
    QPool::RemoteBatch *first = backlog.takeBatches();
    ASSERT_EQ(first, &batches[1]);
    ASSERT_EQ(first->next, &batches[0]);
    EXPECT_EQ(batches[0].next, nullptr);
    EXPECT_EQ(backlog.takeBatches(), nullptr);
    EXPECT_EQ(chain(backlog.takeAll()), std::vector<FreeChunk *> { &chunks[4] });
    backlog.countTaken(4);
    EXPECT_EQ(backlog.pending(), 0u);
}

// Producers push their chunks over and over, as the owner hands them back: each chunk must
// arrive once for each time it was pushed, with what its producer wrote.
TEST(BacklogTest, losesAndDuplicatesNothing)
{
    struct Chunk
    {
        FreeChunk link;
        unsigned producer;
        std::uint64_t pushes; // plain: the backlog alone orders it between the threads
        std::atomic<bool> home;
    };
    constexpr unsigned Producers = 3;
    constexpr unsigned ChunksEach = 64;
    const std::uint64_t rounds = TestScale::scaled(4000);

    static Backlog backlog;
    std::vector<Chunk> chunks(Producers * ChunksEach);
    Rendezvous start(Producers + 1);
    std::vector<std::thread> threads;
    for (unsigned p = 0; p < Producers; ++p) {
        threads.emplace_back([&, p] {
            Chunk *mine = &chunks[p * ChunksEach];
            for (unsigned i = 0; i < ChunksEach; ++i) {
                mine[i].producer = p;
                mine[i].pushes = 0;
                mine[i].home.store(true);
            }
            start.wait();
            for (std::uint64_t round = 0; round < rounds; ++round) {
                for (unsigned i = 0; i < ChunksEach; i += 2) {
                    while (!mine[i].home.load(std::memory_order_acquire)
                           || !mine[i + 1].home.load(std::memory_order_acquire)) {
                        std::this_thread::yield();
                    }
                    mine[i].home.store(false, std::memory_order_relaxed);
                    mine[i + 1].home.store(false, std::memory_order_relaxed);
                    ++mine[i].pushes;
                    ++mine[i + 1].pushes;
                    QPool::Link::set(&mine[i].link, &mine[i + 1].link);
                    backlog.push(&mine[i].link, &mine[i + 1].link, 2);
                }
            }
        });
    }

    std::vector<std::uint64_t> taken(chunks.size());
    start.wait();
    const std::uint64_t total = rounds * chunks.size();
    std::uint64_t sum = 0;
    while (sum < total) {
        std::uint32_t count = 0;
        FreeChunk *link = backlog.takeAll();
        if (!link)
            std::this_thread::yield();
        while (link) {
            FreeChunk *next = QPool::Link::next(link);
            Chunk *chunk = reinterpret_cast<Chunk *>(link);
            const std::size_t index = std::size_t(chunk - chunks.data());
            ASSERT_LT(index, chunks.size());
            ASSERT_EQ(chunk->producer, index / ChunksEach);
            ASSERT_EQ(chunk->pushes, ++taken[index]);
            ++count;
            chunk->home.store(true, std::memory_order_release);
            link = next;
        }
        backlog.countTaken(count);
        sum += count;
    }
    for (std::thread &thread : threads)
        thread.join();
    EXPECT_EQ(backlog.takeAll(), nullptr);
    EXPECT_EQ(backlog.pushed(), total);
    EXPECT_EQ(backlog.pending(), 0u);
}

} // namespace
