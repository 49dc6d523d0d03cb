// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// One thread gives memory back while others go on.

#include "childprocess.h"
#include "givingback.h"
#include "rendezvous.h"

#include "models/qpoolthreadarenas.h"
#include "pool/qpoolfront.h"

#include <atomic>
#include <utility>

namespace {

class GivingBackThreadsTest : public GivingBackTest
{
};

// The lock of the source is free during the call: another thread comes through, or neither does.
TEST_F(GivingBackThreadsTest, aStepKeepsNobodyWaiting)
{
    makeOld(100);
    int calls = 0;
    SystemCalls::duringGivingBack = [&calls] {
        ++calls;
        inOtherThread([] {
            std::uint32_t since = 0;
            PageHeader *page = SystemPages::acquirePage();
            ASSERT_NE(page, nullptr);
            *SystemPages::pageOf(page) = 1;
            SystemPages::releasePage(page);
            bool isZero;
            ASSERT_NE(SystemPages::allocateBlock(3 * PageSize, PageSize, &isZero), nullptr);
            SystemPages::periodEnds(since);
            EXPECT_GE(SystemPages::idle(), 0);
            EXPECT_EQ(SystemCalls::givenBackHere, 0) << "one thread at a time does";
        });
    };
    SystemPages::idle();
    EXPECT_GE(calls, 1);
    EXPECT_EQ(SystemCalls::givenBackHere, calls);
}

// Both classes have the same shared arena.
struct SharedSizes
{
    static constexpr unsigned BinCount = 9;
    static constexpr unsigned FirstShared = 0;
    static constexpr std::size_t chunkSize(unsigned bin) { return (bin + 1) * 4096; }
    static bool isDisabled() { return false; }
};

// Nor for a shared arena: another thread gets it, or neither goes on.
TEST_F(GivingBackThreadsTest, nobodyDoesAStepWithASharedArena)
{
    using Pool = QPool::PoolFront<SharedSizes, QPool::MultiThreaded, SystemPages>;
    makeOld(100);
    int calls = 0;
    SystemCalls::duringGivingBack = [&calls] {
        ++calls;
        inOtherThread([] {
            void *chunks[100];
            for (void *&chunk : chunks)
                ASSERT_NE(chunk = Pool::allocate(0), nullptr);
            for (void *chunk : chunks)
                ASSERT_TRUE(Pool::deallocateIfOwned(chunk));
        });
    };
    std::vector<void *> chunks(200);
    for (void *&chunk : chunks)
        ASSERT_NE(chunk = Pool::allocate(8), nullptr);
    const int whileAllocating = calls;
    EXPECT_GE(whileAllocating, 1);
    SystemCalls::reset();
    makeOld(100);
    for (void *chunk : chunks)
        ASSERT_TRUE(Pool::deallocateIfOwned(chunk));
    EXPECT_GT(calls, whileAllocating);
}

TEST_F(GivingBackThreadsTest, trimGivesBackWhatAStepLeft)
{
    makeOld(100);
    const std::size_t before = SystemPages::memory().committed;
    std::thread trims;
    SystemCalls::duringGivingBack = [&trims] {
        if (!trims.joinable())
            trims = std::thread([] { SystemPages::trim(); });
    };
    SystemPages::idle();
    ASSERT_TRUE(trims.joinable());
    trims.join();
    EXPECT_EQ(pagesGivenBack(), 100u);
    EXPECT_EQ(SystemPages::memory().committed, before - 100 * PageSize);
    EXPECT_EQ(SystemPages::idle(), -1);
}

// What others need meanwhile stays, and so does what they release; nothing else does.
TEST_F(GivingBackThreadsTest, trimBesideOthers)
{
    acquire(400);
    const std::size_t full = SystemPages::memory().committed;
    std::vector<PageHeader *> others(pages.begin(), pages.begin() + 50);
    pages.erase(pages.begin(), pages.begin() + 50);
    releaseAll();
    SystemCalls::duringGivingBack = [&others] {
        inOtherThread([&others] {
            if (!others.empty())
                SystemPages::releasePage(others.back());
            if (!others.empty())
                others.pop_back();
        });
    };
    SystemPages::trim();
    SystemCalls::duringGivingBack = nullptr;
    EXPECT_GE(pagesGivenBack(), 350u);
    for (PageHeader *page : others)
        SystemPages::releasePage(page);
    SystemPages::trim();
    EXPECT_EQ(pagesGivenBack(), 400u);
    EXPECT_EQ(SystemPages::memory().committed, full - 400 * PageSize);
}

TEST_F(GivingBackThreadsTest, nothingIsLostWhileAllDoEverything)
{
    acquire(1000);
    const std::size_t full = SystemPages::memory().committed;
    releaseAll();
    SystemPages::trim();
    std::atomic<bool> stop { false };
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
        threads.emplace_back([t, &stop] {
            std::vector<PageHeader *> mine;
            while (!stop) {
                for (int i = 0; i < 50; ++i) {
                    mine.push_back(SystemPages::acquirePage());
                    SystemPages::pageOf(mine.back())[PageSize - 1] = char(t);
                }
                for (PageHeader *page : mine) {
                    EXPECT_EQ(SystemPages::pageOf(page)[PageSize - 1], char(t));
                    SystemPages::releasePage(page);
                }
                mine.clear();
                SystemPages::idle();
            }
        });
    }
    const std::uint64_t rounds = TestScale::scaled(100);
    for (std::uint64_t i = 0; i < rounds; ++i) {
        pass(Period / 2);
        if (i % 10 == 0)
            SystemPages::trim();
        std::this_thread::yield();
    }
    stop = true;
    for (std::thread &thread : threads)
        thread.join();
    SystemPages::trim();
    EXPECT_EQ(SystemPages::memory().committed, full - 1000 * PageSize);
    acquire(1000);
    EXPECT_EQ(SystemPages::memory().committed, full);
}

// fork() comes while pages are on their way: they are not lost to the child.
TEST_F(GivingBackThreadsTest, aForkMeanwhileLosesNothing)
{
    acquire(500);
    release(400);
    EXPECT_EQ(exitCodeOfChild([this] {
        SystemPages::surviveFork();
        const std::size_t free = SystemPages::memory().decommitted + 500 * PageSize;
        int code = -1;
        Rendezvous meet(2);
        std::thread forks([&] {
            meet.wait();
            code = exitCodeOfChild([&] {
                SystemCalls::duringGivingBack = nullptr;
                releaseAll();
                SystemPages::trim();
                return SystemPages::memory().decommitted == free ? 0 : 10;
            });
        });
        bool first = true;
        SystemCalls::duringGivingBack = [&] {
            if (std::exchange(first, false))
                meet.wait();
        };
        SystemPages::trim();
        forks.join();
        return code;
    }), 0);
}

} // namespace
