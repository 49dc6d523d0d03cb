// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A walk through a pool's memory finds exactly those chunks alive that the test has in use,
// wherever the others wait, and whatever their threads do.

#include "countedpool.h"
#include "randomsource.h"
#include "rendezvous.h"
#include "testscale.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

#include <sys/mman.h>

using namespace QPool;

namespace {

// What the walk found alive. It allocates only from the C++ heap while the walk runs.
class Found final : public LiveChunkVisitor
{
public:
    void begin() override { m_current.clear(); }
    void chunk(const LiveChunk &chunk) override { m_current.push_back(chunk); }
    void commit() override
    {
        for (const LiveChunk &chunk : m_current)
            isUnique &= chunks.insert(chunk.address).second;
    }
    void discard() override { m_current.clear(); }

    std::set<std::uintptr_t> chunks;
    bool isUnique = true;

private:
    std::vector<LiveChunk> m_current;
};

class CensusWalk : public testing::Test
{
protected:
    CensusWalk() : m_memory(0)
    {
        Facts facts;
        std::string message;
        EXPECT_TRUE(facts.read(m_memory, reinterpret_cast<std::uintptr_t>(&countedFacts), &message))
                << message;
        EXPECT_TRUE(m_layout.take(facts, &message)) << message;
    }

    // The number of live chunks; `uncertain` is set to how many of them are uncertain.
    Found walk()
    {
        Found found;
        PoolWalk walk(m_memory, m_layout, m_mapped);
        EXPECT_EQ(walk.run(found), WalkResult::Complete);
        EXPECT_TRUE(found.isUnique);
        uncertain = 0;
        moving = 0;
        for (const PoolWalk::Arena &arena : walk.arenas()) {
            uncertain += arena.uncertain;
            moving += arena.moving;
        }
        return found;
    }

    void expectExactly(const std::set<std::uintptr_t> &expected)
    {
        const Found found = walk();
        EXPECT_EQ(moving, 0u);
        EXPECT_EQ(found.chunks, expected);
    }

    static std::uintptr_t addressOf(const void *chunk)
    {
        return reinterpret_cast<std::uintptr_t>(chunk);
    }

    void *allocate(CountedDomain domain, std::size_t size)
    {
        void *chunk = allocateIn(domain, size);
        m_live.insert(addressOf(chunk));
        return chunk;
    }
    void free(void *chunk)
    {
        m_live.erase(addressOf(chunk));
        CountedPool::deallocate(chunk);
    }
    void freeAll()
    {
        for (std::uintptr_t chunk : m_live)
            CountedPool::deallocate(reinterpret_cast<void *>(chunk));
        m_live.clear();
    }

    ProcessMemory m_memory;
    LayoutFacts m_layout {};
    static constexpr std::uint64_t m_mapped = std::uint64_t(1) << 30; // enough for all walks here
    std::set<std::uintptr_t> m_live;
    std::uint64_t uncertain = 0;
    std::uint64_t moving = 0;
};

TEST_F(CensusWalk, findsOwnLiveChunksInEveryState)
{
    RandomSource random(1);
    std::vector<void *> chunks;
    for (int turn = 0; turn < 40; ++turn) {
        const std::size_t more = random.below(3000);
        for (std::size_t i = 0; i < more; ++i) {
            const auto domain = CountedDomain(random.below(4));
            chunks.push_back(allocate(domain, 1 + random.below(SizeClasses::MaxSize)));
        }
        for (std::size_t left = random.below(chunks.size() + 1); left > 0; --left) {
            std::swap(chunks[random.below(chunks.size())], chunks.back());
            free(chunks.back());
            chunks.pop_back();
        }
        // Chunks that idle() and trim() move stay free.
        if (turn % 3 == 1)
            CountedPool::idle();
        if (turn % 5 == 2)
            CountedPool::trim();
        expectExactly(m_live);
    }
    freeAll();
    expectExactly({});
    CountedPool::trim();
    expectExactly({});
}

// They are in the magazines of those that freed them.
TEST_F(CensusWalk, findsLargeChunksWhoeverFreedThem)
{
    std::vector<void *> chunks(200);
    for (void *&chunk : chunks)
        chunk = allocate(Heap, SizeClasses::MaxSize);
    expectExactly(m_live);
    Rendezvous turn(2);
    std::thread thread([&] {
        CountedPool::deallocate(allocateIn(Heap, SizeClasses::MaxSize)); // so that it has an arena
        for (std::size_t i = 0; i < chunks.size(); i += 2)
            CountedPool::deallocate(chunks[i]);
        turn.wait();
        turn.wait();
    });
    turn.wait();
    for (std::size_t i = 0; i < chunks.size(); i += 2)
        m_live.erase(addressOf(chunks[i]));
    expectExactly(m_live);
    turn.wait();
    thread.join();
    expectExactly(m_live);
    freeAll();
    expectExactly({});
    CountedPool::trim();
    expectExactly({});
}

// In memory that went back to the system free chunks are linked by nothing.
TEST_F(CensusWalk, findsTheChunksOfSparsePages)
{
    std::vector<void *> chunks;
    for (std::size_t size : { 24, 64, 1024 }) {
        for (int i = 0; i < 4000; ++i)
            chunks.push_back(allocate(Object, size));
    }
    for (std::size_t i = 0; i < chunks.size(); ++i) {
        if (i % 100 != 0)
            free(chunks[i]);
    }
    CountedPool::trim();
    expectExactly(m_live);
    for (int i = 0; i < 50; ++i)
        allocate(Object, 64);
    expectExactly(m_live);
    freeAll();
    CountedPool::trim();
    expectExactly({});
}

TEST_F(CensusWalk, findsChunksOfSleepingAndEndedThreads)
{
    Rendezvous turn(2);
    std::vector<void *> theirs;
    std::thread thread([&] {
        for (std::size_t size : { 24, 40, 1024 }) {
            for (int i = 0; i < 500; ++i)
                theirs.push_back(allocateIn(Object, size));
        }
        turn.wait(); // asleep, but not parked
        turn.wait();
        CountedPool::idle();
        turn.wait();
        turn.wait();
    });
    turn.wait();
    const auto all = [&] {
        std::set<std::uintptr_t> result;
        for (const void *chunk : theirs)
            result.insert(addressOf(chunk));
        return result;
    };
    expectExactly(all());
    turn.wait();
    turn.wait();
    expectExactly(all());
    turn.wait();
    thread.join();
    expectExactly(all());
    for (void *chunk : theirs)
        CountedPool::deallocate(chunk);
    theirs.clear();
    CountedPool::flush();
    CountedPool::trim();
    expectExactly({});
}

TEST_F(CensusWalk, ignoresFreedChunksOnTheirWayHome)
{
    for (std::size_t count : { 1u, 3u, 63u, 64u, 65u, 1000u }) {
        SCOPED_TRACE(count);
        std::vector<void *> chunks;
        for (std::size_t i = 0; i < 2 * count; ++i)
            chunks.push_back(allocate(Event, 48));
        Rendezvous turn(2);
        std::thread thread([&] {
            for (std::size_t i = 0; i < count; ++i)
                CountedPool::deallocate(chunks[2 * i]);
            turn.wait(); // some in a remote cache, the others in the backlog
            turn.wait();
            CountedPool::flush();
            turn.wait();
            turn.wait();
        });
        for (std::size_t i = 0; i < count; ++i)
            m_live.erase(addressOf(chunks[2 * i]));
        turn.wait();
        expectExactly(m_live);
        turn.wait();
        turn.wait();
        expectExactly(m_live);
        turn.wait();
        thread.join();
        CountedPool::idle();
        expectExactly(m_live);
        freeAll();
    }
    expectExactly({});
}

// Classes that do not change are exact beside a thread that changes others all the time; those are
// reported as uncertain, and no chunk is counted twice.
TEST_F(CensusWalk, quietClassesAreExactBesideBusyThreads)
{
    std::vector<void *> kept;
    for (int i = 0; i < 1000; ++i)
        kept.push_back(allocate(Object, 56));
    std::atomic<bool> stop { false };
    std::atomic<void *> passed { nullptr };
    std::vector<std::thread> threads;
    for (int number = 0; number < 2; ++number) {
        threads.emplace_back([&, number] {
            RandomSource random(std::uint64_t(number) + 7);
            std::vector<void *> own;
            while (!stop) {
                if (own.size() < 300 || random.below(2)) {
                    own.push_back(allocateIn(Event, 72));
                } else {
                    std::swap(own[random.below(own.size())], own.back());
                    CountedPool::deallocate(passed.exchange(own.back()));
                    own.pop_back();
                }
                if (own.size() > 5000) {
                    for (; own.size() > 100; own.pop_back())
                        CountedPool::deallocate(own.back());
                    CountedPool::idle();
                }
            }
            for (void *chunk : own)
                CountedPool::deallocate(chunk);
            CountedPool::flush();
        });
    }
    for (int i = 0; i < int(TestScale::scaled(40)); ++i) {
        const Found found = walk();
        for (void *chunk : kept)
            ASSERT_EQ(found.chunks.count(addressOf(chunk)), 1u);
        // Two threads' and one class: the others are certain.
        ASSERT_LE(moving, 2u);
        ASSERT_LE(uncertain, found.chunks.size() - kept.size());
    }
    stop = true;
    for (std::thread &thread : threads)
        thread.join();
    CountedPool::deallocate(passed.exchange(nullptr));
    CountedPool::trim();
    expectExactly(m_live);
    freeAll();
}

// Moves the very class that is being walked, so many times.
class Mover final : public LiveChunkVisitor
{
public:
    explicit Mover(int times) : m_left(times) { }
    void begin() override { m_now = 0; }
    void chunk(const LiveChunk &) override
    {
        if (++m_now == 1 && m_left > 0) {
            --m_left;
            CountedPool::deallocate(allocateIn(Event, 88));
        }
    }
    void commit() override { found += m_now; }
    void discard() override { ++discarded; }

    std::size_t found = 0;
    int discarded = 0;

private:
    int m_left;
    std::size_t m_now = 0;
};

TEST_F(CensusWalk, rereadsBinsThatChange)
{
    for (int i = 0; i < 100; ++i)
        allocate(Event, 88);
    for (int times : { 0, 1, 3, 1000 }) {
        SCOPED_TRACE(times);
        Mover mover(times);
        PoolWalk walk(m_memory, m_layout, m_mapped);
        ASSERT_EQ(walk.run(mover), WalkResult::Complete);
        EXPECT_EQ(mover.found, 100u);
        const bool settles = times < int(PoolWalk::Rounds);
        EXPECT_EQ(mover.discarded, settles ? times : int(PoolWalk::Rounds) - 1);
        std::uint64_t uncertainChunks = 0;
        std::uint32_t movingBins = 0;
        for (const PoolWalk::Arena &arena : walk.arenas()) {
            uncertainChunks += arena.uncertain;
            movingBins += arena.moving;
        }
        EXPECT_EQ(movingBins, settles ? 0u : 1u);
        EXPECT_EQ(uncertainChunks, settles ? 0u : 100u);
    }
    freeAll();
}

// The state of a bin whose thread is interrupted in the middle of a slow path: it does not change, but
// its counts and its lists do not agree.
TEST_F(CensusWalk, countsAnInconsistentBinAsMoving)
{
    void *chunk = allocate(Private, 96);
    Bin &bin = *SystemPages::headerOf(chunk)->bin;
    const std::size_t loaded = bin.loaded;
    bin.loaded = loaded - 1;
    walk();
    EXPECT_EQ(moving, 1u);
    bin.loaded = loaded;
    expectExactly(m_live);
    free(chunk);
}

TEST_F(CensusWalk, reportsTheSizeAndWordsOfAChunk)
{
    auto *words = static_cast<std::uintptr_t *>(allocate(Private, 40));
    words[0] = 0x1111;
    words[1] = 0x2222;
    class One final : public LiveChunkVisitor
    {
    public:
        void begin() override { }
        void chunk(const LiveChunk &chunk) override { last = chunk; }
        void commit() override { ++commits; }
        void discard() override { }
        LiveChunk last {};
        int commits = 0;
    } one;
    PoolWalk walk(m_memory, m_layout, m_mapped);
    ASSERT_EQ(walk.run(one), WalkResult::Complete);
    EXPECT_GT(one.commits, 0);
    EXPECT_EQ(one.last.address, addressOf(words));
    EXPECT_EQ(one.last.domain, unsigned(Private));
    EXPECT_GE(one.last.size, 40u);
    EXPECT_EQ(one.last.words[0], 0x1111u);
    EXPECT_EQ(one.last.words[1], 0x2222u);
    free(words);
}

TEST_F(CensusWalk, failsToReadUnmappedMemory)
{
    constexpr std::size_t size = 64 * 1024;
    char *place = static_cast<char *>(mmap(nullptr, 2 * size, PROT_READ | PROT_WRITE,
                                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(place, MAP_FAILED);
    place[size - 1] = 7;
    ASSERT_EQ(munmap(place + size, size), 0);
    std::vector<char> buffer(2 * size);
    EXPECT_LE(m_memory.readSome(addressOf(place), buffer.data(), 2 * size), size);
    EXPECT_TRUE(m_memory.read(addressOf(place), buffer.data(), size));
    EXPECT_EQ(buffer[size - 1], 7);
    EXPECT_FALSE(m_memory.read(addressOf(place + size), buffer.data(), 1));
    EXPECT_FALSE(m_memory.read(0, buffer.data(), 8));
    munmap(place, size);

    ProcessMemory nobody(std::int64_t(1) << 30);
    EXPECT_EQ(nobody.error(), ENOENT);
}

} // namespace
