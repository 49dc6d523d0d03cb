// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "pools/concurrency/qautoresetevent.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <thread>
#include <vector>

using namespace QPool;
using namespace std::chrono_literals;

static_assert(sizeof(AutoResetEvent) == 4 && alignof(AutoResetEvent) == 4);

TEST(AutoResetEvent, isResetAtFirst)
{
    AutoResetEvent event;
    EXPECT_FALSE(event.tryWait());
}

TEST(AutoResetEvent, signalsAreNotCounted)
{
    AutoResetEvent event;
    event.signal();
    event.signal();
    event.wait();
    EXPECT_FALSE(event.tryWait());
    event.signal();
    EXPECT_TRUE(event.tryWait());
    EXPECT_FALSE(event.tryWait());
}

TEST(AutoResetEvent, timesOutAfterTheGivenTime)
{
    AutoResetEvent event;
    EXPECT_FALSE(event.waitFor(0ns));
    EXPECT_FALSE(event.waitFor(-1s));
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_FALSE(event.waitFor(5ms));
    EXPECT_GE(std::chrono::steady_clock::now() - begin, 5ms);
    event.signal();
    EXPECT_TRUE(event.waitFor(0ns));
    event.signal();
    EXPECT_TRUE(event.waitFor(std::chrono::nanoseconds::max()));
    EXPECT_FALSE(event.tryWait());
}

TEST(AutoResetEvent, keepsErrno)
{
    AutoResetEvent event;
    errno = EDOM;
    EXPECT_FALSE(event.waitFor(1us));
    event.signal();
    event.wait();
    EXPECT_EQ(errno, EDOM);
}

// In turns, each asleep when the other signals, or about to be.
TEST(AutoResetEvent, noSignalIsLost)
{
    constexpr int rounds = 5000;
    AutoResetEvent there, back;
    int value = 0; // the events order what both do with it
    std::thread other([&] {
        for (int i = 0; i < rounds; ++i) {
            there.wait();
            ++value;
            back.signal();
        }
    });
    for (int i = 0; i < rounds; ++i) {
        ++value;
        there.signal();
        back.wait();
        ASSERT_EQ(value, 2 * (i + 1));
    }
    other.join();
}

// A signal that comes when the waiter's time is over is there for the next wait, which has no time and
// would not end without it.
TEST(AutoResetEvent, noSignalIsLostAtATimeout)
{
    constexpr int rounds = 20000;
    AutoResetEvent there, back;
    std::thread other([&] {
        for (int i = 0; i < rounds; ++i) {
            there.signal();
            back.wait();
        }
    });
    for (int i = 0; i < rounds; ++i) {
        if (!there.waitFor(std::chrono::nanoseconds(i % 64 * 50)))
            there.wait();
        back.signal();
    }
    other.join();
    EXPECT_FALSE(there.tryWait());
    EXPECT_FALSE(back.tryWait());
}

// The waiter sees what every signaller wrote, even if the event was already set; and a timeout that
// expires at the moment of the signal loses nothing.
TEST(AutoResetEvent, waiterSeesWritesOfManySignallers)
{
    constexpr int signallers = 3;
    constexpr int rounds = 3000;
    AutoResetEvent event;
    std::atomic<int> written[signallers] = {};
    std::vector<std::thread> threads;
    for (std::atomic<int> &mine : written) {
        threads.emplace_back([&] {
            for (int i = 1; i <= rounds; ++i) {
                mine.store(i, std::memory_order_relaxed);
                event.signal();
            }
        });
    }
    auto sum = [&] {
        int result = 0;
        for (const std::atomic<int> &one : written)
            result += one.load(std::memory_order_relaxed);
        return result;
    };
    for (int turn = 0; sum() < signallers * rounds; ++turn) {
        if (turn % 2)
            event.wait();
        else
            event.waitFor(1us);
    }
    for (std::thread &thread : threads)
        thread.join();
}
