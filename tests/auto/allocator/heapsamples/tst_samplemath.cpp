// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "samples/qpoolsamplemath.h"

#include <gtest/gtest.h>

#include <cmath>

namespace Math = QPool::SampleMath;

TEST(SampleMath, approximatesLogarithms)
{
    for (double value = 1e-18; value < 1e18; value *= 1.0173) {
        const double exact = std::log(value);
        EXPECT_NEAR(Math::logarithm(value), exact, 1e-11 + 1e-11 * std::abs(exact)) << value;
    }
    EXPECT_EQ(Math::logarithm(1), 0);
}

TEST(SampleMath, approximatesExponentials)
{
    for (double value = 1e-9; value < 690; value *= 1.0131)
        EXPECT_NEAR(Math::decay(value) / std::exp(-value), 1, 1e-12) << value;
    EXPECT_EQ(Math::decay(0), 1);
    EXPECT_EQ(Math::decay(1000), 0);
}

TEST(SampleMath, weighsABlockByTheProbabilityThatItIsSampled)
{
    for (double size = 8; size < 1e9; size *= 1.37) {
        const double exact = size / -std::expm1(-size / 524288);
        EXPECT_NEAR(Math::weight(size, 524288) / exact, 1, 1e-9) << size;
    }
}

// The mean is 1, the mean of the squares is 2, and a share of 1/e is above the mean.
TEST(SampleMath, drawsExponentially)
{
    constexpr int count = 1000000;
    double sum = 0;
    double squares = 0;
    int above = 0;
    for (int i = 0; i < count; ++i) {
        const double drawn = Math::exponential(Math::randomAt(42, std::uint64_t(i)), 1);
        ASSERT_GE(drawn, 0);
        sum += drawn;
        squares += drawn * drawn;
        above += drawn > 1;
    }
    EXPECT_NEAR(sum / count, 1, 5 / std::sqrt(count));
    EXPECT_NEAR(squares / count, 2, 5 * std::sqrt(20.0 / count));
    const double share = std::exp(-1);
    EXPECT_NEAR(double(above) / count, share, 5 * std::sqrt(share * (1 - share) / count));
}

TEST(SampleMath, drawsTheSameFromTheSameSeed)
{
    EXPECT_EQ(Math::randomAt(1, 5), Math::randomAt(1, 5));
    EXPECT_NE(Math::randomAt(1, 5), Math::randomAt(1, 6));
    EXPECT_NE(Math::randomAt(1, 5), Math::randomAt(2, 5));
}
