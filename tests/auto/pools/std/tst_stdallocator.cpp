// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// The stateless allocators themselves: the standard's requirements, where blocks come from, and
// what happens without memory.

#include "failingpages.h"

#include "pools/std/qcachelineallocator.h"
#include "pools/std/qhugepageallocator.h"
#include "pools/std/qpoolstatefulallocator.h"
#include "pools/std/qpoolstdallocator.h"

#include "deathreport.h"
#include "models.h"
#include "noexceptions.h"
#include "rendezvous.h"

#include <list>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace QPool;

namespace {

template <class Allocator, bool Equal>
constexpr bool fits()
{
    using Traits = std::allocator_traits<Allocator>;
    using Rebound = typename Traits::template rebind_alloc<std::string>;
    static_assert(std::is_same_v<typename Traits::value_type, int>);
    static_assert(std::is_same_v<typename Traits::template rebind_alloc<int>, Allocator>);
    static_assert(std::is_same_v<typename std::allocator_traits<Rebound>::template rebind_alloc<int>,
                                 Allocator>);
    static_assert(std::is_constructible_v<Rebound, const Allocator &>);
    static_assert(std::is_nothrow_copy_constructible_v<Allocator>);
    static_assert(std::is_nothrow_move_assignable_v<Allocator>);
    static_assert(Traits::is_always_equal::value == Equal);
    static_assert(Traits::propagate_on_container_move_assignment::value);
    static_assert(std::is_empty_v<Allocator> == Equal);
    static_assert(!Equal || std::is_default_constructible_v<Allocator>);
    return noexcept(std::declval<Allocator &>().deallocate(nullptr, 0))
            && noexcept(std::declval<Allocator>() == std::declval<Rebound>());
}

static_assert(fits<StdAllocator<int>, true>());
static_assert(fits<StdAllocator<int, SingleThreaded, HugePages>, true>());
static_assert(fits<CacheLineAllocator<int>, true>());
static_assert(fits<CacheLineAllocator<int, 2>, true>());
static_assert(fits<HugePageAllocator<int>, true>());
static_assert(fits<StatefulAllocator<int>, false>());
static_assert(std::allocator_traits<StatefulAllocator<int>>::propagate_on_container_swap::value);
static_assert(sizeof(std::list<int, StdAllocator<int>>) == sizeof(std::list<int>));
static_assert(std::is_nothrow_move_assignable_v<std::vector<int, StatefulAllocator<int>>>);

TEST(StdAllocator, takesBlocksFromThePoolUpToItsLargest)
{
    struct Tag;
    using Pages = TaggedPages<Tag>;
    using Pool = QSizedPoolAllocator<MultiThreaded, Pages>;
    StdAllocator<char, MultiThreaded, Pages> allocator;
    for (std::size_t size : { 0, 1, 8, 24, 1024, 1025, 100000 }) {
        char *block = allocator.allocate(size);
        ASSERT_NE(block, nullptr);
        EXPECT_EQ(Pool::sourceContains(block), size <= 1024) << size;
        std::fill_n(block, size, 'x');
        allocator.deallocate(block, size);
    }
    expectNothingLost<Pool>();
}

TEST(StdAllocator, isEqualWhateverItsType)
{
    const StdAllocator<int> ints;
    const StdAllocator<std::string> strings(ints);
    EXPECT_TRUE(ints == strings);
    EXPECT_FALSE(ints != strings);
    int *block = StdAllocator<int>().allocate(3);
    StdAllocator<int>(strings).deallocate(block, 3);
}

TEST(StdAllocator, givesContainersFromThreadToThread)
{
    struct Tag;
    using Pages = TaggedPages<Tag>;
    using Set = std::set<int, std::less<int>, StdAllocator<int, MultiThreaded, Pages>>;
    Set set;
    inOtherThread([&] {
        for (int i = 0; i < 10000; ++i)
            set.insert(i);
    });
    set.insert(-1);
    EXPECT_EQ(set.size(), 10001u);
    inOtherThread([gone = std::move(set)]() mutable { gone.clear(); });
    expectNothingLost<QSizedPoolAllocator<MultiThreaded, Pages>>();
}

template <class Allocator>
void refusesHugeSizes(Allocator allocator)
{
    const volatile std::size_t most = PTRDIFF_MAX / sizeof(int); // nor is the compiler to know
    EXPECT_THROW(static_cast<void>(allocator.allocate(SIZE_MAX)), std::bad_array_new_length);
    EXPECT_THROW(static_cast<void>(allocator.allocate(SIZE_MAX / sizeof(int))),
                 std::bad_array_new_length);
    EXPECT_THROW(static_cast<void>(allocator.allocate(most + 1)), std::bad_array_new_length);
    // The length is possible, and the memory is not there; that of 32 bits may be.
    if (sizeof(void *) < 8)
        return;
    EXPECT_THROW(static_cast<void>(allocator.allocate(most)), std::bad_alloc);
    std::vector<int, Allocator> vector(allocator);
    const volatile std::size_t mostOfVector = vector.max_size();
    EXPECT_THROW(vector.reserve(mostOfVector), std::bad_alloc);
    EXPECT_THROW(vector.reserve(mostOfVector + 1), std::length_error);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(HugeSizes, areRefused)
{
    PoolResource resource;
    refusesHugeSizes(StdAllocator<int>());
    refusesHugeSizes(CacheLineAllocator<int, 4>());
    refusesHugeSizes(HugePageAllocator<int>());
    refusesHugeSizes(StatefulAllocator<int>(resource));
}
#endif

using Failing = FailingPages<TaggedPages<struct ExhaustionTag>>;
using FailingAllocator = StdAllocator<int, MultiThreaded, Failing>;

TEST(StdAllocator, throwsWhenMemoryIsOutAndLosesNothing)
{
    // Whichever request is refused, the container is as it was, or is complete.
    for (std::int64_t budget = 0; budget < 40; ++budget) {
        std::list<int, FailingAllocator> list;
        std::size_t count = 0;
        Failing::setBudget(budget);
        bool threw = false;
        try {
            for (; count < 20000; ++count)
                list.push_back(int(count));
        } catch (const std::bad_alloc &) {
            threw = true;
        }
        Failing::setBudget(INT64_MAX);
        EXPECT_EQ(list.size(), count);
        EXPECT_EQ(threw, count < 20000);
        if (budget == 0) {
            EXPECT_TRUE(threw);
        }
        list.clear();
        expectNothingLost<QSizedPoolAllocator<MultiThreaded, Failing>>();
    }
}

int s_handlerCalls = 0;

TEST(StdAllocator, callsTheNewHandlerWhichMayMakeRoom)
{
    StdAllocator<int, MultiThreaded, FailingPages<TaggedPages<struct HandlerTag>>> allocator;
    using Pages = FailingPages<TaggedPages<HandlerTag>>;
    Pages::setBudget(0);
    s_handlerCalls = 0;
    const auto before = std::set_new_handler([] {
        if (++s_handlerCalls == 3)
            Pages::setBudget(INT64_MAX);
    });
    int *block = allocator.allocate(1);
    std::set_new_handler(before);
    EXPECT_NE(block, nullptr);
    EXPECT_GE(s_handlerCalls, 3);
    allocator.deallocate(block, 1);
}

TEST(StdAllocator, refusesSizesBeyondAStaticBuffer)
{
    struct Tag;
    using Pages = StaticPages<32 * 1024, Tag>;
    std::vector<char, StdAllocator<char, SingleThreaded, Pages>> vector;
    vector.resize(1000);
    EXPECT_TRUE(Pages::contains(vector.data()));
    EXPECT_THROW(vector.resize(5000), std::bad_alloc);
    EXPECT_EQ(vector.size(), 1000u);
}

template <class Allocator>
void keepsBlocksApart(std::size_t unit)
{
    EXPECT_EQ(Allocator::alignment, unit);
    Allocator allocator;
    std::vector<std::pair<char *, std::size_t>> blocks;
    for (std::size_t size : { 0, 1, 63, 64, 65, 128, 200, 640, 1024, 1025, 5000 }) {
        for (int i = 0; i < 20; ++i)
            blocks.emplace_back(allocator.allocate(size), size);
    }
    std::set<std::uintptr_t> units;
    for (const auto &[block, size] : blocks) {
        const auto address = reinterpret_cast<std::uintptr_t>(block);
        EXPECT_EQ(address % unit, 0u) << size;
        for (std::uintptr_t at = 0; at == 0 || at < size; at += unit)
            EXPECT_TRUE(units.insert((address + at) / unit).second) << "shared, at size " << size;
    }
    for (const auto &[block, size] : blocks)
        allocator.deallocate(block, size);
}

TEST(CacheLineAllocator, keepsBlocksApart)
{
    keepsBlocksApart<CacheLineAllocator<char>>(CacheLineSize);
    keepsBlocksApart<CacheLineAllocator<char, 2>>(2 * CacheLineSize);
    keepsBlocksApart<CacheLineAllocator<char, 8, SingleThreaded>>(8 * CacheLineSize);
}

struct Growing
{
    std::vector<Growing, CacheLineAllocator<Growing>> lines;
    std::vector<Growing, HugePageAllocator<Growing>> pages;
};

TEST(CacheLineAllocator, servesTypesThatContainIt)
{
    Growing growing;
    growing.lines.resize(3);
    growing.pages.resize(100000);
    EXPECT_EQ(growing.pages.size() + growing.lines.size(), 100003u);
}

TEST(CacheLineAllocator, servesNodes)
{
    std::map<int, int, std::less<int>, CacheLineAllocator<std::pair<const int, int>, 2>> map;
    for (int i = 0; i < 1000; ++i)
        map[i] = i;
    auto copy = map;
    map.clear();
    EXPECT_EQ(copy.at(999), 999);
}

TEST(HugePageAllocator, mapsLargeArraysAtHugePages)
{
    HugePageAllocator<char> allocator;
    for (std::size_t size : { std::size_t(1), std::size_t(4096), allocator.LeastHuge - 1,
                              allocator.LeastHuge, std::size_t(5 << 20), std::size_t(16 << 20) }) {
        char *block = allocator.allocate(size);
        const bool large = size >= allocator.LeastHuge;
        if (large) {
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % HugeMemory::PageBytes, 0u);
        }
        block[0] = block[size - 1] = 'x';
        EXPECT_LE(allocator.hugeBytes(block, size), size);
        allocator.deallocate(block, size);
    }
}

TEST(HugePageAllocator, servesVectors)
{
    std::vector<int, HugePageAllocator<int>> vector;
    for (int i = 0; i < 1 << 20; ++i)
        vector.push_back(i);
    auto copy = vector;
    vector = {};
    for (int i = 0; i < 1 << 20; ++i)
        ASSERT_EQ(copy[std::size_t(i)], i);
    // Nodes are small, and from elsewhere.
    std::list<int, HugePageAllocator<int>> list { 1, 2, 3 };
    EXPECT_EQ(list.back(), 3);
}

TEST(NoExceptions, allocatorsWorkWithoutThem)
{
    EXPECT_EQ(useWithoutExceptions(), 4 * 4950);
}

TEST(NoExceptionsDeathTest, namesWhatIsMissing)
{
    ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
    EXPECT_FATAL(exhaustWithoutExceptions(), "qpool: out of memory: [0-9]+ bytes were asked for");
    EXPECT_FATAL(askForTooMuchWithoutExceptions(), "qpool: an array of [0-9]+ elements is longer");
}

} // namespace
