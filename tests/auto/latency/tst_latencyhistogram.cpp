// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "qlatencyhistogram_p.h"

#include <gtest/gtest.h>

using QPool::LatencyHistogram;

TEST(LatencyHistogram, bucketsAreContiguous)
{
    // Without a gap, each beginning where the one before ends.
    for (unsigned bucket = 0; bucket < LatencyHistogram::Buckets; ++bucket) {
        EXPECT_EQ(LatencyHistogram::bucketOf(LatencyHistogram::least(bucket)), bucket);
        if (bucket != 0) {
            EXPECT_EQ(LatencyHistogram::bucketOf(LatencyHistogram::least(bucket) - 1), bucket - 1);
        }
    }
}

TEST(LatencyHistogram, bucketsAreAtMostAnEighthWide)
{
    for (unsigned bucket = LatencyHistogram::Fine; bucket + 1 < LatencyHistogram::Buckets; ++bucket) {
        const std::uint64_t least = LatencyHistogram::least(bucket);
        EXPECT_LE((LatencyHistogram::least(bucket + 1) - least) * LatencyHistogram::Fine, least);
    }
}

TEST(LatencyHistogram, countsTooLongTimesInTheLastBucket)
{
    LatencyHistogram histogram;
    histogram.add(~std::uint64_t(0) / 2);
    EXPECT_EQ(histogram.countIn(LatencyHistogram::Buckets - 1), 1u);
    EXPECT_EQ(histogram.percentile(50), ~std::uint64_t(0) / 2);
    // Seventeen minutes have a bucket before it.
    EXPECT_LT(LatencyHistogram::bucketOf(17ull * 60 * 1'000'000'000), LatencyHistogram::Buckets - 1);
}

TEST(LatencyHistogram, reportsZerosWhenEmpty)
{
    const LatencyHistogram histogram;
    EXPECT_EQ(histogram.count(), 0u);
    EXPECT_EQ(histogram.percentile(50), 0u);
    EXPECT_EQ(histogram.worst(), 0u);
}

TEST(LatencyHistogram, percentilesAreNeverTooSmall)
{
    LatencyHistogram histogram;
    for (std::uint64_t time = 1; time <= 100'000; ++time)
        histogram.add(time);
    for (const unsigned percent : { 1u, 50u, 90u, 99u, 100u }) {
        const std::uint64_t truth = 1000 * percent;
        EXPECT_GE(histogram.percentile(percent), truth);
        EXPECT_LE(histogram.percentile(percent), truth + truth / 8);
    }
    EXPECT_EQ(histogram.percentile(100), 100'000u);
    EXPECT_EQ(histogram.worst(), 100'000u);
    EXPECT_EQ(histogram.total(), 100'000ull * 100'001 / 2);
}

TEST(LatencyHistogram, oneOutlierDoesNotMoveTheMedian)
{
    LatencyHistogram histogram;
    for (int i = 0; i < 99; ++i)
        histogram.add(3);
    histogram.add(1'000'000);
    EXPECT_EQ(histogram.percentile(50), 3u);
    EXPECT_EQ(histogram.percentile(99), 3u);
    EXPECT_EQ(histogram.percentile(100), 1'000'000u);
}
