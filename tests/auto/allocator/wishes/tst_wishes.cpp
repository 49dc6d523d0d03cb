// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "os/qpoolwishes.h"

#include <gtest/gtest.h>

using QPool::areWishesToSee;
using QPool::hasWish;
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

TEST(Wishes, areToSeeOnlyWithoutAnySwitch)
{
    EXPECT_TRUE(areWishesToSee("monitor"));
    EXPECT_TRUE(areWishesToSee("latency"));
    EXPECT_TRUE(areWishesToSee("monitor,latency"));
    EXPECT_TRUE(areWishesToSee("heap"));
    EXPECT_TRUE(areWishesToSee("heap=4096,monitor"));
    EXPECT_FALSE(areWishesToSee("heap=4096,1"));
    EXPECT_FALSE(areWishesToSee("heaps"));
    EXPECT_FALSE(areWishesToSee("1"));
    EXPECT_FALSE(areWishesToSee("monitor,1"));
    EXPECT_FALSE(areWishesToSee("0,latency"));
    EXPECT_FALSE(areWishesToSee(""));
}

TEST(Wishes, mayHaveANumber)
{
    EXPECT_EQ(numberOfWish("heap", "heap", 7), 7u);
    EXPECT_EQ(numberOfWish("monitor,heap=4096,latency", "heap", 7), 4096u);
    EXPECT_EQ(numberOfWish("heap=", "heap", 7), 7u);
    EXPECT_EQ(numberOfWish("heap=x", "heap", 7), 7u);
    EXPECT_EQ(numberOfWish("heaps=1,heap2", "heap", 7), 0u);
    EXPECT_EQ(numberOfWish("monitor", "heap", 7), 0u);
    EXPECT_EQ(numberOfWish("", "heap", 7), 0u);
}
