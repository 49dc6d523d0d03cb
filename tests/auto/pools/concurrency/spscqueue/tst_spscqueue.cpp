// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Both ends in one thread.

#include "pools/concurrency/qspscqueue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <forward_list>
#include <iterator>
#include <list>
#include <memory>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace QPool;

namespace {

// Counts those that live.
struct Counted
{
    explicit Counted(int number) : number(number) { ++alive; }
    Counted(const Counted &other) : number(other.number) { ++alive; }
    Counted(Counted &&other) noexcept : number(std::exchange(other.number, -1)) { ++alive; }
    Counted &operator=(const Counted &) = default;
    Counted &operator=(Counted &&other) noexcept
    {
        number = std::exchange(other.number, -1);
        return *this;
    }
    ~Counted() { --alive; }
    int number;
    static inline int alive = 0;
};

// Throws when it is copied for the limit-th time.
struct Throwing
{
    Throwing() { ++alive; }
    Throwing(const Throwing &) : Throwing()
    {
        if (--limit < 0)
            throw std::runtime_error("copied too often"); // and the destructor is called
    }
    Throwing &operator=(const Throwing &)
    {
        if (--limit < 0)
            throw std::runtime_error("assigned too often");
        return *this;
    }
    ~Throwing() { --alive; }
    static inline int limit = 0;
    static inline int alive = 0;
};

std::vector<int> numbers(int first, int count)
{
    std::vector<int> result(static_cast<std::size_t>(count));
    std::iota(result.begin(), result.end(), first);
    return result;
}

// The ring prefetches lines that may be outside of its memory.
TEST(Prefetch, accessesNothing)
{
    int errors = 0;
    for (const void *place : { static_cast<const void *>(nullptr), reinterpret_cast<const void *>(8),
                               static_cast<const void *>(&errors) }) {
        Detail::prefetchForWriting(place);
    }
    EXPECT_EQ(errors, 0);
}

// With elements that are smaller, and larger, than the prefetched lines.
template <std::size_t Bytes>
void passBatches()
{
    struct Element
    {
        unsigned char bytes[Bytes];
    };
    SpscQueue<Element> queue(32);
    unsigned pushed = 0, popped = 0;
    for (int round = 0; round < 200; ++round) {
        Element batch[11];
        for (std::size_t i = 0; i < 11; ++i)
            std::fill(std::begin(batch[i].bytes), std::end(batch[i].bytes),
                      static_cast<unsigned char>(pushed + i));
        pushed += unsigned(queue.tryPushBatch(batch, std::size_t(round % 12)));
        Element taken[7];
        const std::size_t count = queue.tryPopBatch(taken, 7);
        for (std::size_t i = 0; i < count; ++i, ++popped) {
            for (unsigned char byte : taken[i].bytes)
                ASSERT_EQ(byte, static_cast<unsigned char>(popped));
        }
    }
    EXPECT_EQ(pushed - popped, queue.size());
    EXPECT_GT(popped, 800u);
}

TEST(SpscQueue, passesBatchesOfAnyElementSize)
{
    passBatches<1>();
    passBatches<63>();
    passBatches<64>();
    passBatches<200>();
    passBatches<1500>();
}

// On 32 bits the number of all elements that ever were wraps.
TEST(PublishedIndexTest, wraps)
{
    using Index = QPool::Detail::PublishedIndex;
    constexpr unsigned shift = 4;
    std::vector<Index::Line> memory(8);
    Index index;
    index.setLines(memory.data(), memory.size());
    for (std::size_t from : { std::size_t(0) - 100, std::size_t(0) - 1, std::size_t(50) }) {
        index.publish<shift>(from - 3, from);
        EXPECT_EQ(index.readFrom<shift>(from - 3, from), from);
        const std::size_t to = from + 70;
        index.publish<shift>(from, to);
        EXPECT_EQ(index.readFrom<shift>(from, to), to);
    }
}

} // namespace

TEST(SpscQueue, capacityIsRoundedUp)
{
    for (const auto &[wanted, expected] : std::vector<std::pair<std::size_t, std::size_t>> {
                 { 0, 1 }, { 1, 1 }, { 2, 2 }, { 3, 4 }, { 64, 64 }, { 65, 128 } }) {
        SpscQueue<int> queue(wanted);
        EXPECT_EQ(queue.capacity(), expected);
        for (std::size_t i = 0; i < expected; ++i)
            EXPECT_TRUE(queue.tryPush(int(i)));
        EXPECT_FALSE(queue.tryPush(0));
        EXPECT_EQ(queue.size(), expected);
    }
}

TEST(SpscQueue, refusesUnaddressableCapacities)
{
    EXPECT_THROW(SpscQueue<int>(SIZE_MAX), std::bad_array_new_length);
    using Line = std::array<char, 64>;
    EXPECT_THROW(SpscQueue<Line>(SIZE_MAX / 64), std::bad_array_new_length);
    SpscQueue<int> queue(SIZE_MAX, std::nothrow);
    EXPECT_EQ(queue.capacity(), 0u);
    EXPECT_FALSE(queue.tryPush(1));
    const int values[] = { 1, 2 };
    EXPECT_EQ(queue.tryPushBatch(values, 2), 0u);
    EXPECT_FALSE(queue.tryPop());
    EXPECT_TRUE(queue.isEmpty());
}

TEST(SpscQueue, isFirstInFirstOut)
{
    SpscQueue<int> queue(4);
    int next = 0;
    // Across the end of the ring at every place.
    for (int round = 0; round < 20; ++round) {
        for (int i = 0; i < 3; ++i)
            ASSERT_TRUE(queue.tryPush(3 * round + i));
        EXPECT_EQ(queue.size(), 3u);
        for (int value = -1; queue.tryPop(value); ++next)
            ASSERT_EQ(value, next);
        EXPECT_TRUE(queue.isEmpty());
    }
    EXPECT_EQ(next, 60);
}

TEST(SpscQueue, constructsAndReadsInPlace)
{
    SpscQueue<std::string> queue(2);
    EXPECT_EQ(queue.front(), nullptr);
    EXPECT_TRUE(queue.tryEmplace(3u, 'x'));
    EXPECT_TRUE(queue.tryEmplace("second"));
    ASSERT_NE(queue.front(), nullptr);
    EXPECT_EQ(*queue.front(), "xxx");
    queue.pop();
    EXPECT_EQ(*queue.front(), "second");
    queue.pop();
    EXPECT_EQ(queue.front(), nullptr);
}

TEST(SpscQueue, movesOnlyWhatItTakes)
{
    SpscQueue<std::unique_ptr<int>> queue(1);
    EXPECT_TRUE(queue.tryPush(std::make_unique<int>(1)));
    auto second = std::make_unique<int>(2);
    EXPECT_FALSE(queue.tryPush(std::move(second)));
    ASSERT_TRUE(second);
    std::unique_ptr<int> first;
    EXPECT_TRUE(queue.tryPop(first));
    EXPECT_EQ(*first, 1);
    EXPECT_TRUE(queue.tryPush(std::move(second)));
    EXPECT_FALSE(second);
    EXPECT_EQ(**queue.tryPop(), 2);
    EXPECT_FALSE(queue.tryPop());
}

TEST(SpscQueue, passesBatchesInOrder)
{
    SpscQueue<int> queue(8);
    int next = 0, expected = 0;
    // All sizes at all places, some of which are cut short.
    for (std::size_t size = 0; size < 12; ++size) {
        for (int round = 0; round < 9; ++round) {
            const std::vector<int> values = numbers(next, int(size));
            const std::size_t room = 8 - queue.size();
            const std::size_t pushed = queue.tryPushBatch(values.begin(), size);
            ASSERT_EQ(pushed, std::min(size, room));
            next += int(pushed);
            std::vector<int> popped(5, -1);
            const std::size_t there = queue.size();
            const std::size_t count = queue.tryPopBatch(popped.data(), 5);
            ASSERT_EQ(count, std::min<std::size_t>(there, 5));
            for (std::size_t i = 0; i < 5; ++i)
                ASSERT_EQ(popped[i], i < count ? expected++ : -1);
        }
    }
    EXPECT_GT(expected, 100);
}

TEST(SpscQueue, passesBatchesOfAllIterators)
{
    SpscQueue<int> queue(8);
    const std::list<int> list { 1, 2, 3 };
    const std::forward_list<short> shorts { 4, 5 };
    std::istringstream stream("6 7 8 9");
    EXPECT_EQ(queue.tryPushBatch(list.begin(), 3), 3u);
    EXPECT_EQ(queue.tryPushBatch(shorts.begin(), 2), 2u);
    EXPECT_EQ(queue.tryPushBatch(std::istream_iterator<int>(stream), 4), 3u);
    std::vector<int> popped;
    EXPECT_EQ(queue.tryPopBatch(std::back_inserter(popped), 100), 8u);
    EXPECT_EQ(popped, numbers(1, 8));
}

TEST(SpscQueue, passesBatchesOfMoveOnlyTypes)
{
    SpscQueue<std::unique_ptr<int>> queue(4);
    std::vector<std::unique_ptr<int>> values(6), popped(6);
    for (std::size_t i = 0; i < 6; ++i)
        values[i] = std::make_unique<int>(int(i));
    EXPECT_EQ(queue.tryPushBatch(std::make_move_iterator(values.begin()), 6), 4u);
    EXPECT_FALSE(values[3]);
    EXPECT_TRUE(values[4]);
    EXPECT_EQ(queue.tryPopBatch(popped.begin(), 3), 3u);
    EXPECT_EQ(queue.tryPushBatch(std::make_move_iterator(values.begin() + 4), 2), 2u);
    EXPECT_EQ(queue.tryPopBatch(popped.begin() + 3, 6), 3u);
    for (std::size_t i = 0; i < 6; ++i)
        EXPECT_EQ(*popped[i], int(i));
}

TEST(SpscQueue, destroysItsElements)
{
    {
        SpscQueue<Counted> queue(4);
        for (int i = 0; i < 3; ++i)
            queue.tryEmplace(i);
        EXPECT_EQ(queue.tryPop()->number, 0);
        queue.tryEmplace(3);
        queue.tryEmplace(4);
        EXPECT_EQ(Counted::alive, 4);
        std::vector<Counted> popped;
        EXPECT_EQ(queue.tryPopBatch(std::back_inserter(popped), 2), 2u);
        popped.clear();
        EXPECT_EQ(Counted::alive, 2);
    }
    EXPECT_EQ(Counted::alive, 0);
}

TEST(SpscQueue, alignsOverAlignedElements)
{
    struct alignas(4 * CacheLineSize) Wide
    {
        int number;
    };
    SpscQueue<Wide> queue(2);
    queue.tryPush({ 1 });
    queue.tryPush({ 2 });
    for (int number : { 1, 2 }) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(queue.front()) % alignof(Wide), 0u);
        EXPECT_EQ(queue.front()->number, number);
        queue.pop();
    }
    SpscQueue<char> bytes(3);
    bytes.tryPush('a');
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes.front()) % CacheLineSize, 0u);
}

TEST(SpscQueue, closeRefusesPushesAndKeepsElements)
{
    SpscQueue<int> queue(4);
    queue.tryPush(1);
    EXPECT_FALSE(queue.isClosed());
    EXPECT_FALSE(queue.isFinished());
    queue.close();
    EXPECT_TRUE(queue.isClosed());
    EXPECT_FALSE(queue.isFinished());
    EXPECT_FALSE(queue.tryPush(2));
    const int values[] = { 2, 3 };
    EXPECT_EQ(queue.tryPushBatch(values, 2), 0u);
    EXPECT_EQ(queue.tryPop(), 1);
    EXPECT_TRUE(queue.isFinished());
    EXPECT_FALSE(queue.tryPop());
}

TEST(SpscQueue, exceptionsLeaveItIntact)
{
    {
        const std::vector<Throwing> values(6);
        SpscQueue<Throwing> queue(8);
        Throwing::limit = 0;
        EXPECT_THROW(queue.tryPush(values[0]), std::runtime_error);
        EXPECT_TRUE(queue.isEmpty());

        // Those before it are pushed.
        Throwing::limit = 4;
        EXPECT_THROW(queue.tryPushBatch(values.begin(), 6), std::runtime_error);
        EXPECT_EQ(queue.size(), 4u);

        Throwing popped;
        Throwing::limit = 0;
        EXPECT_THROW(queue.tryPop(popped), std::runtime_error);
        EXPECT_THROW(queue.tryPop(), std::runtime_error);
        EXPECT_EQ(queue.size(), 4u);

        // Those before it are popped.
        std::vector<Throwing> batch(4);
        Throwing::limit = 3;
        EXPECT_THROW(queue.tryPopBatch(batch.begin(), 4), std::runtime_error);
        EXPECT_EQ(queue.size(), 1u);
        EXPECT_EQ(Throwing::alive, 6 + 1 + 4 + 1);
    }
    EXPECT_EQ(Throwing::alive, 0);
}

// Each end knows at once what the other did, whatever steps they make: a step publishes an index in all
// blocks of slots that it touches. Elements of which a block has many, few, and one.
template <std::size_t Bytes>
void checkSteps()
{
    struct Element
    {
        std::uint32_t number;
        char rest[Bytes - sizeof(std::uint32_t)];
    };
    constexpr std::size_t Capacity = 256;
    SpscQueue<Element> queue(Capacity);
    std::vector<Element> batch(Capacity + 10);
    std::uint32_t pushed = 0, popped = 0;
    std::uint32_t random = 1;
    const auto below = [&random](std::size_t bound) {
        random = random * 1664525 + 1013904223;
        return std::size_t(random >> 8) % bound;
    };
    for (int step = 0; step < 5000; ++step) {
        // Mostly small steps, at times more than there is room for.
        std::size_t size = below(below(4) == 0 ? batch.size() : 40);
        for (std::size_t i = 0; i < size; ++i)
            batch[i].number = pushed + std::uint32_t(i);
        const std::size_t room = Capacity - (pushed - popped);
        if (size == 1)
            ASSERT_EQ(queue.tryPush(batch[0]), room != 0);
        else
            ASSERT_EQ(queue.tryPushBatch(batch.data(), size), std::min(size, room));
        pushed += std::uint32_t(std::min(size, room));
        ASSERT_EQ(queue.size(), pushed - popped);

        size = below(below(4) == 0 ? batch.size() : 40);
        const std::size_t there = std::min<std::size_t>(size, pushed - popped);
        if (size == 1)
            ASSERT_EQ(queue.tryPop(batch[0]), there != 0);
        else
            ASSERT_EQ(queue.tryPopBatch(batch.data(), size), there);
        for (std::size_t i = 0; i < there; ++i)
            ASSERT_EQ(batch[i].number, popped++);
        ASSERT_EQ(queue.size(), pushed - popped);
    }
    EXPECT_GT(popped, 10 * Capacity);
}

TEST(SpscQueue, knowsAllRoomAndElementsAfterAnyStep)
{
    checkSteps<8>();
    checkSteps<100>();
    checkSteps<512>();
    checkSteps<600>();
}
