// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "pools/concurrency/qblockingspscqueue.h"
#include "testscale.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

using namespace QPool;
using namespace std::chrono_literals;

TEST(BlockingSpscQueue, triesWithoutWaiting)
{
    BlockingSpscQueue<int> queue(2);
    EXPECT_FALSE(queue.tryPop());
    EXPECT_TRUE(queue.tryPush(1));
    EXPECT_TRUE(queue.tryEmplace(2));
    EXPECT_FALSE(queue.tryPush(3));
    EXPECT_EQ(queue.size(), queue.capacity());
    int batch[3] = { 4, 5, 6 };
    EXPECT_EQ(queue.tryPushBatch(batch, 3), 0u);
    EXPECT_EQ(queue.tryPopBatch(batch, 3), 2u);
    EXPECT_EQ(batch[0] + 10 * batch[1], 21);
}

TEST(BlockingSpscQueue, timesOutAfterTheGivenTime)
{
    BlockingSpscQueue<std::unique_ptr<int>> queue(1);
    std::unique_ptr<int> value;
    auto begin = std::chrono::steady_clock::now();
    EXPECT_FALSE(queue.popFor(value, 5ms));
    EXPECT_GE(std::chrono::steady_clock::now() - begin, 5ms);
    EXPECT_FALSE(queue.popFor(value, -1s));

    EXPECT_TRUE(queue.pushFor(std::make_unique<int>(1), 0s));
    auto second = std::make_unique<int>(2);
    begin = std::chrono::steady_clock::now();
    EXPECT_FALSE(queue.pushFor(std::move(second), 5ms));
    EXPECT_GE(std::chrono::steady_clock::now() - begin, 5ms);
    EXPECT_TRUE(second);
    EXPECT_TRUE(queue.popFor(value, std::chrono::nanoseconds::max()));
    EXPECT_EQ(*value, 1);
}

TEST(BlockingSpscQueue, closeWakesTheConsumer)
{
    // Asleep or not yet: both happen.
    for (int round = 0; round < 50; ++round) {
        BlockingSpscQueue<int> queue(4);
        std::thread consumer([&] {
            EXPECT_EQ(queue.pop(), round);
            EXPECT_EQ(queue.pop(), std::nullopt);
            int value, batch[2];
            EXPECT_FALSE(queue.pop(value));
            EXPECT_EQ(queue.popBatch(batch, 2), 0u);
            EXPECT_FALSE(queue.popFor(value, 1h));
        });
        EXPECT_TRUE(queue.push(round));
        queue.close();
        EXPECT_FALSE(queue.push(1));
        consumer.join();
    }
}

TEST(BlockingSpscQueue, closeWakesTheProducer)
{
    for (int round = 0; round < 50; ++round) {
        BlockingSpscQueue<int> queue(2);
        std::thread producer([&] {
            const int batch[3] = { 1, 2, 3 };
            EXPECT_EQ(queue.pushBatch(batch, 3), 2u);
            EXPECT_FALSE(queue.push(4));
            EXPECT_FALSE(queue.pushFor(4, 1h));
        });
        while (queue.size() < 2)
            std::this_thread::yield();
        queue.close();
        producer.join();
        // The elements inside can still be popped.
        EXPECT_EQ(queue.pop(), 1);
        EXPECT_EQ(queue.pop(), 2);
        EXPECT_EQ(queue.pop(), std::nullopt);
    }
}

class BlockingSpscThreads : public testing::TestWithParam<int>
{
};

INSTANTIATE_TEST_SUITE_P(Capacities, BlockingSpscThreads, testing::Values(1, 2, 64, 1024));

TEST_P(BlockingSpscThreads, passSingleElementsInOrder)
{
    const int count = int(TestScale::scaled(4000));
    BlockingSpscQueue<std::unique_ptr<int>> queue { std::size_t(GetParam()) };
    std::thread producer([&] {
        for (int i = 0; i < count; ++i)
            ASSERT_TRUE(queue.push(std::make_unique<int>(i)));
        queue.close();
    });
    int next = 0;
    bool ordered = true;
    std::unique_ptr<int> number;
    while (queue.pop(number))
        ordered &= *number == next++;
    producer.join();
    EXPECT_TRUE(ordered);
    EXPECT_EQ(next, count);
}

TEST_P(BlockingSpscThreads, passBatchesInOrder)
{
    const int count = int(TestScale::scaled(20000));
    BlockingSpscQueue<int> queue { std::size_t(GetParam()) };
    std::thread producer([&] {
        std::vector<int> batch(100);
        for (int next = 0; next < count; next += 100) {
            std::iota(batch.begin(), batch.end(), next);
            ASSERT_EQ(queue.pushBatch(batch.begin(), batch.size()), batch.size());
        }
        queue.close();
    });
    int next = 0;
    bool ordered = true;
    std::array<int, 30> batch;
    while (const std::size_t popped = queue.popBatch(batch.begin(), batch.size())) {
        for (std::size_t i = 0; i < popped; ++i)
            ordered &= batch[i] == next++;
    }
    producer.join();
    EXPECT_TRUE(ordered);
    EXPECT_EQ(next, (count + 99) / 100 * 100);
}

// A request at a time: after each, both ends sleep, or are about to.
TEST(BlockingSpscQueue, answersOneRequestAtATime)
{
    const int rounds = int(TestScale::scaled(1000));
    BlockingSpscQueue<int> there(1), back(1);
    std::thread server([&] {
        while (const std::optional<int> request = there.pop())
            back.push(*request + 1);
    });
    for (int i = 0; i < rounds; ++i) {
        there.push(i);
        ASSERT_EQ(back.pop(), i + 1);
    }
    there.close();
    server.join();
}

// A wait with a time that is over again and again, while the other end works.
TEST(BlockingSpscQueue, keepsOrderDespiteTimeouts)
{
    const int count = int(TestScale::scaled(1000));
    BlockingSpscQueue<int> queue(2);
    std::thread producer([&] {
        for (int i = 0; i < count; ++i) {
            while (!queue.pushFor(i, 1us)) { }
        }
    });
    for (int i = 0; i < count; ++i) {
        int value = -1;
        while (!queue.popFor(value, 1us)) { }
        ASSERT_EQ(value, i);
    }
    producer.join();
}
