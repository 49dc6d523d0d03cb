// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// What happens if a process cannot get what the page source requests. Every case is a separate
// child: the range is reserved once, so this process itself must never use a pool.

#include "childprocess.h"
#include "pool/qsizedpoolallocator.h"
#include "testscale.h"

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <utility>
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
        constexpr std::size_t full = QPool::ReservationSizes::LargestRange;
        return SystemPages::memory().reserved >= full ? 0 : 2;
    }), 0);
}

// A sixteenth of the process's limit, and more when it is needed.
TEST_F(ReservationTest, isSmallerUnderALimit)
{
    for (const std::size_t mebibytes : { 100, 600, 4096 }) {
        if (mebibytes > SIZE_MAX / Mebibyte)
            continue;
        const std::size_t bytes = mebibytes * Mebibyte;
        EXPECT_EQ(exitCodeOfChild([bytes] {
            limit(RLIMIT_AS, addressSpaceInUse() + bytes);
            const std::size_t all = addressSpaceInUse() + bytes;
            if (!SystemPages::acquirePage() || !SystemPages::allocateMetadata(64))
                return 1;
            if (SystemPages::memory().reserved > all / 16)
                return 2;
            // Nearly all of it can be allocated, then no more, without a crash at the end.
            std::size_t pages = 1;
            while (SystemPages::acquirePage())
                ++pages;
            if (pages * SystemPages::PageSize < bytes - bytes / 8)
                return 3;
            return SystemPages::acquirePage() ? 4 : 0;
        }), 0) << bytes;
    }
}

// Every page of every range, and what lies between them.
TEST_F(ReservationTest, furtherRangesAreLikeTheFirst)
{
    EXPECT_EQ(exitCodeOfChild([] {
        limit(RLIMIT_AS, addressSpaceInUse() + 600 * Mebibyte);
        std::vector<QPool::PageHeader *> pages;
        pages.reserve(10000);
        std::size_t reservations = 0;
        std::size_t reserved = 0;
        while (QPool::PageHeader *page = SystemPages::acquirePage()) {
            pages.push_back(page);
            if (SystemPages::memory().reserved != reserved) {
                reserved = SystemPages::memory().reserved;
                ++reservations;
            }
        }
        if (reservations < 10)
            return 1;
        for (std::size_t i = 0; i < pages.size(); ++i) {
            QPool::PageHeader *page = pages[i];
            char *place = SystemPages::pageOf(page);
            page->chunkSize = std::uint32_t(i);
            *place = char(i);
            for (char *byte : { place, place + 1, place + SystemPages::PageSize - 1 }) {
                if (!SystemPages::contains(byte) || !SystemPages::hasHeader(byte)
                    || SystemPages::headerOf(byte) != page || SystemPages::findHeader(byte) != page) {
                    return 2;
                }
            }
        }
        for (std::size_t i = 0; i < pages.size(); ++i) {
            if (pages[i]->chunkSize != i || *SystemPages::pageOf(pages[i]) != char(i))
                return 3;
        }
        auto own = std::make_unique<int>();
        if (SystemPages::findHeader(&own) || SystemPages::findHeader(own.get())
            || SystemPages::findHeader(pages[0]) || SystemPages::findHeader(nullptr)
            || SystemPages::findHeader(reinterpret_cast<void *>(UINTPTR_MAX))) {
            return 4;
        }
        // All of it is given back, and can be allocated again.
        for (QPool::PageHeader *page : pages) {
            page->touched = SystemPages::PageSize;
            SystemPages::releasePage(page);
        }
        SystemPages::trim();
        if (SystemPages::memory().decommitted != pages.size() * SystemPages::PageSize)
            return 5;
        for (std::size_t i = 0; i < pages.size(); ++i) {
            if (!SystemPages::acquirePage())
                return 6;
        }
        return 0;
    }), 0);
}

template <class Model>
int useManyRanges()
{
    using Pool = QPool::QSizedPoolAllocator<Model>;
    std::vector<std::pair<char *, std::size_t>> blocks;
    blocks.reserve(2000000);
    limit(RLIMIT_AS, addressSpaceInUse() + 300 * Mebibyte);
    for (std::size_t i = 0;; ++i) {
        const std::size_t size = 200 + i % 800;
        auto *block = static_cast<char *>(Pool::allocate(size));
        if (!block)
            break;
        if (blocks.size() == blocks.capacity())
            return 1;
        block[0] = block[size - 1] = char(i);
        blocks.emplace_back(block, size);
    }
    if (blocks.size() * 600 < 200 * Mebibyte)
        return 2;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const auto [block, size] = blocks[i];
        if (block[0] != char(i) || block[size - 1] != char(i) || !Pool::sourceContains(block))
            return 3;
        // With the size no look is taken where the pointer points.
        if (i % 2)
            Pool::deallocate(block, size);
        else
            Pool::deallocate(block);
    }
    Pool::trim();
    return SystemPages::memory().decommitted >= 200 * Mebibyte ? 0 : 4;
}

TEST_F(ReservationTest, poolsWorkAcrossRanges)
{
    EXPECT_EQ(exitCodeOfChild([] { return useManyRanges<QPool::SingleThreaded>(); }), 0);
    EXPECT_EQ(exitCodeOfChild([] { return useManyRanges<QPool::SharedPool>(); }), 0);
    EXPECT_EQ(exitCodeOfChild([] { return useManyRanges<QPool::MultiPool>(); }), 0);
    EXPECT_EQ(exitCodeOfChild([] { return useManyRanges<QPool::MultiThreaded>(); }), 0);
}

// Addresses only: untouched pages take no memory.
TEST_F(ReservationTest, doesNotEndAt64GiB)
{
    if (sizeof(void *) < 8)
        GTEST_SKIP() << "there are not that many addresses";
    EXPECT_EQ(exitCodeOfChild([] {
        const std::size_t count = (std::size_t(66) << 30) / SystemPages::PageSize;
        QPool::PageHeader *first = SystemPages::acquirePage();
        QPool::PageHeader *last = nullptr;
        for (std::size_t i = 1; i < count; ++i) {
            last = SystemPages::acquirePage();
            if (!last)
                return 1;
        }
        char *place = SystemPages::pageOf(last);
        place[SystemPages::PageSize - 1] = 1;
        if (SystemPages::findHeader(place) != last || SystemPages::headerOf(place) != last)
            return 2;
        return SystemPages::findHeader(SystemPages::pageOf(first)) == first ? 0 : 3;
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
    // Permanently: a program with half of its memory in pools would be hard to understand.
    if (Sized::allocate(24) || Fixed::allocate())
        return 2;
    void *large = Sized::allocate(5000);
    if (!large || Sized::sourceContains(large))
        return 3;
    Sized::deallocate(large);
    int heap = 0;
    if (Sized::sourceContains(&heap) || Sized::statistics(24).live() != 0)
        return 4;
    return SystemPages::memory().reserved == 0 && SystemPages::memory().committed == 0 ? 0 : 5;
}

TEST_F(ReservationTest, disablesItselfWhenRefused)
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

TEST_F(ReservationTest, refusesWhenNothingMoreCanBeCommitted)
{
    EXPECT_EQ(exitCodeOfChild([] { return useUncommittablePool<QPool::SingleThreaded>(); }), 0);
    EXPECT_EQ(exitCodeOfChild([] { return useUncommittablePool<QPool::SharedPool>(); }), 0);
    EXPECT_EQ(exitCodeOfChild([] { return useUncommittablePool<QPool::MultiPool>(); }), 0);
    EXPECT_EQ(exitCodeOfChild([] { return useUncommittablePool<QPool::MultiThreaded>(); }), 0);
}

} // namespace
