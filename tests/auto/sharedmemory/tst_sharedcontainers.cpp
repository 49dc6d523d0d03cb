// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// The standard's containers in a segment, in one process and in several.

#include "childprocess.h"
#include "sharedmap.h"

#include <list>
#include <unordered_map>
#include <vector>

using namespace QPool;

namespace {

TEST(SharedContainersTest, mapOfStringsLivesInTheSegment)
{
    TestSegment test(4 << 20);
    {
        Map map { Map::allocator_type(test.segment) };
        for (int i = 0; i < 2000; ++i)
            map.emplace(text(test.segment, i), text(test.segment, -i));
        EXPECT_SOUND(test.segment);
        for (const auto &[key, value] : map) {
            EXPECT_TRUE(test.segment.contains(key.data()));
            EXPECT_TRUE(test.segment.contains(value.data()));
        }
        for (int i = 0; i < 2000; i += 2)
            map.erase(text(test.segment, i));
        EXPECT_EQ(map.size(), 1000u);
        EXPECT_EQ(map.find(text(test.segment, 7))->second, text(test.segment, -7));
        const Map copy = map;
        EXPECT_EQ(copy, map);
    }
    EXPECT_SOUND(test.segment);
    EXPECT_EQ(test.segment.statistics().usedBlocks, 0u);
}

TEST(SharedContainersTest, vectorListAndHashLeaveNothingBehind)
{
    TestSegment test(16 << 20);
    {
        std::vector<int, SharedAllocator<int>> vector(test.segment);
        std::list<String, Allocator<String>> list { Allocator<String>(test.segment) };
        std::unordered_map<int, String, std::hash<int>, std::equal_to<>,
                           Allocator<std::pair<const int, String>>>
                hash { Allocator<std::pair<const int, String>>(test.segment) };
        for (int i = 0; i < 10000; ++i) {
            vector.push_back(i);
            list.emplace_back(longText);
            hash.emplace(i, longText);
        }
        EXPECT_EQ(vector[9999], 9999);
        EXPECT_EQ(list.back(), longText);
        EXPECT_EQ(hash.at(77), longText);
        EXPECT_SOUND(test.segment);
        auto moved = std::move(list);
        moved.remove_if([n = 0](const String &) mutable { return n++ % 3 != 0; });
        EXPECT_EQ(moved.size(), 3334u);
    }
    EXPECT_SOUND(test.segment);
    EXPECT_EQ(test.segment.statistics().usedBlocks, 0u);
}

TEST(SharedContainersTest, allocatorsOfOneSegmentAreEqual)
{
    TestSegment one;
    TestSegment other;
    EXPECT_TRUE(SharedAllocator<int>(one.segment) == SharedAllocator<char>(one.segment));
    EXPECT_TRUE(SharedAllocator<int>(one.segment) != SharedAllocator<int>(other.segment));
    std::vector<int, SharedAllocator<int>> a({ 1, 2, 3 }, one.segment);
    std::vector<int, SharedAllocator<int>> b({ 4 }, other.segment);
    a.swap(b);
    EXPECT_TRUE(other.segment.contains(a.data()));
    a = std::move(b);
    EXPECT_TRUE(one.segment.contains(a.data()));
    a = b = std::vector<int, SharedAllocator<int>>({ 5 }, other.segment);
    EXPECT_TRUE(one.segment.contains(a.data()));
}

TEST(SharedContainersTest, aFullSegmentThrows)
{
    TestSegment test(SharedSegment::MinBytes);
    std::list<int, SharedAllocator<int>> list(test.segment);
    EXPECT_THROW(for (;;) list.push_back(1), std::bad_alloc);
    EXPECT_SOUND(test.segment);
    std::vector<int, SharedAllocator<int>> vector(test.segment);
    EXPECT_THROW(vector.resize(std::size_t(1) << (sizeof(void *) == 8 ? 40 : 28)), std::bad_alloc);
    list.clear();
    EXPECT_SOUND(test.segment);
}

// The parent reads what a child builds, at the same addresses, and the other way round.
TEST(SharedContainersTest, mapIsSharedBetweenProcesses)
{
    for (const SharedLockKind kind : allLocks()) {
        SCOPED_TRACE(nameOf(kind));
        SegmentName name;
        {
            SharedSegment created = SharedSegment::create(name, 4 << 20, kind);
            ASSERT_TRUE(created);
        }
        EXPECT_EQ(exitCodeOfChild([&] {
                      SharedSegment segment = SharedSegment::attach(name);
                      if (!segment)
                          return 1;
                      Map *map = segment.construct<Map>("map", Map::allocator_type(segment));
                      for (int i = 0; i < 1000; ++i)
                          map->emplace(text(segment, i), text(segment, i));
                      return map->size() == 1000 && !segment.check() ? 0 : 2;
                  }),
                  0);
        SharedSegment segment = SharedSegment::attach(name);
        ASSERT_TRUE(segment) << errorText(SharedSegment::lastError());
        Map *map = segment.find<Map>("map");
        ASSERT_NE(map, nullptr);
        EXPECT_EQ(map->size(), 1000u);
        EXPECT_EQ(map->at(text(segment, 500)), text(segment, 500));
        EXPECT_EQ(exitCodeOfChild([&] {
                      map->clear(); // inherited, mapped as ever
                      return segment.destroy<Map>("map") ? 0 : 1;
                  }),
                  0);
        EXPECT_EQ(segment.statistics().usedBlocks, 0u);
        EXPECT_SOUND(segment);
        EXPECT_EQ(segment.statistics().deaths, 0u);
    }
}

} // namespace
