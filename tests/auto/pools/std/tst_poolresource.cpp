// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// The pmr resource: blocks of all sizes and alignments, memory that is fetched beforehand and freed
// at once, and exhaustion at each request.

#include "failingpages.h"

#include "pools/std/qpoolstatefulallocator.h"

#include "cookie.h"
#include "models.h"

#include <algorithm>
#include <list>
#include <map>
#include <memory_resource>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#if defined(__linux__)
#  include <sys/resource.h>
#endif

using namespace QPool;

namespace {

struct Block
{
    void *place;
    std::size_t size;
    std::size_t alignment;
};

// Random sizes and alignments, checked for overlap by their contents.
template <class Resource>
void useAtRandom(Resource &resource, unsigned seed, int operations)
{
    std::mt19937 random(seed);
    std::vector<Block> blocks;
    std::vector<std::size_t> cookies;
    for (int i = 0; i < operations; ++i) {
        if (blocks.size() < 500 && random() % 3 != 0) {
            const std::size_t size = random() % 200 ? random() % 1100 : random() % 1500000;
            const std::size_t alignment = std::size_t(1) << random() % 13;
            void *place = resource.allocate(size, alignment);
            ASSERT_EQ(reinterpret_cast<std::uintptr_t>(place) % alignment, 0u);
            Cookie::write(place, size, std::size_t(i));
            blocks.push_back({ place, size, alignment });
            cookies.push_back(std::size_t(i));
        } else if (!blocks.empty()) {
            const std::size_t which = random() % blocks.size();
            const Block block = blocks[which];
            ASSERT_TRUE(Cookie::check(block.place, block.size, cookies[which]));
            resource.deallocate(block.place, block.size, block.alignment);
            blocks[which] = blocks.back();
            blocks.pop_back();
            cookies[which] = cookies.back();
            cookies.pop_back();
        }
    }
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        EXPECT_TRUE(Cookie::check(blocks[i].place, blocks[i].size, cookies[i]));
        resource.deallocate(blocks[i].place, blocks[i].size, blocks[i].alignment);
    }
}

TEST(PoolResource, servesAllSizesAndAlignments)
{
    PoolResource resource;
    EXPECT_EQ(resource.heldBytes(), 0u);
    useAtRandom(resource, 1, 20000);
    EXPECT_GT(resource.heldBytes(), 0u);
    EXPECT_LT(resource.heldBytes(), std::size_t(4) << 20);
}

// Freed blocks of these sizes no longer belong to the resource: see tests/auto/pools/largeblocks.
TEST(PoolResource, countsLargeBlocksThatAreInUse)
{
    PoolResource resource;
    constexpr std::size_t MiB = 1 << 20;
    void *block = resource.allocate(3 * MiB, 16), *aligned = resource.allocate(MiB, 8192);
    static_cast<char *>(block)[3 * MiB - 1] = 1;
    static_cast<char *>(aligned)[MiB - 1] = 1;
    EXPECT_GE(resource.heldBytes(), 4 * MiB);
    EXPECT_LT(resource.heldBytes(), 5 * MiB);
    resource.deallocate(block, 3 * MiB, 16);
    EXPECT_LT(resource.heldBytes(), 2 * MiB);
    resource.deallocate(aligned, MiB, 8192);
    EXPECT_EQ(resource.heldBytes(), 0u);
}

TEST(PoolResource, behavesTheSameThroughItsBaseClass)
{
    PoolResource resource;
    std::pmr::memory_resource &base = resource;
    useAtRandom(base, 2, 5000);
    // One resource may free what the other allocated.
    void *block = base.allocate(40, 8);
    resource.deallocate(block, 40, 8);
    EXPECT_EQ(resource.allocate(40, 8), block);
    base.deallocate(block, 40, 8);
    PoolResource other;
    EXPECT_TRUE(base.is_equal(resource));
    EXPECT_FALSE(base.is_equal(other));
    EXPECT_FALSE(resource == *std::pmr::new_delete_resource());
}

TEST(PoolResource, servesPmrContainers)
{
    PoolResource resource;
    std::pmr::map<std::pmr::string, std::pmr::vector<int>> map(&resource);
    for (int i = 0; i < 200; ++i)
        map[std::pmr::string("a key that is too long to be kept inside " + std::to_string(i), &resource)]
                .assign(std::size_t(i), i);
    std::size_t sum = 0;
    for (const auto &[key, values] : map) {
        EXPECT_EQ(key.get_allocator().resource(), &resource);
        EXPECT_EQ(values.get_allocator().resource(), &resource);
        sum += values.size();
    }
    EXPECT_EQ(sum, 199u * 200u / 2);
}

TEST(PoolResource, reusesFreedMemory)
{
    PoolResource resource;
    std::list<int, StatefulAllocator<int>> list(resource);
    for (int i = 0; i < 100000; ++i)
        list.push_back(i);
    const std::size_t held = resource.heldBytes();
    for (int round = 0; round < 5; ++round) {
        list.clear();
        for (int i = 0; i < 100000; ++i)
            list.push_back(i);
    }
    EXPECT_EQ(resource.heldBytes(), held);
}

// However they were freed, and over several pages.
TEST(PoolResource, beginsAnewWhenNothingIsInUse)
{
    constexpr std::size_t count = 20000;
    PoolResource resource;
    std::vector<void *> first(count), again(count);
    for (void *&block : first)
        block = resource.allocate(40, 8);
    const std::size_t held = resource.heldBytes();
    for (int round = 0; round < 3; ++round) {
        std::vector<void *> shuffled = round ? again : first;
        std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937(5));
        for (void *block : shuffled)
            resource.deallocate(block, 40, 8);
        for (void *&block : again)
            block = resource.allocate(40, 8);
        // In rows again, which end with their pages.
        std::size_t jumps = 0;
        for (std::size_t i = 1; i < count; ++i)
            jumps += static_cast<char *>(again[i]) != static_cast<char *>(again[i - 1]) + 40;
        EXPECT_LE(jumps, count * 40 / ResourcePages::PageSize + 1);
        EXPECT_EQ(std::set<void *>(again.begin(), again.end()).size(), count);
        EXPECT_EQ(resource.heldBytes(), held);
    }
    // One block in use is enough to keep the memory around it.
    void *kept = again[count / 2];
    Cookie::write(kept, 40, 7);
    for (void *block : again) {
        if (block != kept)
            resource.deallocate(block, 40, 8);
    }
    for (std::size_t i = 1; i < count; ++i) {
        void *block = resource.allocate(40, 8);
        ASSERT_NE(block, kept);
        Cookie::write(block, 40, i);
    }
    EXPECT_TRUE(Cookie::check(kept, 40, 7));
    EXPECT_EQ(resource.heldBytes(), held);
    resource.release();
}

TEST(PoolResource, releasesAllAtOnceAndGoesOn)
{
    PoolResource resource;
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < 10000; ++i) {
            auto *place = static_cast<int *>(resource.allocate(24, 8));
            *place = i;
        }
        static_cast<void>(resource.allocate(100000, 16));
        static_cast<void>(resource.allocate(3 << 20, 16));
        EXPECT_GT(resource.heldBytes(), std::size_t(3) << 20);
        resource.release();
        EXPECT_EQ(resource.heldBytes(), 0u);
    }
}

// The pages of a source of the test's own: all of them come back.
TEST(PoolResource, givesItsPagesBack)
{
    using Pages = StaticPages<256 * 1024, struct BackTag>;
    using Resource = BasicPoolResource<SingleThreaded, Pages>;
    std::size_t first = 0;
    for (int round = 0; round < 3; ++round) {
        Resource resource;
        resource.reserve(20 * Pages::PageSize);
        std::size_t count = 0;
        try {
            for (;; ++count)
                static_cast<void>(resource.allocate(count % 2 ? 24 : 700, 8));
        } catch (const std::bad_alloc &) {
        }
        EXPECT_GT(count, 300u);
        if (round == 0)
            first = count;
        EXPECT_EQ(count, first) << "a page was lost";
        if (round == 1)
            resource.release();
    }
}

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
long pageFaults()
{
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt + usage.ru_majflt;
}

TEST(PoolResource, reserveTouchesTheMemory)
{
    constexpr int count = 1000000; // 24 MB, or nearly 6000 ordinary pages; 16 MB in 32 bits
    constexpr std::size_t nodeBytes = sizeof(void *) == 8 ? 24 : 16;
    PoolResource resource;
    StatefulAllocator<int> allocator(resource);
    allocator.reserve(count);
    const std::size_t held = resource.heldBytes();
    EXPECT_GE(held, count * nodeBytes);
    EXPECT_LT(held, count * nodeBytes + 128 * 1024);
    std::list<int, StatefulAllocator<int>> list(allocator);
    list.push_back(0);
    const long before = pageFaults();
    for (int i = 1; i < count; ++i)
        list.push_back(i);
    EXPECT_LT(pageFaults() - before, 50);
    EXPECT_EQ(resource.heldBytes(), held) << "nothing beyond what was reserved";
    // Enough is there, so nothing happens.
    resource.reserve(0);
    EXPECT_EQ(resource.heldBytes(), held);
}
#endif

TEST(PoolResource, reserveCountsWhatIsSpare)
{
    PoolResource resource;
    resource.reserve(1 << 20);
    const std::size_t held = resource.heldBytes();
    EXPECT_EQ(held, std::size_t(1) << 20);
    resource.reserve(1 << 20);
    EXPECT_EQ(resource.heldBytes(), held);
    static_cast<void>(resource.allocate(24, 8));
    EXPECT_EQ(resource.heldBytes(), held);
    resource.reserve(1 << 20);
    EXPECT_EQ(resource.heldBytes(), held + ResourcePages::PageSize);
}

// For every container: reserve() with the size of its nodes is enough.
TEST(StatefulAllocator, reservesForNodesOfAllKinds)
{
    constexpr std::size_t count = 20000;
    const auto isEnough = [](NodeLinks links, auto fill) {
        PoolResource resource;
        StatefulAllocator<std::pair<const int, int>> allocator(resource);
        allocator.reserve(count, links);
        const std::size_t held = resource.heldBytes();
        fill(allocator);
        // One page that is begun for something else, such as the table of a hash table.
        EXPECT_LE(resource.heldBytes(), held + ResourcePages::PageSize);
    };
    using Value = std::pair<const int, int>;
    isEnough(NodeLinks::List, [](auto allocator) {
        std::list<Value, decltype(allocator)> list(allocator);
        for (std::size_t i = 0; i < count; ++i)
            list.emplace_back(int(i), 0);
    });
    isEnough(NodeLinks::Tree, [](auto allocator) {
        std::map<int, int, std::less<int>, decltype(allocator)> map(allocator);
        for (std::size_t i = 0; i < count; ++i)
            map.emplace(int(i), 0);
    });
}

using Failing = FailingPages<BasicHugePages<struct FailingHugePages>>;
struct FailingHugePages
{
    static constexpr bool TakesReserved = false;
    static constexpr std::size_t OrdinaryBytes = std::size_t(1) << 30;
};
using FailingResource = BasicPoolResource<SingleThreaded, Failing>;

TEST(PoolResource, throwsWhenMemoryIsOutAndLosesNothing)
{
    for (std::int64_t budget = 0; budget < 12; ++budget) {
        FailingResource resource;
        Failing::setBudget(budget);
        std::list<int, StatefulAllocator<int, FailingResource>> list(resource);
        std::size_t count = 0;
        EXPECT_THROW(
                {
                    for (; count < 80000; ++count)
                        list.push_back(int(count));
                },
                std::bad_alloc);
        EXPECT_EQ(list.size(), count);
        EXPECT_EQ(resource.heldBytes(), std::size_t(budget) * Failing::PageSize);
        EXPECT_THROW(resource.reserve(1), std::bad_alloc);
        // The memory that it has can still be used.
        if (count > 0) {
            list.pop_front();
            list.push_back(1);
        }
        Failing::setBudget(INT64_MAX);
        list.push_back(2);
    }
}

TEST(PoolResource, reserveKeepsWhatItGotBeforeItFailed)
{
    FailingResource resource;
    Failing::setBudget(3);
    EXPECT_THROW(resource.reserve(10 * Failing::PageSize), std::bad_alloc);
    EXPECT_EQ(resource.heldBytes(), 3 * Failing::PageSize);
    Failing::setBudget(7);
    resource.reserve(10 * Failing::PageSize);
    EXPECT_EQ(resource.heldBytes(), 10 * Failing::PageSize);
    Failing::setBudget(INT64_MAX);
}

TEST(PoolResource, refusesHugeSizesAndAlignments)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    PoolResource resource;
    EXPECT_THROW(static_cast<void>(resource.allocate(SIZE_MAX, 8)), std::bad_alloc);
    EXPECT_THROW(static_cast<void>(resource.allocate(SIZE_MAX - 100, 64)), std::bad_alloc);
    EXPECT_THROW(static_cast<void>(resource.allocate(PTRDIFF_MAX, 8)), std::bad_alloc);
    EXPECT_THROW(resource.reserve(SIZE_MAX), std::bad_alloc);
#endif
}


// A handler that frees to the resource that calls it, with and without a lock.
template <class Resource>
void handlerMakesRoom()
{
    static Resource *resource;
    static void *reserve;
    Resource own;
    resource = &own;
    Failing::setBudget(1);
    reserve = own.allocate(24, 8);
    while (true) {
        const auto before = std::set_new_handler([] {
            std::set_new_handler(nullptr);
            resource->deallocate(reserve, 24, 8);
            reserve = nullptr;
        });
        void *block = own.allocate(24, 8);
        std::set_new_handler(before);
        if (!reserve) {
            EXPECT_NE(block, nullptr);
            break;
        }
    }
    Failing::setBudget(INT64_MAX);
}

TEST(PoolResource, newHandlerMayFreeToIt)
{
    handlerMakesRoom<FailingResource>();
    handlerMakesRoom<BasicPoolResource<SharedPool, Failing>>();
}

TEST(SharedPoolResource, servesManyThreads)
{
    BasicPoolResource<SharedPool> resource;
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 4; ++t)
        threads.emplace_back([&resource, t] { useAtRandom(resource, t, 3000); });
    for (std::thread &thread : threads)
        thread.join();
    EXPECT_LT(resource.heldBytes(), std::size_t(8) << 20);
}

// Resources of several threads take pages from one source.
TEST(PoolResource, severalThreadsMayUseTheirOwn)
{
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 4; ++t) {
        threads.emplace_back([t] {
            for (int round = 0; round < 5; ++round) {
                PoolResource resource;
                resource.reserve(std::size_t(t) << 20);
                useAtRandom(resource, t, 2000);
            }
        });
    }
    for (std::thread &thread : threads)
        thread.join();
}

} // namespace
