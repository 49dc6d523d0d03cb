// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "os/qpoolwishes.h"

#include <gtest/gtest.h>

#include <cstring>

using QPool::hasWish;
using QPool::isKnownWish;
using QPool::numberOfWish;

TEST(Wishes, areSeparatedByCommas)
{
    EXPECT_TRUE(hasWish("latency", "latency"));
    EXPECT_TRUE(hasWish("monitor,latency", "latency"));
    EXPECT_TRUE(hasWish("latency,monitor", "latency"));
    EXPECT_TRUE(hasWish("0,latency", "0"));
    EXPECT_FALSE(hasWish("", "latency"));
    EXPECT_FALSE(hasWish("latency2", "latency"));
    EXPECT_FALSE(hasWish("monitor", "latency"));
    EXPECT_FALSE(hasWish("latenc,y", "latency"));
    EXPECT_FALSE(hasWish("10", "0"));
}

TEST(Wishes, areKnown)
{
    const auto isKnown = [](const char *wish) { return isKnownWish(wish, std::strcspn(wish, ",")); };
    for (const char *wish : { "0", "1", "monitor", "latency", "heap", "heap=4096", "", "heap,x" })
        EXPECT_TRUE(isKnown(wish)) << wish;
    for (const char *wish : { "off", "01", "heaps", "Monitor", "monitor=1", "heap=", "heap=4K", "heap=-1", " latency", "x,heap" })
        EXPECT_FALSE(isKnown(wish)) << wish;
}

TEST(Wishes, mayHaveANumber)
{
    EXPECT_EQ(numberOfWish("heap", "heap", 7), 7u);
    EXPECT_EQ(numberOfWish("monitor,heap=4096,latency", "heap", 7), 4096u);
    EXPECT_EQ(numberOfWish("heap=", "heap", 7), 0u);
    EXPECT_EQ(numberOfWish("heap=64K", "heap", 7), 0u);
    EXPECT_EQ(numberOfWish("heaps=1,heap2", "heap", 7), 0u);
    EXPECT_EQ(numberOfWish("monitor", "heap", 7), 0u);
    EXPECT_EQ(numberOfWish("", "heap", 7), 0u);
}
