// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "pools/objects/qtypedpool.h"

#include "models.h"
#include "failingpages.h"
#include "rendezvous.h"
#include "testscale.h"

#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#if defined(__linux__)
#  include <sys/resource.h>
#endif

using namespace QPool;

namespace {

struct Point
{
    Point(int x, int y) : x(x), y(y) { ++alive; }
    ~Point() { --alive; }
    int x, y;
    static inline int alive = 0;
};

struct alignas(512) Wide
{
    char bytes[512];
};

struct Aggregate
{
    int number;
    std::string text;
};

struct Thrower
{
    explicit Thrower(bool throws)
    {
        if (throws)
            throw std::runtime_error("no");
    }
    std::string text = "a text too long for the object itself, so that it has a block";
};

class Secret
{
public:
    int value() const { return m_value; }

private:
    friend ObjectAccess;
    explicit Secret(int value) : m_value(value) { }
    ~Secret() = default;
    int m_value;
};

struct Huge
{
    explicit Huge(char c) { bytes[0] = bytes[sizeof(bytes) - 1] = c; }
    alignas(128) char bytes[100 * 1024];
};

template <class Model>
class TypedPoolTest : public ::testing::Test
{
protected:
    // A pool of each test's own.
    template <class T, class Tag>
    using Pool = TypedPool<T, Model, TaggedPages<Tag>>;
};

TYPED_TEST_SUITE(TypedPoolTest, AllModels, ModelNames);

TYPED_TEST(TypedPoolTest, createsAndDestroys)
{
    struct Tag;
    using Pool = typename TestFixture::template Pool<Point, Tag>;
    const int before = Point::alive;
    std::vector<Point *> points;
    for (int i = 0; i < 1000; ++i)
        points.push_back(Pool::create(i, -i));
    EXPECT_EQ(Point::alive, before + 1000);
    EXPECT_EQ(Pool::Chunks::statistics().live(), 1000u);
    for (int i = 0; i < 1000; ++i) {
        EXPECT_EQ(points[std::size_t(i)]->x, i);
        EXPECT_EQ(points[std::size_t(i)]->y, -i);
        Pool::destroy(points[std::size_t(i)]);
    }
    EXPECT_EQ(Point::alive, before);
    expectNothingLost<typename Pool::Chunks>();
}

TYPED_TEST(TypedPoolTest, alignsOverAlignedTypes)
{
    struct Tag;
    using Pool = typename TestFixture::template Pool<Wide, Tag>;
    std::vector<Wide *> wide;
    for (int i = 0; i < 300; ++i) {
        wide.push_back(Pool::create());
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(wide.back()) % alignof(Wide), 0u);
    }
    for (Wide *one : wide)
        Pool::destroy(one);
}

TYPED_TEST(TypedPoolTest, aConstructorThatThrowsLosesNothing)
{
    struct Tag;
    using Pool = typename TestFixture::template Pool<Thrower, Tag>;
    for (int i = 0; i < 1000; ++i) {
        EXPECT_THROW((void)Pool::create(true), std::runtime_error);
        EXPECT_THROW((void)Pool::tryCreate(true), std::runtime_error);
        EXPECT_THROW((void)Pool::makeUnique(true), std::runtime_error);
        EXPECT_THROW((void)Pool::makeShared(true), std::runtime_error);
    }
    EXPECT_EQ(Pool::Chunks::statistics().live(), 0u);
    // A chunk that was reserved is not lost, either.
    ASSERT_TRUE(Pool::reserve(1));
    EXPECT_THROW((void)Pool::create(true), std::runtime_error);
    Pool::unreserve();
    expectNothingLost<typename Pool::Chunks>();
}

TYPED_TEST(TypedPoolTest, reservedMemoryIsUsedFirst)
{
    struct Tag;
    using Pool = typename TestFixture::template Pool<Point, Tag>;
    constexpr std::size_t count = 50000;
    ASSERT_TRUE(Pool::reserve(count));
    EXPECT_EQ(Pool::reserved(), count);
    EXPECT_EQ(Point::alive, 0) << "reserve() constructs nothing";
    const auto allocated = Pool::Chunks::statistics().allocated;
    EXPECT_EQ(allocated, count);
    std::vector<Point *> points;
    for (std::size_t i = 0; i < count; ++i)
        points.push_back(Pool::create(1, 2));
    EXPECT_EQ(Pool::reserved(), 0u);
    EXPECT_EQ(Pool::Chunks::statistics().allocated, allocated) << "not from the reserve";
    points.push_back(Pool::create(3, 4));
    EXPECT_EQ(Pool::Chunks::statistics().allocated, allocated + 1);
    for (Point *point : points)
        Pool::destroy(point);
    // Existing memory is taken into account.
    ASSERT_TRUE(Pool::reserve(10));
    ASSERT_TRUE(Pool::reserve(4));
    EXPECT_EQ(Pool::reserved(), 10u);
    ASSERT_TRUE(Pool::reserve(20));
    EXPECT_EQ(Pool::reserved(), 20u);
    EXPECT_EQ(Pool::Chunks::statistics().live(), 20u);
    Pool::unreserve();
    EXPECT_EQ(Pool::reserved(), 0u);
    expectNothingLost<typename Pool::Chunks>();
}

TYPED_TEST(TypedPoolTest, memoryThatCannotBeReservedIsNotLost)
{
    struct Tag;
    using Source = FailingPages<TaggedPages<Tag>>;
    using Pool = TypedPool<Point, TypeParam, Source>;
    Source::setBudget(8);
    EXPECT_FALSE(Pool::reserve(1000000));
    const std::size_t got = Pool::reserved();
    EXPECT_GT(got, 0u);
    EXPECT_LT(got, 1000000u);
    // And those can still be had.
    std::vector<Point *> points;
    while (Pool::reserved() > 0)
        points.push_back(Pool::create(0, 0));
    EXPECT_EQ(points.size(), got);
    EXPECT_EQ(Pool::tryCreate(0, 0), nullptr);
    Source::setBudget(INT64_MAX);
    for (Point *point : points)
        Pool::destroy(point);
    expectNothingLost<typename Pool::Chunks>();
}

TEST(TypedPoolTypes, aggregatesTakeTheirMembers)
{
    using Pool = TypedPool<Aggregate>;
    const auto object = Pool::makeUnique(7, "seven");
    EXPECT_EQ(object->number, 7);
    EXPECT_EQ(object->text, "seven");
    EXPECT_EQ(Pool::makeShared(8, "eight")->text, "eight");
}

TEST(TypedPoolTypes, aggregatesWithoutValuesNeedNoBraces)
{
    struct Shared : std::enable_shared_from_this<Shared> // whose destructor is protected
    {
        int number = 1;
    };
    struct Wheel
    {
        explicit Wheel(int size = 4) : size(size) { }
        int size;
    };
    struct Car
    {
        Wheel wheel;
    };
    EXPECT_EQ(TypedPool<Shared>::makeShared()->shared_from_this()->number, 1);
    EXPECT_EQ(TypedPool<Car>::makeUnique()->wheel.size, 4);
}

TEST(TypedPoolTypes, aFriendMayHavePrivateConstructors)
{
    using Pool = TypedPool<Secret>;
    EXPECT_EQ(Pool::makeUnique(3)->value(), 3);
    EXPECT_EQ(Pool::makeShared(4)->value(), 4);
    Secret *secret = Pool::create(5);
    EXPECT_EQ(secret->value(), 5);
    Pool::destroy(secret);
}

TEST(TypedPoolTypes, nullIsLeftAlone)
{
    TypedPool<Point>::destroy(nullptr);
    TypedPool<Huge>::destroy(nullptr);
}

TEST(TypedPoolTypes, uniquePointersAreAsLargeAsPlainOnes)
{
    using Pool = TypedPool<Point>;
    static_assert(sizeof(Pool::UniquePtr) == sizeof(Point *));
    const int before = Point::alive;
    {
        auto point = Pool::makeUnique(1, 2);
        EXPECT_EQ(Point::alive, before + 1);
    }
    EXPECT_EQ(Point::alive, before);
}

// A type that is incomplete where it names its own pool's pointer.
struct Node
{
    explicit Node(Node *following) : next(following) { ++alive; }
    ~Node() { --alive; }
    std::unique_ptr<Node, QPool::TypedPoolDeleter<Node>> next;
    static inline int alive = 0;
};

TEST(TypedPoolTypes, objectsOwnOthersOfTheirType)
{
    using Pool = TypedPool<Node>;
    static_assert(std::is_same_v<decltype(Node::next), Pool::UniquePtr>);
    {
        const Pool::UniquePtr list = Pool::makeUnique(Pool::create(nullptr));
        EXPECT_EQ(Node::alive, 2);
    }
    EXPECT_EQ(Node::alive, 0);
}

TEST(TypedPoolTypes, objectsLargerThanAPageAreServed)
{
    using Pool = TypedPool<Huge>;
    ASSERT_TRUE(Pool::reserve(2));
    auto huge = Pool::makeUnique('h');
    EXPECT_EQ(Pool::reserved(), 1u);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(huge.get()) % alignof(Huge), 0u);
    EXPECT_EQ(huge->bytes[sizeof(huge->bytes) - 1], 'h');
    Pool::unreserve();
}

// The program's new-handler is asked, as operator new asks it.
struct BufferTag;
using Buffer = StaticPages<2 * 9000, BufferTag, 8192>;
bool s_handlerCalled = false;

TEST(TypedPoolTypes, createThrowsWhenMemoryIsOut)
{
    using Pool = TypedPool<Point, SingleThreaded, Buffer>;
    std::vector<Point *> points;
    while (Point *point = Pool::tryCreate(1, 1))
        points.push_back(point);
    EXPECT_GE(points.size(), 8192 / sizeof(Point));
    EXPECT_THROW((void)Pool::create(1, 1), std::bad_alloc);
    EXPECT_THROW((void)Pool::makeUnique(1, 1), std::bad_alloc);
    const std::new_handler old = std::set_new_handler([] {
        s_handlerCalled = true;
        std::set_new_handler(nullptr);
    });
    EXPECT_THROW((void)Pool::create(1, 1), std::bad_alloc);
    std::set_new_handler(old);
    EXPECT_TRUE(s_handlerCalled);
    for (Point *point : points)
        Pool::destroy(point);
    EXPECT_EQ(Pool::Chunks::statistics().live(), 0u);
}

TEST(TypedPoolThreads, anyThreadDestroys)
{
    struct Tag;
    using Pool = TypedPool<std::string, MultiThreaded, TaggedPages<Tag>>;
    std::vector<std::string *> texts;
    for (int i = 0; i < 1000; ++i)
        texts.push_back(Pool::create(100, 'x'));
    inOtherThread([&] {
        for (std::string *text : texts)
            Pool::destroy(text);
    });
    expectNothingLost<Pool::Chunks>();
}

TEST(TypedPoolThreads, whatAThreadReservedGoesBackWhenItEnds)
{
    struct Tag;
    using Pool = TypedPool<std::string, MultiThreaded, TaggedPages<Tag>>;
    inOtherThread([] {
        ASSERT_TRUE(Pool::reserve(1000));
        EXPECT_EQ(Pool::Chunks::statistics().live(), 1000u);
    });
    EXPECT_EQ(Pool::reserved(), 0u) << "a reserve is its thread's";
    expectNothingLost<Pool::Chunks>();
}

#if defined(__linux__)
long pageFaults()
{
    rusage usage {};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt + usage.ru_majflt;
}

TEST(TypedPoolMemory, reservedMemoryHasBeenTouched)
{
    if (!TestScale::ownsAddressSpace)
        GTEST_SKIP() << "the tool's own memory causes faults, too";
    struct Tag;
    // Of several pages of the system's each: all of them, and not only where a list is kept.
    struct Large
    {
        char bytes[16 * 1024];
    };
    using Pool = TypedPool<Large, MultiThreaded, TaggedPages<Tag>>;
    constexpr std::size_t count = 600; // 2400 pages of 4 KiB
    std::vector<Large *> large(count, nullptr);
    const long before = pageFaults();
    ASSERT_TRUE(Pool::reserve(count));
    const long reserving = pageFaults() - before;
    for (Large *&one : large)
        one = Pool::create(); // which clears it
    const long creating = pageFaults() - before - reserving;
    // Huge pages may make it few.
    EXPECT_LE(creating * 20, reserving + 20) << reserving << " faults while reserving";
    for (Large *one : large)
        Pool::destroy(one);
}
#endif

} // namespace
