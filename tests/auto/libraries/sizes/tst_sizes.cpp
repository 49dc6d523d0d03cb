// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Sizes and counts that no object can have, passed to every public function that takes one.

#include "impossiblesizes.h"
#include "sizeways.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

const Ways &ways()
{
    static const Ways all = [] {
        Ways found;
        addPools(found);
        addContainers(found);
        addQueues(found);
        addPageSources(found);
#ifdef __unix__
        addSharedSegments(found);
#endif
        return found;
    }();
    return all;
}

// Those that a caller may use, and others.
std::set<std::size_t> alignments()
{
    return { 0, 1, 3, 8, 16, 24, 48, 64, 100, 1024, 1025, 3000, 4096, 5000, 0x200000, 0x40000000,
             0x80000000, MostBytes, MostBytes + 1, SIZE_MAX - 63, SIZE_MAX };
}

// Sizes for a function with an alignment, too: what is added to one must not make it wrap.
std::vector<SizeWay> sizeWays()
{
    std::vector<SizeWay> all = ways().sizes;
    for (const AlignedWay &way : ways().aligned) {
        for (std::size_t alignment : alignments()) {
            all.push_back({ way.name + "_at_" + std::to_string(alignment), way.header,
                            [way, alignment](std::size_t size) {
                return isRefused([&] { return way.allocate(size, alignment); },
                                 [&](void *block) { way.deallocate(block, size, alignment); });
            } });
            // Whether it serves an alignment is not tested here.
            all.back().possible = 0;
        }
    }
    return all;
}

class Sizes : public testing::TestWithParam<SizeWay>
{
};

class Counts : public testing::TestWithParam<CountWay>
{
};

class Alignments : public testing::TestWithParam<AlignedWay>
{
};

} // namespace

TEST_P(Sizes, areRefused)
{
    for (std::size_t size : impossibleSizes()) {
        if (size > MostBytes || !GetParam().onlyBeyond) {
            EXPECT_TRUE(GetParam().refuses(size)) << size << ", SIZE_MAX - " << SIZE_MAX - size;
        }
    }
}

// A size that is refused changes nothing: the next one is served.
TEST_P(Sizes, areServedIfPossible)
{
    EXPECT_TRUE(GetParam().refuses(SIZE_MAX));
    if (GetParam().possible != 0) {
        EXPECT_FALSE(GetParam().refuses(GetParam().possible));
    }
}

TEST_P(Counts, areRefused)
{
    for (std::size_t count : impossibleCounts(GetParam().bytes))
        EXPECT_TRUE(GetParam().refuses(count)) << count << ", SIZE_MAX - " << SIZE_MAX - count;
}

TEST_P(Counts, areServedIfPossible)
{
    EXPECT_TRUE(GetParam().refuses(SIZE_MAX));
    EXPECT_FALSE(GetParam().refuses(GetParam().possible));
}

// Whatever the alignment, even none or one that is not a power of two, there is no block or a block
// of the size: no smaller one.
TEST_P(Alignments, makeNoSmallBlocks)
{
    for (std::size_t alignment : alignments()) {
        for (std::size_t bytes : { 1, 100, 1000, 5000, 200'000 }) {
            std::vector<unsigned char *> blocks;
            for (unsigned char i = 0; i < 3; ++i) {
                void *block = GetParam().allocate(bytes, alignment);
                if (!block)
                    break;
                blocks.push_back(static_cast<unsigned char *>(std::memset(block, i, bytes)));
                if ((alignment & (alignment - 1)) == 0 && alignment != 0) {
                    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignment, 0u) << alignment;
                }
            }
            for (std::size_t i = 0; i < blocks.size(); ++i) {
                EXPECT_EQ(blocks[i][0], i) << bytes << " at " << alignment;
                EXPECT_EQ(blocks[i][bytes - 1], i) << bytes << " at " << alignment;
                GetParam().deallocate(blocks[i], bytes, alignment);
            }
        }
    }
}

// Each public header is tested, or has no function to which memory of a size or for a count is asked.
TEST(SizeWays, coverEveryPublicHeader)
{
    std::set<std::string> covered {
        "qautoresetevent.h", "qobjectaccess.h", "qpoolinterruptlock.h", "qpoolstatistics.h",
        "qpoolallocator.h", // its size is a parameter of the type: see tst_refusedtypes
        "qobjectcache.h", "qobjectreset.h", // limits, which may be as large as they like
    };
    for (const SizeWay &way : sizeWays())
        covered.insert(way.header);
    for (const CountWay &way : ways().counts)
        covered.insert(way.header);
    std::istringstream headers(PUBLIC_HEADERS);
    for (std::string header; std::getline(headers, header, ',');) {
#ifndef __unix__
        if (header.find("qpoolshared") == 0)
            continue;
#endif
        EXPECT_EQ(covered.count(header), 1u) << header;
    }
}

namespace {

template <class Way>
std::string nameOf(const testing::TestParamInfo<Way> &info)
{
    return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Public, Sizes, testing::ValuesIn(sizeWays()), nameOf<SizeWay>);
INSTANTIATE_TEST_SUITE_P(Public, Counts, testing::ValuesIn(ways().counts), nameOf<CountWay>);
INSTANTIATE_TEST_SUITE_P(Public, Alignments, testing::ValuesIn(ways().aligned), nameOf<AlignedWay>);

} // namespace
