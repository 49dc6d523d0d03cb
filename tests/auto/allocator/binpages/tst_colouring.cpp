// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "pool/qpoolallocator.h"
#include "../shared/models.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

using namespace QPool;

namespace {

template <std::size_t Size>
struct Chunks
{
    static constexpr std::size_t size = Size;
};

template <class T>
class ColouringTest : public ::testing::Test
{
};

using Sizes = ::testing::Types<Chunks<64>, Chunks<128>, Chunks<256>, Chunks<512>>;
TYPED_TEST_SUITE(ColouringTest, Sizes);

// A tree that is built in order has the nodes whose numbers are powers of two on its last path. In
// a cache with 64 KiB per way, all of those in different pages would be in one set.
TYPED_TEST(ColouringTest, powersOfTwoAreInDifferentSets)
{
    if (hardening == 2)
        GTEST_SKIP() << "chunks are larger by a canary";
    constexpr std::size_t size = TypeParam::size;
    constexpr std::size_t way = 64 * 1024;
    using Pool = QPoolAllocator<size, SingleThreaded, TaggedPages<TypeParam>>;
    std::vector<char *> chunks;
    for (std::size_t i = 0; i <= 64 * way / size; ++i)
        chunks.push_back(static_cast<char *>(Pool::allocate()));
    std::set<std::size_t> sets;
    std::size_t count = 0;
    for (std::size_t i = way / size; i < chunks.size(); i *= 2, ++count)
        sets.insert(reinterpret_cast<std::uintptr_t>(chunks[i]) % way / CacheLineSize);
    EXPECT_EQ(count, 7u);
    EXPECT_EQ(sets.size(), count);
    for (char *chunk : chunks)
        Pool::deallocate(chunk);
}

} // namespace
