// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Threads that live for an instant, one after the other and a few at a time, and each leave one
// block behind: what they owned must be found again.

#include "cookie.h"
#include "models.h"
#include "testscale.h"

#include <algorithm>
#include <cstdio>
#include <thread>
#include <vector>

using namespace QPool;

namespace {

constexpr std::size_t Size = 64;
constexpr std::size_t AtOnce = 4;
constexpr std::size_t Mebibyte = 1024 * 1024;

template <class Pool, class Done>
void runShortThreads(std::uint64_t count, Done &&done)
{
    void *left[AtOnce];
    std::thread threads[AtOnce];
    for (std::uint64_t i = 0; i < count; i += AtOnce) {
        for (std::size_t t = 0; t < AtOnce; ++t) {
            threads[t] = std::thread([&left, t, i] {
                void *mine = Pool::allocate();
                left[t] = Pool::allocate();
                Cookie::write(left[t], Size, i + t);
                Pool::deallocate(mine);
            });
        }
        for (std::thread &thread : threads)
            thread.join();
        for (std::size_t t = 0; t < AtOnce; ++t)
            done(left[t], i + t);
    }
}

TEST(ShortThreads, theirRemainingBlocksWasteLittle)
{
    struct Tag;
    using Pool = QPoolAllocator<Size, MultiThreaded, TaggedPages<Tag>>;
    const std::uint64_t count = TestScale::scaled(100000) / AtOnce * AtOnce + AtOnce;
    const std::size_t before = SystemPages::memory().committed;
    std::vector<void *> left;
    left.reserve(count);
    runShortThreads<Pool>(count, [&](void *block, std::uint64_t) { left.push_back(block); });

    const std::size_t grown = SystemPages::memory().committed - before;
    const ArenaTotals totals = arenaTotals<Pool>();
    EXPECT_EQ(totals.live, count);
    // An arena is made only while each of the others belongs to a thread, or is an orphan that one of
    // them borrows from beside its own.
    EXPECT_LE(totals.arenas, 2 * (AtOnce - 1) + 1);
    EXPECT_LE(grown, count * Size + count * Size / 20 + 2 * Mebibyte);
    std::printf("%llu threads left %.1f MiB in %u arenas, %.1f MiB committed, %llu adoptions\n",
                static_cast<unsigned long long>(count), double(count * Size) / Mebibyte,
                totals.arenas, double(grown) / Mebibyte,
                static_cast<unsigned long long>(totals.adoptions));

    for (std::size_t i = 0; i < left.size(); ++i) {
        ASSERT_TRUE(Cookie::check(left[i], Size, i));
        Pool::deallocate(left[i]);
    }
    expectNothingLost<Pool>();
    EXPECT_LE(SystemPages::memory().committed, before + 2 * Mebibyte);
}

TEST(ShortThreads, needLittleMemoryWhenOthersFree)
{
    struct Tag;
    using Pool = QPoolAllocator<Size, MultiThreaded, TaggedPages<Tag>>;
    const std::uint64_t count = TestScale::scaled(100000) / AtOnce * AtOnce + AtOnce;
    const std::size_t before = SystemPages::memory().committed;
    std::size_t most = 0;
    runShortThreads<Pool>(count, [&](void *block, std::uint64_t number) {
        EXPECT_TRUE(Cookie::check(block, Size, number));
        Pool::deallocate(block);
        most = std::max(most, SystemPages::memory().committed);
    });
    EXPECT_LE(arenaTotals<Pool>().arenas, AtOnce);
    EXPECT_LE(most, before + 2 * Mebibyte);
    expectNothingLost<Pool>();
}

} // namespace
