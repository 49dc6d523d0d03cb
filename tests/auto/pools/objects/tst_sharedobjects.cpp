// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// makeShared(): object and counters in one chunk, counted.

#include "pools/objects/qtypedpool.h"

#include "models.h"

#include <atomic>
#include <cstdlib>
#include <new>
#include <utility>

// Whatever does not come from a pool is counted here.
static std::atomic<int> s_newCalls { 0 };

#if defined(__clang__) && (defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__))
#  include <sanitizer/allocator_interface.h>
// Clang links all of the sanitizer into the program, its operators too, which cannot be defined twice.
static const int s_hooks = __sanitizer_install_malloc_and_free_hooks(
        [](const volatile void *, std::size_t) { s_newCalls.fetch_add(1, std::memory_order_relaxed); },
        [](const volatile void *) { });
#else
// Not inlined: GCC would see malloc()'s block go to the operator, or the operator's to free(), and warn.
QPOOL_NEVER_INLINE void *operator new(std::size_t size)
{
    s_newCalls.fetch_add(1, std::memory_order_relaxed);
    if (void *block = std::malloc(size ? size : 1))
        return block;
    throw std::bad_alloc();
}
QPOOL_NEVER_INLINE void operator delete(void *block) noexcept { std::free(block); }
QPOOL_NEVER_INLINE void operator delete(void *block, std::size_t) noexcept
{
    std::free(block);
}
#endif

using namespace QPool;

namespace {

struct Session
{
    explicit Session(int id) : id(id) { ++alive; }
    ~Session() { --alive; }
    int id;
    char room[36];
    static inline int alive = 0;
};

struct Tag;
using Pages = TaggedPages<Tag>;
using Pool = TypedPool<Session, MultiThreaded, Pages>;

// In use in pools of any size that the object and its counters could have.
template <std::size_t... Steps>
std::uint64_t chunksInUse(std::index_sequence<Steps...>)
{
    return (QPoolAllocator<sizeof(void *) * (Steps + 1), MultiThreaded, Pages>::statistics().live() + ...);
}
std::uint64_t chunksInUse() { return chunksInUse(std::make_index_sequence<192 / sizeof(void *)>()); }

TEST(SharedObjectsTest, objectAndCountersAreOneChunk)
{
    (void)Pool::makeShared(0); // what is done once
    ASSERT_EQ(chunksInUse(), 0u);
    const int before = s_newCalls;
    auto session = Pool::makeShared(7);
    const int calls = s_newCalls - before;
    EXPECT_EQ(chunksInUse(), 1u);
    EXPECT_EQ(calls, 0) << "something is not from the pool";
    EXPECT_EQ(session->id, 7);
    EXPECT_EQ(Session::alive, 1);

    auto other = session;
    EXPECT_EQ(chunksInUse(), 1u);
    session.reset();
    EXPECT_EQ(Session::alive, 1);
    other.reset();
    EXPECT_EQ(Session::alive, 0);
    EXPECT_EQ(chunksInUse(), 0u);
}

TEST(SharedObjectsTest, aWeakPointerKeepsTheChunkAndNotTheObject)
{
    std::weak_ptr<Session> weak;
    {
        auto session = Pool::makeShared(1);
        weak = session;
        EXPECT_EQ(weak.lock()->id, 1);
    }
    EXPECT_EQ(Session::alive, 0);
    EXPECT_TRUE(weak.expired());
    EXPECT_EQ(chunksInUse(), 1u);
    weak.reset();
    EXPECT_EQ(chunksInUse(), 0u);
}

// For comparison, the other way: the counters for a unique pointer's object are in a separate block.
TEST(SharedObjectsTest, sharingAUniqueObjectTakesASecondBlock)
{
    auto unique = Pool::makeUnique(1);
    EXPECT_EQ(chunksInUse(), 1u);
    const int before = s_newCalls;
    const std::shared_ptr<Session> shared(std::move(unique));
    EXPECT_EQ(s_newCalls - before, 1);
}

} // namespace
