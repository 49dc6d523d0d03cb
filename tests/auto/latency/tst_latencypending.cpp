// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "qlatencypending_p.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

using QPool::LatencyPending;
using QPool::LatencyPost;
using QPool::LatencyRecord;

namespace {

LatencyPost post(std::uint64_t event, std::uint64_t time)
{
    return { { event, time, 0, 0, 1000, LatencyRecord::Posted }, unsigned(event % 7) };
}

} // namespace

TEST(LatencyPending, findsNothingWhenEmpty)
{
    LatencyPending pending;
    EXPECT_EQ(pending.find(64), nullptr);
    pending.trim();
    EXPECT_EQ(pending.size(), 0u);
}

TEST(LatencyPending, findsWhatAMapFinds)
{
    for (unsigned seed = 1; seed <= 20; ++seed) {
        std::mt19937 random(seed);
        LatencyPending pending;
        std::map<std::uint64_t, std::uint64_t> model;
        // Neighbouring addresses, few at first, then so many that the table grows, then few again.
        for (const unsigned addresses : { 5u, 40u, 6000u, 40u }) {
            for (std::uint64_t time = 1; time <= 20'000; ++time) {
                const std::uint64_t event = 64 + 32 * std::uint64_t(random() % addresses);
                LatencyPost *found = pending.find(event);
                const auto expected = model.find(event);
                ASSERT_EQ(found != nullptr, expected != model.end()) << "seed " << seed;
                if (found) {
                    ASSERT_EQ(found->record.event, event);
                    ASSERT_EQ(found->record.time, expected->second);
                    ASSERT_EQ(found->thread, unsigned(event % 7));
                    pending.erase(found);
                    model.erase(expected);
                } else {
                    pending.insert(post(event, time));
                    model.emplace(event, time);
                }
                ASSERT_EQ(pending.size(), model.size());
                if (time % 1000 == 0)
                    pending.trim();
            }
            for (const auto &[event, time] : model) {
                LatencyPost *found = pending.find(event);
                ASSERT_NE(found, nullptr) << "seed " << seed;
                ASSERT_EQ(found->record.time, time);
            }
        }
    }
}

TEST(LatencyPending, keepsPostsWhenItGrowsAndIsTrimmed)
{
    LatencyPending pending;
    constexpr std::uint64_t Count = 100'000;
    for (std::uint64_t event = 1; event <= Count; ++event)
        pending.insert(post(event, event));
    for (std::uint64_t event = 1; event <= Count; ++event) {
        if (event % 1000 != 0)
            pending.erase(pending.find(event));
    }
    for (int i = 0; i < 10; ++i)
        pending.trim();
    EXPECT_EQ(pending.size(), Count / 1000);
    for (std::uint64_t event = 1; event <= Count; ++event)
        EXPECT_EQ(pending.find(event) != nullptr, event % 1000 == 0);
}
