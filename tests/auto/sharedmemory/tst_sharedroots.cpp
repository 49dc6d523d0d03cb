// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Objects that have a name in a segment.

#include "testsegment.h"

#include <mutex>
#include <stdexcept>

using namespace QPool;

namespace {

struct Point
{
    int x;
    int y;
};

struct OtherPoint
{
    int x;
    int y;
};

struct Counted
{
    explicit Counted(int *count) : count(count) { ++*count; }
    ~Counted() { --*count; }
    int *count;
};

struct Throwing
{
    explicit Throwing(int) { throw std::runtime_error("no"); }
};

struct alignas(256) Aligned
{
    char bytes[300] = {};
};

// Has another root made by its constructor.
struct Nested
{
    explicit Nested(SharedSegment &segment) : inner(segment.construct<Point>("inner", 1, 2)) { }
    Point *inner;
};

TEST(SharedRootsTest, areFoundByName)
{
    TestSegment test;
    EXPECT_EQ(test.segment.find<Point>("point"), nullptr);
    EXPECT_EQ(SharedSegment::lastError(), SharedError::NotFound);
    Point *point = test.segment.construct<Point>("point", 3, 4);
    ASSERT_NE(point, nullptr);
    EXPECT_EQ(test.segment.find<Point>("point"), point);
    EXPECT_EQ(SharedSegment::lastError(), SharedError::None);
    EXPECT_EQ(point->y, 4);
    EXPECT_EQ(test.segment.construct<Point>("point", 5, 6), nullptr);
    EXPECT_EQ(SharedSegment::lastError(), SharedError::RootExists);
    EXPECT_EQ(test.segment.findOrConstruct<Point>("point", 5, 6), point);
    EXPECT_NE(test.segment.findOrConstruct<Point>("other", 5, 6), point);
    EXPECT_EQ(test.segment.find<Point>("poin"), nullptr);
    ASSERT_EQ(test.segment.roots().size(), 2u);
    EXPECT_EQ(test.segment.roots()[0].name, "point");
    EXPECT_EQ(test.segment.roots()[1].bytes, sizeof(Point));
    EXPECT_SOUND(test.segment);
    EXPECT_TRUE(test.segment.destroy<Point>("point"));
    EXPECT_FALSE(test.segment.destroy<Point>("point"));
    EXPECT_EQ(SharedSegment::lastError(), SharedError::NotFound);
    EXPECT_EQ(test.segment.statistics().usedBlocks, 1u);
    EXPECT_SOUND(test.segment);
}

TEST(SharedRootsTest, areRefusedAsAnotherType)
{
    TestSegment test;
    ASSERT_NE(test.segment.construct<Point>("point", 3, 4), nullptr);
    EXPECT_EQ(test.segment.find<OtherPoint>("point"), nullptr);
    EXPECT_EQ(SharedSegment::lastError(), SharedError::RootType);
    EXPECT_EQ(test.segment.find<int>("point"), nullptr);
    EXPECT_EQ(SharedSegment::lastError(), SharedError::RootType);
    EXPECT_EQ(test.segment.findOrConstruct<OtherPoint>("point", 3, 4), nullptr);
    EXPECT_FALSE(test.segment.destroy<OtherPoint>("point"));
    EXPECT_NE(test.segment.find<Point>("point"), nullptr);
}

TEST(SharedRootsTest, areConstructedAndDestroyedOnce)
{
    TestSegment test;
    int count = 0;
    ASSERT_NE(test.segment.construct<Counted>("counted", &count), nullptr);
    EXPECT_EQ(count, 1);
    EXPECT_TRUE(test.segment.destroy<Counted>("counted"));
    EXPECT_EQ(count, 0);
    EXPECT_NE(test.segment.construct<Counted>("counted", &count), nullptr);
    EXPECT_EQ(count, 1);
}

TEST(SharedRootsTest, aConstructorThatThrowsLeavesNothing)
{
    TestSegment test;
    EXPECT_THROW(test.segment.construct<Throwing>("throwing", 1), std::runtime_error);
    EXPECT_EQ(test.segment.statistics().usedBlocks, 0u);
    EXPECT_TRUE(test.segment.roots().empty());
    EXPECT_SOUND(test.segment);
    EXPECT_TRUE(test.segment.try_lock()) << "the lock was given back";
    test.segment.unlock();
}

TEST(SharedRootsTest, mayBeAlignedAndNested)
{
    TestSegment test;
    Aligned *aligned = test.segment.construct<Aligned>("aligned");
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(aligned) % 256, 0u);
    Nested *nested = test.segment.construct<Nested>("nested", test.segment);
    ASSERT_NE(nested, nullptr);
    EXPECT_EQ(test.segment.find<Point>("inner"), nested->inner);
    EXPECT_SOUND(test.segment);
}

TEST(SharedRootsTest, refuseEmptyAndTooLongNames)
{
    TestSegment test;
    const std::string longest(SharedSegment::MaxRootNameLength, 'x');
    EXPECT_NE(test.segment.construct<int>(longest.c_str(), 1), nullptr);
    EXPECT_NE(test.segment.find<int>(longest.c_str()), nullptr);
    EXPECT_EQ(test.segment.construct<int>((longest + 'x').c_str(), 1), nullptr);
    EXPECT_EQ(SharedSegment::lastError(), SharedError::InvalidName);
    EXPECT_EQ(test.segment.construct<int>("", 1), nullptr);
    EXPECT_EQ(test.segment.find<int>(nullptr), nullptr);
    EXPECT_EQ(SharedSegment::lastError(), SharedError::InvalidName);
}

TEST(SharedRootsTest, refuseMoreThanTheMaximum)
{
    TestSegment test;
    for (std::size_t i = 0; i < SharedSegment::MaxRoots; ++i)
        ASSERT_NE(test.segment.construct<int>(std::to_string(i).c_str(), int(i)), nullptr);
    EXPECT_EQ(test.segment.construct<int>("one more", 1), nullptr);
    EXPECT_EQ(SharedSegment::lastError(), SharedError::RootsFull);
    EXPECT_SOUND(test.segment);
    EXPECT_TRUE(test.segment.destroy<int>("17"));
    EXPECT_NE(test.segment.construct<int>("one more", 1), nullptr);
    EXPECT_EQ(*test.segment.find<int>("63"), 63);
}

TEST(SharedRootsTest, areRefusedWithoutRoom)
{
    TestSegment test(SharedSegment::MinBytes);
    struct Large
    {
        char bytes[SharedSegment::MinBytes];
    };
    EXPECT_EQ(test.segment.construct<Large>("large"), nullptr);
    EXPECT_EQ(SharedSegment::lastError(), SharedError::SegmentFull);
    EXPECT_TRUE(test.segment.roots().empty());
    EXPECT_SOUND(test.segment);
}

} // namespace
