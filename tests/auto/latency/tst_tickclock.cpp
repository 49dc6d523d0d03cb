// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "qtickclock_p.h"

#include <gtest/gtest.h>

using QPool::Os::TickClock;
using QPool::Os::TickRate;

TEST(TickClock, neverRunsBackwards)
{
    TickClock::choose();
    std::uint64_t before = TickClock::now();
    for (int i = 0; i < 1000; ++i) {
        const std::uint64_t now = TickClock::now();
        EXPECT_GE(now, before);
        before = now;
    }
}

TEST(TickRate, agreesWithTheSystemClock)
{
    TickClock::choose();
    TickRate rate;
    rate.begin();
    while (!rate.settle())
        TickClock::now();
    // However long the thread is kept from running: to a thousandth of the time since the beginning.
    const std::uint64_t begin = TickClock::nanoseconds();
    const std::uint64_t now = TickClock::now();
    const std::uint64_t end = TickClock::nanoseconds();
    const std::uint64_t slack = 1'000'000;
    EXPECT_GE(rate.toNanoseconds(now) + slack, begin);
    EXPECT_LE(rate.toNanoseconds(now), end + slack);
}

TEST(TickRate, keepsTheOrder)
{
    TickClock::choose();
    TickRate rate;
    rate.begin();
    while (!rate.settle())
        TickClock::now();
    std::uint64_t before = 0;
    const std::uint64_t first = TickClock::now();
    for (std::uint64_t ticks = first; ticks < first + 100'000; ticks += 7) {
        EXPECT_GE(rate.toNanoseconds(ticks), before);
        before = rate.toNanoseconds(ticks);
    }
}

TEST(TickRate, convertsTimesBeforeItsBeginning)
{
    TickClock::choose();
    const std::uint64_t early = TickClock::now();
    TickRate rate;
    rate.begin();
    while (!rate.settle())
        TickClock::now();
    EXPECT_LE(rate.toNanoseconds(early), rate.toNanoseconds(TickClock::now()));
}
