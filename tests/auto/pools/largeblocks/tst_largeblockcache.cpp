// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// The large blocks of containers: used again, bounded, given back; by several threads, and across a
// fork().

#include "pools/std/qcachelineallocator.h"
#include "pools/std/qpoolresource.h"
#include "pools/std/qpoolstdallocator.h"
#include "os/qpoolwatchers.h"

#include "childprocess.h"
#include "cookie.h"
#include "randomsource.h"
#include "rendezvous.h"
#include "testscale.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <fstream>
#include <thread>
#include <vector>

#if defined(__linux__)
#  include <sys/resource.h>
#endif

using namespace QPool;

namespace {

constexpr std::size_t KiB = 1024;
constexpr std::size_t MiB = 1024 * KiB;
using Pool = QSizedPoolAllocator<>;
using Bytes = StdAllocator<char>;

std::size_t kept() { return LargeBlockCache::statistics().kept; }
std::size_t used() { return LargeBlockCache::statistics().used; }

class LargeBlockCacheTest : public ::testing::Test
{
protected:
    LargeBlockCacheTest() { Pool::trim(); }
    ~LargeBlockCacheTest() override
    {
        Pool::trim();
        EXPECT_EQ(kept(), 0u);
        EXPECT_EQ(used(), usedBefore) << "a block was lost";
    }

    // If nothing is kept, everything else must hold.
    const bool keeps = LargeBlockCache::keeps();
    const std::size_t usedBefore = used();
};

template <std::size_t Alignment>
struct alignas(Alignment) Aligned
{
    char bytes[Alignment];
};

template <std::size_t Alignment>
void expectAligned()
{
    StdAllocator<Aligned<Alignment>> allocator;
    for (std::size_t bytes : { 100 * KiB, 128 * KiB, 300 * KiB, MiB - 4096, 5 * MiB }) {
        const std::size_t count = bytes / Alignment;
        for (int round = 0; round < 3; ++round) {
            Aligned<Alignment> *array = allocator.allocate(count);
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array) % Alignment, 0u) << bytes;
            std::memset(static_cast<void *>(array), round, count * Alignment);
            allocator.deallocate(array, count);
        }
    }
}

TEST_F(LargeBlockCacheTest, alignsAsTheTypeAsks)
{
    expectAligned<1>();
    expectAligned<16>();
    expectAligned<64>();
    expectAligned<256>();
    expectAligned<4096>();
    expectAligned<16384>(); // more than the cache has
    CacheLineAllocator<int, 2> lines;
    int *array = lines.allocate(MiB);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array) % (2 * CacheLineSize), 0u);
    lines.deallocate(array, MiB);
}

TEST_F(LargeBlockCacheTest, usesABlockAgain)
{
    Bytes allocator;
    for (std::size_t bytes : { 150 * KiB, 500 * KiB, 3 * MiB }) {
        char *block = allocator.allocate(bytes);
        const auto before = reinterpret_cast<std::uintptr_t>(block);
        std::memset(block, 1, bytes);
        allocator.deallocate(block, bytes);
        EXPECT_EQ(kept() > bytes, keeps);
        block = allocator.allocate(bytes - bytes / 8); // a little less
        if (keeps) {
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block), before);
            EXPECT_EQ(kept(), 0u);
        }
        allocator.deallocate(block, bytes - bytes / 8);
        Pool::trim();
    }
}

TEST_F(LargeBlockCacheTest, isSharedByAllContainers)
{
    if (!keeps)
        GTEST_SKIP() << "nothing is kept";
    const void *before;
    {
        std::vector<int, StdAllocator<int>> vector(MiB);
        before = vector.data();
    }
    PoolResource resource;
    void *block = resource.allocate(4 * MiB, 8);
    EXPECT_EQ(block, before);
    resource.deallocate(block, 4 * MiB, 8);
    inOtherThread([before] {
        std::vector<double, StdAllocator<double, SharedPool>> vector(MiB / 2);
        EXPECT_EQ(vector.data(), before);
    });
}

// A resource gives back all blocks at once.
TEST_F(LargeBlockCacheTest, keepsNothingAResourceReleases)
{
    PoolResource resource;
    static_cast<void>(resource.allocate(3 * MiB, 8));
    EXPECT_GT(resource.heldBytes(), 3 * MiB);
    resource.release();
    EXPECT_EQ(resource.heldBytes(), 0u);
    EXPECT_EQ(kept(), 0u);
}

TEST_F(LargeBlockCacheTest, keepsAtMostItsLimit)
{
    Bytes allocator;
    for (int round = 0; round < 3; ++round) {
        std::vector<std::pair<char *, std::size_t>> blocks;
        for (std::size_t bytes = 128 * KiB; bytes < 40 * MiB; bytes += bytes / 3)
            blocks.emplace_back(allocator.allocate(bytes), bytes);
        for (const auto &[block, bytes] : blocks) {
            allocator.deallocate(block, bytes);
            EXPECT_LE(kept(), KeptBlocks::limit(used()));
        }
    }
    EXPECT_LE(kept(), KeptBlocks::AlwaysKept);
}

// Its former arrays are of no use to a vector that grows.
TEST_F(LargeBlockCacheTest, doesNotKeepAllArraysOfAVectorThatGrows)
{
    std::vector<char, Bytes> vector;
    for (std::size_t bytes = 64 * KiB; bytes <= 512 * MiB; bytes *= 2) {
        vector.reserve(bytes);
        EXPECT_LE(kept(), KeptBlocks::limit(used()));
        EXPECT_LE(kept(), KeptBlocks::MostBytes);
    }
}

TEST_F(LargeBlockCacheTest, keepsOnlyWhatTheNextTurnNeedsWhenIdle)
{
    const auto turn = [] { std::vector<int, StdAllocator<int>> vector(500000, 1); };
    turn();
    Pool::idle();
    EXPECT_EQ(kept(), 0u) << "a burst";
    turn();
    Pool::idle();
    EXPECT_EQ(kept() > 0, keeps) << "it was needed at two turns";
    turn();
    Pool::idle();
    EXPECT_EQ(kept() > 0, keeps);
    Pool::idle();
    EXPECT_EQ(kept(), 0u) << "a turn did not need it";
}

TEST_F(LargeBlockCacheTest, survivesExchangeBetweenThreads)
{
    constexpr std::size_t slotCount = 8;
    struct Block
    {
        char *memory;
        std::size_t bytes;
    };
    std::atomic<Block *> slots[slotCount] = {};
    std::atomic<unsigned> spoilt { 0 };
    const auto free = [&spoilt](Block *block) {
        if (!block)
            return;
        // Two owners would be seen at the ends as well as in the whole block.
        for (char *place : { block->memory, block->memory + block->bytes - 64 }) {
            if (!Cookie::check(place, 64, block->bytes))
                ++spoilt;
        }
        Bytes().deallocate(block->memory, block->bytes);
        delete block;
    };
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            RandomSource random(t);
            for (std::uint64_t i = TestScale::scaled(4000); i > 0; --i) {
                const std::size_t bytes = 100 * KiB + random.below(2 * MiB);
                auto *block = new Block { Bytes().allocate(bytes), bytes };
                Cookie::write(block->memory, 64, bytes);
                Cookie::write(block->memory + bytes - 64, 64, bytes);
                free(slots[random.below(slotCount)].exchange(block));
                if (i % 64 == 0)
                    Pool::idle();
                if (i % 512 == 0)
                    Pool::trim();
            }
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    for (std::atomic<Block *> &slot : slots)
        free(slot.exchange(nullptr));
    EXPECT_EQ(spoilt, 0u);
}

// A lock that was left behind shows as a hang, which ends the child.
TEST_F(LargeBlockCacheTest, worksInAForkedChild)
{
    if (Os::isHeapWatched())
        GTEST_SKIP() << "all blocks are the tool's, whose own locks a child may find taken";
    std::atomic<bool> stop { false };
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 2; ++t) {
        threads.emplace_back([&stop, t] {
            while (!stop) {
                Bytes().deallocate(Bytes().allocate((200 + t) * KiB), (200 + t) * KiB);
                if (t == 0)
                    Pool::trim();
            }
        });
    }
    int code = 0;
    for (std::uint64_t i = TestScale::scaled(200); i > 0 && code == 0; --i) {
        code = exitCodeOfChild([] {
            for (std::size_t bytes = 128 * KiB; bytes < 6 * MiB; bytes += bytes / 2) {
                char *block = Bytes().allocate(bytes);
                block[0] = block[bytes - 1] = 1;
                Bytes().deallocate(block, bytes);
            }
            Pool::trim();
            return kept() == 0 ? 0 : 1;
        });
    }
    EXPECT_EQ(code, 0);
    stop = true;
    for (std::thread &thread : threads)
        thread.join();
}

#if defined(__linux__)
std::size_t residentBytes()
{
    std::size_t total = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> total >> resident;
    return resident * Os::pageBytes();
}

TEST_F(LargeBlockCacheTest, givesMemoryBackToTheSystem)
{
    if (!TestScale::ownsAddressSpace)
        GTEST_SKIP() << "the process has memory of a tool";
    const std::size_t before = residentBytes();
    for (auto giveBack : { &Pool::trim, &Pool::idle }) {
        { std::vector<char, Bytes> vector(14 * MiB, 'x'); }
        if (keeps) {
            EXPECT_GT(residentBytes(), before + 10 * MiB);
        }
        giveBack();
        EXPECT_LT(residentBytes(), before + 4 * MiB);
    }
}

// There is no room before the requested address.
TEST_F(LargeBlockCacheTest, givesMemoryBackWhenAddressesRunOut)
{
    if (!TestScale::ownsAddressSpace)
        GTEST_SKIP() << "the process has addresses of a tool";
    EXPECT_EQ(exitCodeOfChild([] {
        { std::vector<char, Bytes> vector(12 * MiB); }
        std::size_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        const rlim_t limit = pages * Os::pageBytes() + 6 * MiB;
        const rlimit limits { limit, limit };
        if (setrlimit(RLIMIT_AS, &limits) != 0)
            return 2;
        try {
            std::vector<char, Bytes> vector(LargeBlockCache::keeps() ? 14 * MiB : 2 * MiB);
            return int(vector[0]);
        } catch (const std::bad_alloc &) {
            return 3;
        }
    }), 0);
}
#endif

} // namespace
