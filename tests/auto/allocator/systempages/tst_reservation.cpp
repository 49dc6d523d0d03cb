// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// What becomes of a process that may not have what the page source asks for. Every case is a
// child of its own: the range is reserved once, so this process itself must never use a pool.

#include "childprocess.h"
#include "pool/qsizedpoolallocator.h"
#include "testscale.h"

#include <gtest/gtest.h>

#include <fstream>
#include <vector>

#include <sys/resource.h>

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

class ReservationTest : public ::testing::Test
{
protected:
    void SetUp() override
    {
        if (!TestScale::ownsAddressSpace)
            GTEST_SKIP() << "the sanitizer needs the address space itself";
    }
};

TEST_F(ReservationTest, isFullSizeWithoutALimit)
{
    EXPECT_EQ(exitCodeOfChild([] {
        if (!SystemPages::acquirePage())
            return 1;
        return SystemPages::memory().reserved == std::size_t(64) << 30 ? 0 : 2;
    }), 0);
}

TEST_F(ReservationTest, isSmallerUnderALimit)
{
    EXPECT_EQ(exitCodeOfChild([] {
        limit(RLIMIT_AS, addressSpaceInUse() + 600 * Mebibyte);
        if (!SystemPages::acquirePage())
            return 1;
        const std::size_t reserved = SystemPages::memory().reserved;
        if (reserved < 256 * Mebibyte || reserved > 600 * Mebibyte)
            return 2;
        // All of it but for the headers can be had, then no more, and no crash at the end.
        std::size_t pages = 1;
        while (SystemPages::acquirePage())
            ++pages;
        if (pages * SystemPages::PageSize < reserved - reserved / 32)
            return 3;
        return SystemPages::acquirePage() ? 4 : 0;
    }), 0);
}

// A page that waits for the class that had it is better than none.
TEST_F(ReservationTest, takesAnotherClassesPageAtTheEnd)
{
    EXPECT_EQ(exitCodeOfChild([] {
        limit(RLIMIT_AS, addressSpaceInUse() + 600 * Mebibyte);
        QPool::PageHeader *last = nullptr;
        while (QPool::PageHeader *page = SystemPages::acquirePage(16))
            last = page;
        last->chunkSize = 16;
        last->touched = 4096;
        SystemPages::releasePage(last);
        if (SystemPages::acquirePage(1024) != last)
            return 1;
        return SystemPages::acquirePage(16) ? 2 : 0;
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
    limit(RLIMIT_AS, RLIM_INFINITY);
    // For good: half a program's memory in pools and half not would be a riddle.
    if (Sized::allocate(24) || Fixed::allocate())
        return 2;
    void *large = Sized::allocate(5000);
    if (!large || Sized::owns(large))
        return 3;
    Sized::deallocate(large);
    int heap = 0;
    if (Sized::owns(&heap) || Sized::statistics(24).live() != 0)
        return 4;
    return SystemPages::memory().reserved == 0 && SystemPages::memory().committed == 0 ? 0 : 5;
}

TEST_F(ReservationTest, standsAsideWhenRefused)
{
    EXPECT_EQ(exitCodeOfChild([] { return useRefusedPool<QPool::SingleThreaded>(); }), 0);
    EXPECT_EQ(exitCodeOfChild([] { return useRefusedPool<QPool::SharedPool>(); }), 0);
    EXPECT_EQ(exitCodeOfChild([] { return useRefusedPool<QPool::MultiPool>(); }), 0);
    EXPECT_EQ(exitCodeOfChild([] { return useRefusedPool<QPool::MultiThreaded>(); }), 0);
}

// The address space is there, the memory is not.
template <class Model>
int useUncommittablePool()
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
    // All of it can be had again, and once the limit is lifted, more.
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

TEST_F(ReservationTest, refusesWhenNothingMoreCanBeCommitted)
{
    EXPECT_EQ(exitCodeOfChild([] { return useUncommittablePool<QPool::SingleThreaded>(); }), 0);
    EXPECT_EQ(exitCodeOfChild([] { return useUncommittablePool<QPool::SharedPool>(); }), 0);
    EXPECT_EQ(exitCodeOfChild([] { return useUncommittablePool<QPool::MultiPool>(); }), 0);
    EXPECT_EQ(exitCodeOfChild([] { return useUncommittablePool<QPool::MultiThreaded>(); }), 0);
}

} // namespace
