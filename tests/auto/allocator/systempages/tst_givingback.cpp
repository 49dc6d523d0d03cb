// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// How memory goes back to the system: in few calls, none of which makes other threads wait. Memory
// that the system does not take is not counted as decommitted.

#include "childprocess.h"
#include "pages/qpoolsystempages.h"
#include "pool/qpoolallocator.h"
#include "randomsource.h"
#include "rendezvous.h"
#include "systemcalls.h"
#include "testscale.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <sys/resource.h>

using QPool::PageHeader;
using QPool::PageMemory;
using QPool::SystemPages;

namespace {

constexpr std::size_t PageSize = SystemPages::PageSize;

class GivingBackTest : public ::testing::Test
{
protected:
    void SetUp() override
    {
        // The runtimes of sanitizers make such calls, too, and more than the program does.
        if (!TestScale::ownsAddressSpace)
            GTEST_SKIP() << "the calls are the sanitizer's";
    }

    ~GivingBackTest() override
    {
        SystemCalls::duringGivingBack = nullptr;
        SystemCalls::refusesToTake = false;
        SystemCalls::clockMilliseconds = -1;
        for (PageHeader *page : held)
            SystemPages::releasePage(page);
        SystemPages::trim();
    }

    static std::vector<PageHeader *> acquire(std::size_t count)
    {
        std::vector<PageHeader *> pages;
        for (std::size_t i = 0; i < count; ++i)
            pages.push_back(SystemPages::acquirePage(64));
        return pages;
    }

    static std::vector<PageHeader *> acquireInOrder(std::size_t count)
    {
        std::vector<PageHeader *> pages = acquire(count);
        std::sort(pages.begin(), pages.end());
        return pages;
    }

    // Puts the pages that earlier tests left into order, so that those acquired next are adjacent. Pages
    // that go back do not wait for their neighbours then.
    static void putInOrder()
    {
        for (PageHeader *page : acquireInOrder(SystemPages::memory().decommitted / PageSize + 1000))
            releaseWhole(page);
        SystemPages::releaseWaiting();
        SystemPages::trim();
    }

    // Released in no order, after so much was taken that the source keeps all of them. In a
    // separate turn, because memory that an earlier test decommitted and used again in the turn before
    // would be kept.
    void cache(std::size_t count)
    {
        std::vector<PageHeader *> pages = acquireInOrder(9 * count);
        SystemPages::idle();
        held.assign(pages.begin() + std::ptrdiff_t(count), pages.end());
        pages.resize(count);
        shuffle(pages);
        for (PageHeader *page : pages) {
            std::memset(SystemPages::pageOf(page), 1, PageSize);
            releaseWhole(page);
        }
    }

    static void shuffle(std::vector<PageHeader *> &pages)
    {
        RandomSource random(1);
        std::shuffle(pages.begin(), pages.end(), random);
    }

    static void releaseWhole(PageHeader *page)
    {
        page->touched = PageSize;
        page->chunkSize = 64;
        SystemPages::releasePage(page);
    }

    std::vector<PageHeader *> held;
};

TEST_F(GivingBackTest, joinsNeighbours)
{
    constexpr std::size_t count = 800;
    putInOrder();
    cache(count);
    const PageMemory before = SystemPages::memory();
    SystemCalls::reset();
    SystemPages::trim();
    EXPECT_EQ(SystemPages::memory().decommitted, before.decommitted + count * PageSize);
    EXPECT_EQ(SystemPages::memory().committed, before.committed - count * PageSize);
    EXPECT_EQ(SystemCalls::bytes, count * PageSize);
    EXPECT_EQ(SystemCalls::mostAtOnce, SystemPages::RunPages * PageSize);
    // If the released pages are not adjacent, a call ends early.
    EXPECT_LE(SystemCalls::givenBack, int(2 * count / SystemPages::RunPages));
}

TEST_F(GivingBackTest, keepsNobodyWaiting)
{
    cache(400);
    // The lock of the source is free during every call: another thread comes through to its end,
    // and this one through the lock, or neither of them ever does.
    int calls = 0;
    SystemCalls::duringGivingBack = [&calls] {
        ++calls;
        inOtherThread([] {
            PageHeader *page = SystemPages::acquirePage(64);
            ASSERT_NE(page, nullptr);
            page->touched = 0;
            SystemPages::releasePage(page);
        });
    };
    SystemPages::trim();
    EXPECT_GT(calls, 400 / int(SystemPages::RunPages) - 1);
}

// A thread that has much to give back, or goes to sleep, does not wait either: the thread that
// already gives back does it for all before it ends. In a separate process, because the pages are
// in no order afterwards.
TEST_F(GivingBackTest, isDoneByOneThreadForAll)
{
    EXPECT_EQ(exitCodeOfChild([this] {
        cache(400);
        const auto firstKept = held.begin() + 1000;
        const std::vector<PageHeader *> more(held.begin(), firstKept);
        held.erase(held.begin(), firstKept);
        int calls = 0;
        int callsMeanwhile = -1;
        SystemCalls::duringGivingBack = [&] {
            if (calls++ > 0)
                return;
            inOtherThread([&] {
                const int before = calls;
                for (PageHeader *page : more)
                    releaseWhole(page);
                SystemPages::idle();
                callsMeanwhile = calls - before;
            });
        };
        const std::size_t before = SystemPages::memory().decommitted;
        SystemPages::trim();
        if (callsMeanwhile != 0)
            return 1;
        // All but what idle() leaves.
        const std::size_t decommitted = (SystemPages::memory().decommitted - before) / PageSize;
        return decommitted >= 400 + 1000 - (8 + held.size() / 32) ? 0 : 2;
    }), 0);
}

// Whichever part of the cache is given back, the rest stays, and none is lost.
TEST_F(GivingBackTest, idleKeepsAShare)
{
    EXPECT_EQ(exitCodeOfChild([this] {
        for (std::size_t count : { 20u, 130u, 1000u }) {
            SystemPages::trim();
            cache(count);
            const PageMemory before = SystemPages::memory();
            SystemPages::idle();
            const std::size_t kept = 8 + held.size() / 32;
            const std::size_t gone = count > kept ? count - kept : 0;
            if (SystemPages::memory().decommitted != before.decommitted + gone * PageSize)
                return 1;
            // They are all there, and taken before any fresh one.
            std::vector<PageHeader *> again = acquire(count);
            if (SystemPages::memory().decommitted != before.decommitted
                || SystemPages::memory().committed != before.committed) {
                return 2;
            }
            held.insert(held.end(), again.begin(), again.end());
            for (PageHeader *page : std::exchange(held, { }))
                SystemPages::releasePage(page);
        }
        return 0;
    }), 0);
}

// A burst of releases, like that of a thread that frees everything, goes back several pages at a time.
TEST_F(GivingBackTest, gathersBeforeItCalls)
{
    putInOrder();
    const std::vector<PageHeader *> pages = acquireInOrder(1000);
    SystemCalls::reset();
    for (PageHeader *page : pages)
        releaseWhole(page);
    const int calls = SystemCalls::givenBack;
    EXPECT_GT(calls, 0);
    EXPECT_LE(calls, 1000 / 4);
}

// Pages that become empty in no order wait until most of them are empty, and so go back together.
TEST_F(GivingBackTest, scatteredPagesWaitForTheirNeighbours)
{
    constexpr std::size_t count = 4000;
    std::vector<PageHeader *> pages = acquire(count);
    shuffle(pages);
    SystemCalls::clockMilliseconds = 1000;
    SystemCalls::reset();
    for (PageHeader *page : pages)
        releaseWhole(page);
    EXPECT_LT(SystemCalls::givenBack, int(count / 4));
    // Nothing waits when nothing is left in use.
    EXPECT_GE(SystemCalls::bytes, (count - 2 * 64) * PageSize);
}

// Pages that become empty in the order of their addresses do not wait, although much is in use.
TEST_F(GivingBackTest, adjacentPagesDoNotWait)
{
    EXPECT_EQ(exitCodeOfChild([this] {
        constexpr std::size_t count = 1000;
        putInOrder();
        SystemCalls::clockMilliseconds = 1000;
        std::vector<PageHeader *> pages = acquireInOrder(2 * count);
        held.assign(pages.begin(), pages.begin() + count);
        SystemCalls::reset();
        for (std::size_t i = count; i < 2 * count; ++i)
            releaseWhole(pages[i]);
        return SystemCalls::bytes >= count * 3 / 4 * PageSize ? 0 : 1;
    }), 0);
}

class WaitingPagesTest : public GivingBackTest
{
protected:
    // Half of many pages are released, and wait.
    void SetUp() override
    {
        GivingBackTest::SetUp();
        if (IsSkipped())
            return;
        SystemCalls::clockMilliseconds = 1000;
        held = acquire(2 * count);
        shuffle(held);
        const std::size_t before = SystemPages::memory().decommitted;
        while (held.size() > count)
            release();
        ASSERT_LT(SystemPages::memory().decommitted - before, count / 2 * PageSize);
        SystemCalls::reset();
    }

    void release()
    {
        releaseWhole(held.back());
        held.pop_back();
    }

    static constexpr std::size_t count = 1000;
    // Beside what was given back during the set-up, and an eighth of what is in use.
    static constexpr std::size_t leastGivenBack = (count / 2 - 8 - 2 * count / 8) * PageSize;
};

TEST_F(WaitingPagesTest, nextReleaseGivesThemBackAfterAWhile)
{
    SystemCalls::clockMilliseconds = 1009;
    release();
    EXPECT_EQ(SystemCalls::givenBack, 0);
    SystemCalls::clockMilliseconds = 1010;
    release();
    EXPECT_GE(SystemCalls::bytes, leastGivenBack);
}

TEST_F(WaitingPagesTest, areOverdueAfterAWhile)
{
    SystemPages::releaseOverdue();
    EXPECT_EQ(SystemCalls::givenBack, 0);
    SystemCalls::clockMilliseconds = 1010;
    SystemPages::releaseOverdue();
    EXPECT_GE(SystemCalls::bytes, leastGivenBack);
    SystemCalls::reset();
    SystemPages::releaseOverdue();
    EXPECT_EQ(SystemCalls::givenBack, 0);
}

TEST_F(WaitingPagesTest, idleDoesNotLetThemWait)
{
    SystemPages::idle();
    EXPECT_GE(SystemCalls::bytes, leastGivenBack);
}

// The thread that gives pages back does not find them by itself: none was released meanwhile.
TEST_F(WaitingPagesTest, areLeftToTheThreadThatGivesBack)
{
    bool first = true;
    SystemCalls::duringGivingBack = [&first] {
        if (!std::exchange(first, false))
            return;
        SystemCalls::reset();
        inOtherThread([] { SystemPages::releaseWaiting(); });
        EXPECT_EQ(SystemCalls::givenBack, 0);
    };
    // Partly touched pages do not wait, and are given back by this thread.
    while (first && held.size() > count / 2) {
        held.back()->touched = PageSize / 2;
        SystemPages::releasePage(held.back());
        held.pop_back();
    }
    EXPECT_FALSE(first);
    EXPECT_GE(SystemCalls::bytes, leastGivenBack / 2);
}

// A thread that gives pages back gives way to one that trims after one system call, and that one gives
// back what was about to leave.
TEST_F(WaitingPagesTest, areTakenOverByAThreadThatTrims)
{
    const std::size_t before = SystemPages::memory().committed;
    Rendezvous begun(2);
    std::thread trims;
    bool first = true;
    SystemCalls::duringGivingBack = [&] {
        if (!std::exchange(first, false))
            return;
        trims = std::thread([&] { SystemPages::trim([&] { begun.wait(); }); });
        begun.wait();
    };
    SystemCalls::clockMilliseconds = 1010;
    SystemPages::releaseOverdue();
    EXPECT_EQ(SystemCalls::givenBackHere, 1);
    ASSERT_TRUE(trims.joinable());
    trims.join();
    EXPECT_EQ(SystemPages::memory().committed, before - SystemCalls::bytes);
    EXPECT_GE(SystemCalls::bytes, count / 2 * PageSize);
    // None is lost on the way.
    const std::vector<PageHeader *> again =
            acquire(SystemPages::memory().decommitted / PageSize);
    EXPECT_EQ(SystemPages::memory().decommitted, 0u);
    held.insert(held.end(), again.begin(), again.end());
}

// What the caller releases first, and what another thread releases meanwhile, goes at the end, by the
// same thread.
TEST_F(GivingBackTest, trimGivesBackForAll)
{
    constexpr std::size_t count = 2000;
    putInOrder();
    std::vector<PageHeader *> pages = acquireInOrder(count);
    const auto release = [&pages](std::size_t most) {
        for (; pages.size() > most; pages.pop_back())
            releaseWhole(pages.back());
    };
    SystemCalls::reset();
    SystemPages::trim([&] {
        release(count / 2);
        inOtherThread([&] { release(0); });
        EXPECT_EQ(SystemCalls::givenBack, 0);
    });
    EXPECT_EQ(SystemCalls::givenBackHere, int(SystemCalls::givenBack));
    EXPECT_EQ(SystemCalls::bytes, count * PageSize);
}

using Pool = QPool::QPoolAllocator<64, QPool::MultiThreaded>;

// The arenas release all pages before the first one goes. If they didn't, a thread that frees a page
// meanwhile would become the one that gives all of them back.
TEST_F(GivingBackTest, trimOfAPoolReleasesFirst)
{
    std::vector<void *> chunks(2000 * PageSize / 64);
    for (void *&chunk : chunks)
        chunk = Pool::allocate();
    inOtherThread([&chunks] {
        for (void *chunk : chunks)
            Pool::deallocate(chunk);
    });
    SystemPages::trim();
    const auto pages = [] {
        std::uint64_t count = 0;
        Pool::forEachArena([&](const QPool::ArenaStatistics &arena) { count += arena.pages; });
        return count;
    };
    ASSERT_GE(pages(), 1900u);
    std::uint64_t pagesAtFirst = 0;
    bool first = true;
    SystemCalls::duringGivingBack = [&] {
        if (std::exchange(first, false))
            pagesAtFirst = pages();
    };
    Pool::trim();
    EXPECT_FALSE(first);
    EXPECT_LT(pagesAtFirst, 10u);
}

// The pages became empty in other threads' hands; no thread would find that it freed much.
TEST_F(WaitingPagesTest, goWhenAnyThreadGoesToSleep)
{
    inOtherThread([] { Pool::idle(); });
    EXPECT_GE(SystemCalls::bytes, leastGivenBack);
}

TEST_F(WaitingPagesTest, goWhenAThreadWithAnArenaGoesToSleep)
{
    inOtherThread([] {
        Pool::deallocate(Pool::allocate());
        Pool::idle();
        EXPECT_GE(SystemCalls::bytes, leastGivenBack);
    });
}

TEST_F(WaitingPagesTest, goWhenAThreadParks)
{
    inOtherThread([] { Pool::park(); });
    EXPECT_GE(SystemCalls::bytes, leastGivenBack);
}

TEST_F(WaitingPagesTest, goWhenAThreadEnds)
{
    inOtherThread([] { Pool::deallocate(Pool::allocate()); });
    EXPECT_GE(SystemCalls::bytes, leastGivenBack);
}

TEST_F(WaitingPagesTest, goAfterAWhileIfAThreadGoesOnAllocating)
{
    SystemCalls::clockMilliseconds = 1010;
    inOtherThread([] {
        std::vector<void *> chunks(2 * 1024 * 1024 / 64);
        for (void *&chunk : chunks)
            chunk = Pool::allocate();
        EXPECT_GE(SystemCalls::bytes, leastGivenBack);
        for (void *chunk : chunks)
            Pool::deallocate(chunk);
    });
}

// fork() comes while pages are on their way: they are not lost to the child.
TEST_F(GivingBackTest, aForkMeanwhileLosesNothing)
{
    EXPECT_EQ(exitCodeOfChild([this] {
        SystemPages::surviveFork();
        cache(400);
        int code = -1;
        Rendezvous meet(2);
        std::thread forks([&] {
            meet.wait();
            code = exitCodeOfChild([this] {
                for (PageHeader *page : held)
                    SystemPages::releasePage(page);
                SystemPages::trim();
                // A page that is neither cached nor decommitted would be missing here.
                return SystemPages::memory().decommitted >= 9 * 400 * PageSize ? 0 : 10;
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

TEST_F(GivingBackTest, refusedPagesStayUsable)
{
    constexpr std::size_t count = 400;
    SystemPages::trim();
    cache(count);
    const PageMemory before = SystemPages::memory();
    SystemCalls::refusesToTake = true;
    SystemCalls::reset();
    SystemPages::trim();
    SystemPages::idle();
    EXPECT_EQ(SystemPages::memory().committed, before.committed);
    EXPECT_EQ(SystemPages::memory().decommitted, before.decommitted);
    EXPECT_LE(SystemCalls::givenBack, 3) << "it was refused once";
    // They are used again.
    std::vector<PageHeader *> pages = acquire(count);
    EXPECT_EQ(SystemPages::memory().committed, before.committed);
    for (PageHeader *page : pages)
        SystemPages::releasePage(page);
    // And go when the system takes them.
    SystemCalls::refusesToTake = false;
    SystemPages::trim();
    EXPECT_EQ(SystemPages::memory().decommitted, before.decommitted + count * PageSize);
}

// When there is nothing else left the pages on their way will do.
TEST_F(GivingBackTest, refusesNobodyMeanwhile)
{
    EXPECT_EQ(exitCodeOfChild([this] {
        cache(40);
        // Everything except memory for pages is allocated before the limit is set.
        PageHeader *page = nullptr;
        Rendezvous begun(2);
        std::thread acquires([&] {
            begun.wait();
            page = SystemPages::acquirePage(64);
        });
        std::vector<PageHeader *> rest;
        rest.reserve(10000);
        rlimit limits = { };
        getrlimit(RLIMIT_DATA, &limits);
        limits.rlim_cur = 1;
        setrlimit(RLIMIT_DATA, &limits);
        while (PageHeader *taken = SystemPages::acquirePage(64))
            rest.push_back(taken);
        for (std::size_t i = 0; i < 40; ++i) {
            rest[i]->touched = PageSize;
            SystemPages::releasePage(rest[i]);
        }
        bool first = true;
        SystemCalls::duringGivingBack = [&] {
            if (!std::exchange(first, false))
                return;
            begun.wait();
            // There are many opportunities to find that there is nothing.
            for (int i = 0; i < 50; ++i)
                std::this_thread::yield();
        };
        SystemPages::trim();
        acquires.join();
        return page ? 0 : 2;
    }), 0);
}

std::size_t lockedBytes()
{
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        if (word == "VmLck:") {
            std::size_t kibibytes = 0;
            status >> kibibytes;
            return kibibytes * 1024;
        }
    }
    return 0;
}

std::size_t residentBytes()
{
    std::size_t total = 0;
    std::size_t resident = 0;
    std::ifstream("/proc/self/statm") >> total >> resident;
    return resident * std::size_t(sysconf(_SC_PAGESIZE));
}

// Every page that becomes usable has memory at once, and none of it can be given back.
TEST_F(GivingBackTest, lockedMemoryIsNotGivenBack)
{
    constexpr int notAllowed = 99;
    const int code = exitCodeOfChild([] {
        // Memory that earlier tests gave back is used up, so that all further memory is fresh.
        do {
            if (!SystemPages::acquirePage())
                return 1;
        } while (SystemPages::memory().decommitted > 0);
        if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0 || lockedBytes() == 0)
            return notAllowed;
        // It is known from the first request to the system on, which still is for several pages.
        int known = 0;
        do {
            SystemCalls::reset();
            if (!SystemPages::acquirePage() || ++known > 10000)
                return 6;
        } while (SystemCalls::protections == 0 || SystemCalls::mostProtected > PageSize);
        const std::size_t resident = residentBytes();
        const std::size_t committed = SystemPages::memory().committed;
        SystemCalls::reset();
        std::vector<PageHeader *> pages = acquire(50);
        if (SystemCalls::mostProtected > PageSize)
            return 2;
        const std::size_t grown = SystemPages::memory().committed - committed;
        if (grown > 51 * PageSize || residentBytes() > resident + 60 * PageSize)
            return 3;
        for (PageHeader *page : pages) {
            page->touched = PageSize;
            SystemPages::releasePage(page);
        }
        SystemPages::trim();
        const PageMemory memory = SystemPages::memory();
        if (memory.decommitted != 0 || memory.committed != committed + grown)
            return 4;
        munlockall();
        SystemPages::trim();
        return SystemPages::memory().decommitted >= 50 * PageSize ? 0 : 5;
    });
    if (code == notAllowed)
        GTEST_SKIP() << "this process may not lock memory";
    EXPECT_EQ(code, 0);
}

// A system that goes on refusing is asked now and then, and one that relented is found out.
TEST_F(GivingBackTest, refusalsAreRemembered)
{
    EXPECT_EQ(exitCodeOfChild([] {
        if (!SystemPages::acquirePage())
            return 1;
        rlimit limits = { };
        getrlimit(RLIMIT_DATA, &limits);
        const rlim_t unlimited = limits.rlim_cur;
        const auto limit = [&limits](rlim_t bytes) {
            limits.rlim_cur = bytes;
            setrlimit(RLIMIT_DATA, &limits);
        };
        limit(1);
        while (SystemPages::acquirePage()) { }
        // A handler that found memory does not get a failure.
        limit(unlimited);
        if (!SystemPages::acquirePage())
            return 2;
        limit(1);
        while (SystemPages::acquirePage()) { }
        constexpr int rounds = 10000;
        SystemCalls::reset();
        for (int i = 0; i < rounds; ++i) {
            if (SystemPages::acquirePage())
                return 3;
        }
        if (SystemCalls::protections > 2 * (16 + rounds / 64))
            return 4;
        limit(unlimited);
        for (int i = 0; i < 128; ++i) {
            if (SystemPages::acquirePage())
                return 0;
        }
        return 5;
    }), 0);
}

} // namespace
