// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Memory that threads that sleep or have ended keep from others: the scenarios of bench_bounds at a
// sixteenth of their size, measured as the memory that the source has from the system.

#include "../systempages/systemcalls.h"
#include "models.h"
#include "rendezvous.h"
#include "testscale.h"

#include <deque>
#include <thread>
#include <vector>

using namespace QPool;

namespace {

constexpr std::size_t Megabyte = 1024 * 1024;

// Threads that work in turn, and stay until the end.
class Threads
{
public:
    ~Threads() { end(); }

    template <class Body>
    void add(Body &&body)
    {
        m_threads.emplace_back([&, this] {
            body();
            m_done.wait();
            std::unique_lock<std::mutex> lock(m_mutex);
            m_condition.wait(lock, [this] { return m_ended; });
        });
        m_done.wait();
    }

    void end()
    {
        {
            std::lock_guard<std::mutex> lock(m_mutex);
            m_ended = true;
        }
        m_condition.notify_all();
        for (std::thread &thread : m_threads)
            thread.join();
        m_threads.clear();
    }

private:
    Rendezvous m_done { 2 };
    std::mutex m_mutex;
    std::condition_variable m_condition;
    bool m_ended = false;
    std::deque<std::thread> m_threads;
};

// More than before the test.
class Committed
{
public:
    Committed()
    {
        SystemPages::trim();
        m_before = SystemPages::memory().committed;
    }
    std::size_t now() const { return SystemPages::memory().committed - m_before; }

private:
    std::size_t m_before;
};

// Allocates \a count chunks and frees all but a 64th of them, of every page.
template <class Pool>
void keepEvery64th(std::size_t count, std::vector<void *> &kept)
{
    std::vector<void *> chunks(count);
    for (void *&chunk : chunks)
        chunk = Pool::allocate();
    for (std::size_t i = 0; i < count; ++i) {
        if (i % 64 == 0)
            kept.push_back(chunks[i]);
        else
            Pool::deallocate(chunks[i]);
    }
}

// As a thread sleeps that has nothing to do, without the time that this takes.
template <class Pool>
void sleep()
{
    SystemCalls::clockMilliseconds = 0;
    for (int left = 0; left >= 0; left = Pool::idle())
        SystemCalls::clockMilliseconds += left;
}

// Eight threads allocate, call idle() and sleep; another one frees everything. An earlier version kept
// 1044 MB of as many; a sixth of that is allowed.
TEST(BoundsTest, sleepingThreadsKeepAtMostASixth)
{
    struct Tag;
    using Pool = QPoolAllocator<64, MultiThreaded, TaggedPages<Tag>>;
    const std::size_t perThread = TestScale::scaled(8 * Megabyte / 64);
    std::vector<void *> chunks(8 * perThread);
    const Committed committed;
    Threads sleepers;
    for (std::size_t t = 0; t < 8; ++t) {
        sleepers.add([&, t] {
            for (std::size_t i = 0; i < perThread; ++i)
                chunks[t * perThread + i] = Pool::allocate();
            Pool::idle();
        });
    }
    const std::size_t all = committed.now();
    ASSERT_GE(all, chunks.size() * 64);
    for (void *chunk : chunks)
        Pool::deallocate(chunk);
    sleep<Pool>();
    if (TestScale::divisor() == 1) {
        EXPECT_LE(committed.now(), all / 6);
    }
    Pool::trim();
    EXPECT_LE(committed.now(), all / 6);
    sleepers.end();
    expectNothingLost<Pool>();
}

// Sixteen threads end while one in 64 of their chunks is alive, in every page. Later allocations must
// come from these pages.
TEST(BoundsTest, laterAllocationsReuseOrphanedPages)
{
    struct Tag;
    using Pool = QPoolAllocator<64, MultiThreaded, TaggedPages<Tag>>;
    const std::size_t perThread = TestScale::scaled(4 * Megabyte / 64);
    std::vector<void *> kept;
    const Committed committed;
    {
        Threads threads;
        for (int t = 0; t < 16; ++t)
            threads.add([&] { keepEvery64th<Pool>(perThread, kept); });
    }
    const std::size_t before = committed.now();
    // 900 of 1024.
    std::vector<void *> more(16 * perThread * 900 / 1024);
    for (void *&chunk : more)
        chunk = Pool::allocate();
    // A class first takes some pages itself.
    EXPECT_LE(committed.now(), before + before / 10 + Megabyte);
    for (void *chunk : more)
        Pool::deallocate(chunk);
    for (void *chunk : kept)
        Pool::deallocate(chunk);
    Pool::idle();
    expectNothingLost<Pool>();
}

// The same while a few chunks come home now and then: they are no reason to take a page beside them.
TEST(BoundsTest, orphanedPagesAreReusedBesideABacklog)
{
    struct Tag;
    using Pool = QPoolAllocator<64, MultiThreaded, TaggedPages<Tag>>;
    const std::size_t count = TestScale::scaled(8 * Megabyte / 64);
    std::vector<void *> mine(count / 8);
    for (void *&chunk : mine)
        chunk = Pool::allocate();
    const Committed committed;
    std::vector<void *> kept;
    std::thread([&] { keepEvery64th<Pool>(count, kept); }).join();
    const std::size_t before = committed.now();

    constexpr std::size_t freedAtOnce = 4;
    constexpr std::size_t allocatedAtOnce = 64;
    const std::size_t steps = count / 2 / allocatedAtOnce;
    ASSERT_LE(steps * freedAtOnce, mine.size());
    Rendezvous meeting { 2 };
    std::thread other([&] {
        for (std::size_t step = 0; step < steps; ++step) {
            for (std::size_t i = 0; i < freedAtOnce; ++i) {
                Pool::deallocate(mine.back());
                mine.pop_back();
            }
            Pool::flush();
            meeting.wait();
            meeting.wait();
        }
    });
    std::vector<void *> more;
    more.reserve(steps * allocatedAtOnce);
    for (std::size_t step = 0; step < steps; ++step) {
        meeting.wait();
        for (std::size_t i = 0; i < allocatedAtOnce; ++i)
            more.push_back(Pool::allocate());
        meeting.wait();
    }
    other.join();
    EXPECT_LE(committed.now(), before + before / 10 + Megabyte);

    for (const std::vector<void *> *chunks : { &mine, &kept, &more }) {
        for (void *chunk : *chunks)
            Pool::deallocate(chunk);
    }
    Pool::idle();
    expectNothingLost<Pool>();
}

// Two hundred threads that had chunks of 64 KiB, freed them and were idle for a while.
TEST(BoundsTest, magazinesOfLargeChunksAreSmall)
{
    struct Tag;
    using Pool = QPoolAllocator<64 * 1024, MultiThreaded, TaggedPages<Tag>>;
    const Committed committed;
    Threads threads;
    const std::size_t count = TestScale::underThreadSanitizer ? 20 : 200;
    for (std::size_t t = 0; t < count; ++t) {
        threads.add([] {
            void *blocks[32];
            for (void *&block : blocks)
                block = Pool::allocate();
            for (void *block : blocks)
                Pool::deallocate(block);
            sleep<Pool>();
        });
    }
    EXPECT_LE(committed.now(), 16 * 1000 * 1000u);
    threads.end();
    expectNothingLost<Pool>();
}

} // namespace
