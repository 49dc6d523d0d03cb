// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Arenas whose threads have ended: adopted as a whole, or trimmed if no thread adopts them.

#include "cookie.h"
#include "models.h"
#include "rendezvous.h"

#include <vector>

using namespace QPool;

namespace {

template <class Model>
class OrphansTest : public ::testing::Test
{
};

using ArenaModels = ::testing::Types<MultiPool, MultiThreaded>;
TYPED_TEST_SUITE(OrphansTest, ArenaModels, ModelNames);

template <class Pool>
std::vector<ArenaStatistics> arenasOf()
{
    std::vector<ArenaStatistics> arenas;
    Pool::forEachArena([&](const ArenaStatistics &arena) { arenas.push_back(arena); });
    return arenas;
}

TYPED_TEST(OrphansTest, areAdoptedWhole)
{
    struct Tag;
    using Pool = QSizedPoolAllocator<TypeParam, TaggedPages<Tag>>;
    std::vector<void *> blocks;
    inOtherThread([&] {
        for (std::size_t i = 0; i < 5000; ++i) {
            const std::size_t size = i % 1000;
            blocks.push_back(Pool::allocate(size));
            Cookie::write(blocks.back(), size, i);
        }
    });
    auto arenas = arenasOf<Pool>();
    ASSERT_EQ(arenas.size(), 1u);
    EXPECT_TRUE(arenas[0].orphaned);
    EXPECT_EQ(arenas[0].adoptions, 0u);
    EXPECT_EQ(arenas[0].live, 5000u);
    const std::uint32_t id = arenas[0].id;
    const std::uint64_t firstOwner = arenas[0].thread;

    inOtherThread([&] {
        void *own = Pool::allocate(16);
        arenas = arenasOf<Pool>();
        ASSERT_EQ(arenas.size(), 1u);
        EXPECT_EQ(arenas[0].id, id);
        EXPECT_EQ(arenas[0].adoptions, 1u);
        EXPECT_FALSE(arenas[0].orphaned);
        EXPECT_EQ(arenas[0].live, 5001u);
        EXPECT_EQ(arenas[0].thread, Os::threadId());
        Pool::deallocate(own);
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            ASSERT_TRUE(Cookie::check(blocks[i], i % 1000, i));
            Pool::deallocate(blocks[i]);
        }
        EXPECT_EQ(arenasOf<Pool>()[0].live, 0u);
        EXPECT_EQ(arenasOf<Pool>()[0].backlog, 0u) << "the adopter's frees are its own";
    });
    EXPECT_NE(firstOwner, 0u);
    EXPECT_TRUE(arenasOf<Pool>()[0].orphaned);
    expectNothingLost<Pool>();
}

TYPED_TEST(OrphansTest, oneIsAdoptedAndTheOthersWait)
{
    struct Tag;
    using Pool = QPoolAllocator<24, TypeParam, TaggedPages<Tag>>;
    constexpr unsigned Threads = 4;
    Rendezvous all(Threads);
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < Threads; ++t) {
        threads.emplace_back([&] {
            void *chunk = Pool::allocate();
            all.wait();
            Pool::deallocate(chunk);
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    EXPECT_EQ(arenaTotals<Pool>().arenas, Threads);
    EXPECT_EQ(arenaTotals<Pool>().orphans, Threads);
    inOtherThread([&] {
        Pool::deallocate(Pool::allocate());
        EXPECT_EQ(arenaTotals<Pool>().orphans, Threads - 1);
        EXPECT_EQ(arenaTotals<Pool>().adoptions, 1u);
    });
    EXPECT_EQ(arenaTotals<Pool>().arenas, Threads);
    expectNothingLost<Pool>();
}

TYPED_TEST(OrphansTest, recycledThreadsShareOneArena)
{
    struct Tag;
    using Pool = QPoolAllocator<32, TypeParam, TaggedPages<Tag>>;
    for (unsigned i = 0; i < 300; ++i) {
        inOtherThread([] {
            for (int j = 0; j < 20; ++j)
                Pool::deallocate(Pool::allocate());
        });
        ASSERT_EQ(arenaTotals<Pool>().arenas, 1u);
        ASSERT_EQ(arenaTotals<Pool>().adoptions, i);
    }
    expectNothingLost<Pool>();
}

TYPED_TEST(OrphansTest, threadEndGivesEmptyPagesBack)
{
    struct Tag;
    using Pool = QPoolAllocator<40, TypeParam, TaggedPages<Tag>>;
    inOtherThread([] {
        std::vector<void *> chunks;
        for (int i = 0; i < 100000; ++i)
            chunks.push_back(Pool::allocate());
        for (void *chunk : chunks)
            Pool::deallocate(chunk);
    });
    EXPECT_EQ(arenaTotals<Pool>().pages, 0u);
}

TEST(OrphansBacklog, isTakenInBeforeTheAdoption)
{
    struct Tag;
    using Pool = QPoolAllocator<48, MultiThreaded, TaggedPages<Tag>>;
    std::vector<void *> chunks;
    inOtherThread([&] {
        for (int i = 0; i < 1000; ++i)
            chunks.push_back(Pool::allocate());
    });
    constexpr std::size_t few = 100;
    inOtherThread([&] {
        for (std::size_t i = 0; i < few; ++i)
            Pool::deallocate(chunks[i]);
    });
    EXPECT_EQ(arenaTotals<Pool>().backlog, 0u);
    const std::uint64_t pages = arenaTotals<Pool>().pages;
    inOtherThread([&] {
        for (std::size_t i = 0; i < few; ++i)
            chunks[i] = Pool::allocate();
        EXPECT_EQ(arenaTotals<Pool>().backlog, 0u);
        EXPECT_LE(arenaTotals<Pool>().pages, pages);
        for (void *chunk : chunks)
            Pool::deallocate(chunk);
    });
    expectNothingLost<Pool>();
}

TEST(OrphansBacklog, isTrimmedWhenNobodyAdopts)
{
    struct Tag;
    using Pool = QPoolAllocator<1024, MultiThreaded, TaggedPages<Tag>>;
    std::vector<void *> chunks;
    inOtherThread([&] {
        for (int i = 0; i < 20000; ++i)
            chunks.push_back(Pool::allocate());
    });
    ASSERT_GE(arenaTotals<Pool>().pages, 300u);
    inOtherThread([&] {
        for (void *chunk : chunks)
            Pool::deallocate(chunk);
        // Only by this thread's frees.
        EXPECT_LE(arenaTotals<Pool>().pages, 8u);
        Pool::flush();
        EXPECT_EQ(arenaTotals<Pool>().backlog, 0u);
        EXPECT_EQ(arenaTotals<Pool>().pages, 0u);
    });
}

// Orphaning while others push: a push that crosses it is found later.
TEST(OrphansBacklog, losesNoPushThatCrossesOrphaning)
{
    struct Tag;
    using Pool = QPoolAllocator<56, MultiThreaded, TaggedPages<Tag>>;
    for (int round = 0; round < 200; ++round) {
        std::vector<void *> chunks;
        Rendezvous ready(2);
        std::thread owner([&] {
            for (int i = 0; i < 200; ++i)
                chunks.push_back(Pool::allocate());
            ready.wait();
        });
        std::thread other([&] {
            ready.wait();
            for (void *chunk : chunks) {
                Pool::deallocate(chunk);
                Pool::flush();
            }
        });
        owner.join();
        other.join();
        ASSERT_EQ(Pool::statistics().live(), 0u);
        if (round % 10 == 0)
            expectNothingLost<Pool>();
    }
    expectNothingLost<Pool>();
}

} // namespace
