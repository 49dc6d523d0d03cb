// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// What happens if a process cannot get the memory that the page source requests. Every case is a separate
// child: a limit cannot be undone, and this process itself must never use a pool.

#include "childprocess.h"
#include "pool/qsizedpoolallocator.h"
#include "rendezvous.h"
#include "systemcalls.h"
#include "testscale.h"

#include <gtest/gtest.h>

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

constexpr std::size_t Mebibyte = std::size_t(1) << 20;

std::size_t addressSpaceInUse()
{
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * std::size_t(sysconf(_SC_PAGESIZE));
}

void limit(__rlimit_resource resource, std::size_t bytes)
{
    rlimit limits = { };
    getrlimit(resource, &limits);
    limits.rlim_cur = bytes;
    setrlimit(resource, &limits);
}

class MemoryLimitsTest : public ::testing::Test
{
protected:
    void SetUp() override
    {
        if (!TestScale::ownsAddressSpace)
            GTEST_SKIP() << "the sanitizer needs the address space itself";
    }
};

// Nearly all of it can be had, then no more, without a crash at the end.
TEST_F(MemoryLimitsTest, areUsedUp)
{
    for (const std::size_t mebibytes : { 20, 100, 600 }) {
        const std::size_t bytes = mebibytes * Mebibyte;
        for (auto resource : { RLIMIT_AS, RLIMIT_DATA }) {
            EXPECT_EQ(exitCodeOfChild([bytes, resource] {
                limit(resource, addressSpaceInUse() + bytes);
                std::size_t pages = 0;
                while (SystemPages::acquirePage())
                    ++pages;
                if (pages * SystemPages::PageSize < bytes - bytes / 8)
                    return 3;
                return SystemPages::acquirePage() ? 4 : 0;
            }), 0) << bytes;
        }
    }
}

TEST_F(MemoryLimitsTest, refuseABlockAndLeaveTheRest)
{
    EXPECT_EQ(exitCodeOfChild([] {
        limit(RLIMIT_AS, addressSpaceInUse() + 100 * Mebibyte);
        bool isZero = false;
        if (SystemPages::allocateBlock(200 * Mebibyte, 16, &isZero))
            return 1;
        std::size_t pages = 0;
        while (SystemPages::acquirePage())
            ++pages;
        return pages * SystemPages::PageSize < 80 * Mebibyte ? 2 : 0;
    }), 0);
}

template <class Model>
int useRefusedPool()
{
    using Sized = QPool::QSizedPoolAllocator<Model>;
    using Fixed = QPool::QPoolAllocator<40, Model>;
    limit(RLIMIT_AS, 1);
    for (int round = 0; round < 3; ++round) {
        if (Sized::allocate(24) || Fixed::allocate())
            return 1;
        Sized::deallocate(nullptr);
        Fixed::deallocate(nullptr);
        Sized::flush();
        Sized::idle();
        Sized::trim();
    }
    if (SystemPages::memory().reserved != 0 || SystemPages::memory().committed != 0)
        return 5;
    limit(RLIMIT_AS, RLIM_INFINITY);
    // A system that refused again and again is asked only now and then.
    void *fixed = nullptr;
    for (int i = 0; i < 1000 && !fixed; ++i)
        fixed = Fixed::allocate();
    if (!fixed || !Fixed::sourceContains(fixed))
        return 2;
    Fixed::deallocate(fixed);
    void *large = Sized::allocate(5000);
    if (!large || Sized::sourceContains(large))
        return 3;
    Sized::deallocate(large);
    int heap = 0;
    if (Sized::sourceContains(&heap) || Sized::statistics(24).live() != 0)
        return 4;
    return 0;
}

TEST_F(MemoryLimitsTest, aPoolThatGotNothingWorksLater)
{
    EXPECT_EQ(exitCodeOfChild([] { return useRefusedPool<QPool::SingleThreaded>(); }), 0);
    EXPECT_EQ(exitCodeOfChild([] { return useRefusedPool<QPool::SharedPool>(); }), 0);
    EXPECT_EQ(exitCodeOfChild([] { return useRefusedPool<QPool::MultiPool>(); }), 0);
    EXPECT_EQ(exitCodeOfChild([] { return useRefusedPool<QPool::MultiThreaded>(); }), 0);
}

template <class Model>
int useLimitedPool()
{
    using Pool = QPool::QPoolAllocator<1024, Model>;
    std::vector<void *> chunks;
    chunks.reserve(1000000);
    void *first = Pool::allocate();
    if (!first)
        return 1;
    limit(RLIMIT_DATA, 64 * Mebibyte);
    while (void *chunk = Pool::allocate()) {
        if (chunks.size() == chunks.capacity())
            return 2;
        chunks.push_back(chunk);
    }
    if (chunks.empty() || Pool::statistics().live() != chunks.size() + 1)
        return 3;
    const std::size_t had = chunks.size();
    for (void *chunk : chunks)
        Pool::deallocate(chunk);
    chunks.clear();
    if (Pool::statistics().live() != 1)
        return 4;
    // All of it can be allocated again, and more when the limit is lifted.
    while (chunks.size() < had) {
        void *chunk = Pool::allocate();
        if (!chunk)
            return 5;
        chunks.push_back(chunk);
    }
    limit(RLIMIT_DATA, RLIM_INFINITY);
    for (int i = 0; i < 1000; ++i) {
        void *chunk = Pool::allocate();
        if (!chunk)
            return 6;
        chunks.push_back(chunk);
    }
    for (void *chunk : chunks)
        Pool::deallocate(chunk);
    Pool::deallocate(first);
    Pool::trim();
    return Pool::statistics().live() == 0 ? 0 : 7;
}

TEST_F(MemoryLimitsTest, refuseUntilTheyAreLifted)
{
    EXPECT_EQ(exitCodeOfChild([] { return useLimitedPool<QPool::SingleThreaded>(); }), 0);
    EXPECT_EQ(exitCodeOfChild([] { return useLimitedPool<QPool::SharedPool>(); }), 0);
    EXPECT_EQ(exitCodeOfChild([] { return useLimitedPool<QPool::MultiPool>(); }), 0);
    EXPECT_EQ(exitCodeOfChild([] { return useLimitedPool<QPool::MultiThreaded>(); }), 0);
}

// When there is nothing else left the pages on their way will do.
TEST_F(MemoryLimitsTest, letNobodyMissWhatIsOnItsWay)
{
    EXPECT_EQ(exitCodeOfChild([] {
        // Everything except memory for pages is allocated before the limit is set.
        PageHeader *page = nullptr;
        Rendezvous begun(2);
        std::thread acquires([&] {
            begun.wait();
            page = SystemPages::acquirePage();
        });
        std::vector<PageHeader *> pages;
        pages.reserve(100000);
        if (!SystemPages::acquirePage())
            return 1;
        limit(RLIMIT_DATA, 1);
        while (PageHeader *taken = SystemPages::acquirePage())
            pages.push_back(taken);
        for (std::size_t i = 0; i < SystemPages::StepPages; ++i)
            SystemPages::releasePage(pages[i]);
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

// Every page that becomes usable has memory at once, and none of it can be given back.
TEST_F(MemoryLimitsTest, lockedMemoryIsNotGivenBack)
{
    constexpr int notAllowed = 99;
    const int code = exitCodeOfChild([] {
        std::vector<PageHeader *> pages;
        for (int i = 0; i < 50; ++i)
            pages.push_back(SystemPages::acquirePage());
        if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0)
            return notAllowed;
        for (int i = 0; i < 50; ++i)
            pages.push_back(SystemPages::acquirePage());
        const PageMemory full = SystemPages::memory();
        for (PageHeader *page : pages)
            SystemPages::releasePage(page);
        SystemPages::trim();
        if (SystemPages::memory().decommitted != 0 || SystemPages::memory().committed != full.committed)
            return 1;
        munlockall();
        SystemPages::trim();
        return SystemPages::memory().decommitted == 100 * SystemPages::PageSize ? 0 : 2;
    });
    if (code == notAllowed)
        GTEST_SKIP() << "this process may not lock memory";
    EXPECT_EQ(code, 0);
}

// One that the program has locked, and forgotten, among many.
TEST_F(MemoryLimitsTest, aLockedPageDoesNotKeepTheOthers)
{
    constexpr int notAllowed = 99;
    const int code = exitCodeOfChild([] {
        std::vector<PageHeader *> pages;
        for (int i = 0; i < 100; ++i) {
            pages.push_back(SystemPages::acquirePage());
            std::memset(SystemPages::pageOf(pages.back()), 1, 1);
        }
        if (mlock(SystemPages::pageOf(pages.front()), 1) != 0)
            return notAllowed;
        for (PageHeader *page : pages)
            SystemPages::releasePage(page);
        SystemPages::trim();
        return SystemPages::memory().decommitted == 99 * SystemPages::PageSize ? 0 : 1;
    });
    if (code == notAllowed)
        GTEST_SKIP() << "this process may not lock memory";
    EXPECT_EQ(code, 0);
}

// What is mapped already is no request to the system.
TEST_F(MemoryLimitsTest, refusalsOfTooMuchLeaveWhatIsThere)
{
    EXPECT_EQ(exitCodeOfChild([] {
        if (!SystemPages::acquirePage()) // and others are mapped with it
            return 1;
        limit(RLIMIT_DATA, 1);
        bool isZero;
        for (int i = 0; i < 100; ++i) {
            if (SystemPages::allocateBlock(1000 * Mebibyte, 1, &isZero))
                return 2;
        }
        return SystemPages::acquirePage() ? 0 : 3;
    }), 0);
}

// A program that asks for two things in turn is granted the one that the system has room for.
TEST_F(MemoryLimitsTest, refusalsMissNoneOfTwoRequests)
{
    EXPECT_EQ(exitCodeOfChild([] {
        while (SystemPages::memory().reserved < 100 * Mebibyte) {
            if (!SystemPages::acquirePage())
                return 1;
        }
        limit(RLIMIT_AS, addressSpaceInUse() + 100 * Mebibyte);
        bool isZero;
        for (int i = 0; i < 100; ++i) {
            if (SystemPages::allocateBlock(300 * Mebibyte, 1, &isZero)
                || SystemPages::allocateBlock(200 * Mebibyte, 1, &isZero))
                return 2;
        }
        limit(RLIMIT_AS, addressSpaceInUse() + 250 * Mebibyte);
        for (int i = 0; i < 1000; ++i) {
            if (SystemPages::allocateBlock(200 * Mebibyte, 1, &isZero))
                return 0;
            if (SystemPages::allocateBlock(300 * Mebibyte, 1, &isZero))
                return 3;
        }
        return 4;
    }), 0);
}

// A system that goes on refusing is asked now and then, and one that relented is found out.
TEST_F(MemoryLimitsTest, refusalsAreRemembered)
{
    EXPECT_EQ(exitCodeOfChild([] {
        if (!SystemPages::acquirePage())
            return 1;
        limit(RLIMIT_DATA, 1);
        while (SystemPages::acquirePage()) { }
        // A handler that found memory does not get a failure.
        limit(RLIMIT_DATA, RLIM_INFINITY);
        if (!SystemPages::acquirePage())
            return 2;
        limit(RLIMIT_DATA, 1);
        while (SystemPages::acquirePage()) { }
        constexpr int rounds = 10000;
        SystemCalls::reset();
        for (int i = 0; i < rounds; ++i) {
            if (SystemPages::acquirePage())
                return 3;
        }
        if (SystemCalls::mappings > 2 * (16 + rounds / 64))
            return 4;
        limit(RLIMIT_DATA, RLIM_INFINITY);
        for (int i = 0; i < 128; ++i) {
            if (SystemPages::acquirePage())
                return 0;
        }
        return 5;
    }), 0);
}

} // namespace
