// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A thread at each end.

#include "pools/concurrency/qspscqueue.h"
#include "testscale.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <thread>
#include <vector>

using namespace QPool;

namespace {

// A thread that has nothing to do lets the other run, which may have no other processor.
template <class Try>
void insist(Try &&attempt)
{
    while (!attempt())
        std::this_thread::yield();
}

// Rings of all sizes: at a small one both ends wait, which takes a turn of the scheduler where they share a
// processor, at a large one seldom.
int elements(int capacity, int most)
{
    return std::min(int(TestScale::scaled(std::uint64_t(most))), 500 * capacity);
}

} // namespace

class SpscThreads : public testing::TestWithParam<int>
{
};

INSTANTIATE_TEST_SUITE_P(Capacities, SpscThreads, testing::Values(1, 2, 64, 4096));

TEST_P(SpscThreads, passSingleElementsInOrder)
{
    const int count = elements(GetParam(), 200000);
    SpscQueue<std::unique_ptr<int>> queue { std::size_t(GetParam()) };
    std::thread producer([&] {
        for (int i = 0; i < count; ++i) {
            auto number = std::make_unique<int>(i);
            insist([&] { return queue.tryPush(std::move(number)); });
        }
        queue.close();
    });
    int next = 0;
    bool ordered = true;
    while (!queue.isFinished()) {
        if (std::unique_ptr<int> *number = queue.front()) {
            ordered &= **number == next++;
            queue.pop();
        } else {
            std::this_thread::yield();
        }
    }
    producer.join();
    EXPECT_TRUE(ordered);
    EXPECT_EQ(next, count);
}

TEST_P(SpscThreads, passBatchesInOrder)
{
    const int count = elements(GetParam(), 500000);
    SpscQueue<int> queue { std::size_t(GetParam()) };
    std::thread producer([&] {
        std::array<int, 64> batch;
        for (int next = 0; next < count;) {
            const std::size_t size = std::min<std::size_t>(1 + std::size_t(next) % 64, std::size_t(count - next));
            for (std::size_t i = 0; i < size; ++i)
                batch[i] = next + int(i);
            std::size_t pushed = 0;
            insist([&] {
                pushed += queue.tryPushBatch(batch.data() + pushed, size - pushed);
                return pushed == size;
            });
            next += int(size);
        }
        queue.close();
    });
    int next = 0;
    bool ordered = true;
    std::array<int, 50> batch;
    while (!queue.isFinished()) {
        const std::size_t popped = queue.tryPopBatch(batch.data(), batch.size());
        for (std::size_t i = 0; i < popped; ++i)
            ordered &= batch[i] == next++;
        if (popped == 0)
            std::this_thread::yield();
        ASSERT_LE(queue.size(), queue.capacity());
    }
    producer.join();
    EXPECT_TRUE(ordered);
    EXPECT_EQ(next, count);
}

// The consumer closes the queue, and the producer learns of it although there is room.
TEST(SpscClosing, byTheConsumerReachesTheProducer)
{
    SpscQueue<std::unique_ptr<int>> queue(8);
    std::thread producer([&] {
        while (!queue.isClosed()) {
            if (!queue.tryPush(std::make_unique<int>(1)))
                std::this_thread::yield();
        }
        EXPECT_FALSE(queue.tryPush(std::make_unique<int>(2)));
    });
    for (int popped = 0; popped < 100;) {
        if (queue.tryPop())
            ++popped;
        else
            std::this_thread::yield();
    }
    queue.close();
    producer.join();
}
