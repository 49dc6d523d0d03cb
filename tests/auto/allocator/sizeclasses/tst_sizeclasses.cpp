// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "qpoolsizeclasses.h"

#include <gtest/gtest.h>

using QPool::SizeClasses;

namespace {

class EverySize : public ::testing::TestWithParam<std::size_t>
{
};

TEST_P(EverySize, fitsItsClassAndNoSmallerOne)
{
    const std::size_t size = GetParam();
    const unsigned index = SizeClasses::indexOf(size);
    ASSERT_LT(index, SizeClasses::Count);
    EXPECT_GE(SizeClasses::sizeOf(index), size);
    if (index > 0) {
        EXPECT_LT(SizeClasses::sizeOf(index - 1), size);
    }
}

// A type's size is a multiple of its alignment. Past 64 nothing is promised.
TEST_P(EverySize, isAlignedForEveryTypeOfThatSize)
{
    const std::size_t size = GetParam();
    const std::size_t provided = SizeClasses::alignmentOf(SizeClasses::indexOf(size));
    for (std::size_t alignment = 1; alignment <= 64 && size > 0; alignment *= 2) {
        if (size % alignment == 0) {
            EXPECT_EQ(provided % alignment, 0u) << "alignment " << alignment;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes, EverySize,
                         ::testing::Range(std::size_t(0), SizeClasses::MaxSize + 1));

class EveryClass : public ::testing::TestWithParam<unsigned>
{
};

TEST_P(EveryClass, isTheClassOfItsOwnSize)
{
    const unsigned index = GetParam();
    EXPECT_EQ(SizeClasses::indexOf(SizeClasses::sizeOf(index)), index);
}

TEST_P(EveryClass, isAMultipleOfAPointer)
{
    EXPECT_EQ(SizeClasses::sizeOf(GetParam()) % sizeof(void *), 0u);
}

// Each chunk starts at a multiple of its size, so the lowest set bit is its alignment.
TEST_P(EveryClass, statesTheAlignmentOfEveryMultiple)
{
    const std::size_t size = SizeClasses::sizeOf(GetParam());
    const std::size_t alignment = SizeClasses::alignmentOf(GetParam());
    EXPECT_EQ(alignment & (alignment - 1), 0u);
    EXPECT_EQ(size % alignment, 0u);
    EXPECT_NE(size % (2 * alignment), 0u);
}

TEST_P(EveryClass, wastesAtMostAFifth)
{
    const unsigned index = GetParam();
    const std::size_t size = SizeClasses::sizeOf(index);
    if (size <= 128)
        return; // the 8-byte steps are as fine as it gets
    const std::size_t smallest = SizeClasses::sizeOf(index - 1) + 1;
    EXPECT_LE(double(size - smallest) / double(size), 0.2);
}

INSTANTIATE_TEST_SUITE_P(Classes, EveryClass, ::testing::Range(0u, SizeClasses::Count));

TEST(SizeClassesTest, endsWithTheLargestSize)
{
    EXPECT_EQ(SizeClasses::sizeOf(SizeClasses::Count - 1), SizeClasses::MaxSize);
}

TEST(SizeClassesTest, areExactUpToTheSizesOfEventsAndObjects)
{
    for (std::size_t size = 8; size <= 128; size += 8)
        EXPECT_EQ(SizeClasses::sizeOf(SizeClasses::indexOf(size)), size);
}

} // namespace
