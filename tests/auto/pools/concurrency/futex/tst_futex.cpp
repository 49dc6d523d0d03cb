// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "pools/concurrency/qpoolfutex.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <thread>
#include <vector>

using namespace QPool;

using Word = std::atomic<std::uint32_t>;

TEST(Futex, returnsAtOnceWhenTheWordDiffers)
{
    const Word word { 2 };
    Os::futexWait(word, 1); // or it sleeps for ever
}

TEST(Futex, endsWhenTheTimeIsOver)
{
    const Word word { 1 };
    constexpr std::chrono::milliseconds time(20);
    const auto end = std::chrono::steady_clock::now() + time;
    // It may end early for other reasons, as often as it likes.
    while (std::chrono::steady_clock::now() < end)
        Os::futexWait(word, 1, std::chrono::nanoseconds(time).count());
    Os::futexWait(word, 1, 0);
}

TEST(Futex, keepsErrno)
{
    const Word word { 1 };
    errno = EDOM;
    Os::futexWait(word, 2);
    EXPECT_EQ(errno, EDOM);
    Os::futexWait(word, 1, 1);
    EXPECT_EQ(errno, EDOM);
    Os::futexWake(word);
    EXPECT_EQ(errno, EDOM);
}

// Two threads that sleep in turns: a wake-up that is lost is never made up for. Several pairs, which share
// what there is where there is no futex.
TEST(Futex, wakesSleepingThreads)
{
    constexpr std::uint32_t rounds = 2000;
    std::vector<Word> words(40);
    std::vector<std::thread> threads;
    for (Word &word : words)
        word = 0;
    for (std::size_t pair = 0; pair < words.size(); pair += 10) {
        for (std::uint32_t side : { 0u, 1u }) {
            threads.emplace_back([&word = words[pair], side] {
                for (std::uint32_t round = side; round < rounds; round += 2) {
                    for (std::uint32_t seen; (seen = word.load()) != round;)
                        Os::futexWait(word, seen);
                    word.store(round + 1);
                    Os::futexWake(word);
                }
            });
        }
    }
    for (std::thread &thread : threads)
        thread.join();
    for (std::size_t pair = 0; pair < words.size(); pair += 10)
        EXPECT_EQ(words[pair].load(), rounds);
}
