// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// What cached objects keep: capacity for the largest use that each of them had, or less.

#include "pools/objects/qobjectcache.h"

#include "randomsource.h"

#include <gtest/gtest.h>

#include <string>
#include <unordered_map>
#include <vector>

using namespace QPool;

namespace {

struct Request
{
    std::vector<int> headers;
};

struct ClearAll
{
    void operator()(Request &request) const { request.headers.clear(); }
};

struct ClearMost
{
    void operator()(Request &request) const { clearWithin(request.headers, 4); }
};

// 1.5 headers on average, of which one request in two hundred has a hundred.
std::size_t headerCount(RandomSource &random)
{
    return random.below(200) == 0 ? 100 : random.below(3);
}

constexpr std::size_t Objects = 100;

// Takes and gives back a hundred at a time, and then looks for how many headers there is room.
template <class Reset>
std::size_t roomInTheEnd()
{
    ObjectCache<Request, Reset> cache;
    using Handle = typename ObjectCache<Request, Reset>::Handle;
    RandomSource random(1);
    for (int round = 0; round < 2000; ++round) {
        std::vector<Handle> requests;
        for (std::size_t i = 0; i < Objects; ++i) {
            requests.push_back(cache.take());
            EXPECT_TRUE(requests.back()->headers.empty());
            requests.back()->headers.resize(headerCount(random));
        }
    }
    std::vector<Handle> requests;
    std::size_t room = 0;
    for (std::size_t i = 0; i < Objects; ++i) {
        requests.push_back(cache.take());
        room += requests.back()->headers.capacity();
    }
    EXPECT_EQ(cache.statistics().held, Objects);
    return room;
}

TEST(ObjectResetTest, clearedVectorsAllEndUpWithRoomForTheLargest)
{
    // Each object met a hundred headers ten times over.
    EXPECT_GE(roomInTheEnd<ClearAll>(), Objects * 100);
}

TEST(ObjectResetTest, aBoundKeepsTheRoomNearTheAverage)
{
    EXPECT_LE(roomInTheEnd<ClearMost>(), Objects * 4);
}

TEST(ObjectResetTest, clearWithinKeepsWhatIsBelowTheBound)
{
    std::vector<int> few(10);
    const int *data = few.data();
    clearWithin(few, 10);
    EXPECT_TRUE(few.empty());
    few.push_back(1);
    EXPECT_EQ(few.data(), data);

    std::vector<int> many(11);
    clearWithin(many, 10);
    EXPECT_EQ(many.capacity(), 0u);

    std::string text(1000, 'x');
    clearWithin(text, 100);
    EXPECT_TRUE(text.empty());
    EXPECT_LT(text.capacity(), 100u);

    std::unordered_map<int, int> map;
    for (int i = 0; i < 1000; ++i)
        map[i] = i;
    clearWithin(map, 100);
    EXPECT_TRUE(map.empty());
    EXPECT_LE(map.bucket_count(), 100u);
}

TEST(ObjectResetTest, resetOrClearIsCalledByDefault)
{
    struct Both
    {
        void reset() { wasReset = true; }
        void clear() { wasCleared = true; }
        bool wasReset = false, wasCleared = false;
    };
    ObjectCache<Both> both;
    (void)both.take();
    EXPECT_TRUE(both.take()->wasReset);
    EXPECT_FALSE(both.take()->wasCleared);

    ObjectCache<std::string> texts;
    texts.take()->assign("abc");
    EXPECT_EQ(*texts.take(), "");

    ObjectCache<std::string, KeepObject> kept;
    kept.take()->assign("abc");
    EXPECT_EQ(*kept.take(), "abc");
}

} // namespace
