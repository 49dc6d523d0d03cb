// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Chunks freed by threads that do not own them.

#include "models.h"
#include "rendezvous.h"
#include "testscale.h"

#include <vector>

using namespace QPool;

namespace {

template <std::size_t Size>
class RemoteFrees
{
public:
    struct Tag;
    using Pool = QPoolAllocator<Size, MultiThreaded, TaggedPages<Tag>>;

    explicit RemoteFrees(std::size_t count)
    {
        for (std::size_t i = 0; i < count; ++i)
            chunks.push_back(Pool::allocate());
    }

    ~RemoteFrees()
    {
        for (void *chunk : chunks)
            Pool::deallocate(chunk);
        expectNothingLost<Pool>();
    }

    void freeOne()
    {
        Pool::deallocate(chunks.back());
        chunks.pop_back();
    }

    static std::uint64_t arrived() { return Pool::statistics().remote; }

    std::vector<void *> chunks;
};

TEST(RemoteFreesTest, goHomeSixtyFourAtATime)
{
    RemoteFrees<24> frees(1000);
    inOtherThread([&] {
        for (unsigned i = 1; i <= 640; ++i) {
            frees.freeOne();
            ASSERT_EQ(frees.arrived(), i / RemoteCache::BatchChunks * RemoteCache::BatchChunks);
        }
    });
    EXPECT_EQ(arenaTotals<RemoteFrees<24>::Pool>().backlog, 640u);
}

TEST(RemoteFreesTest, goHomeFourKibibytesAtATime)
{
    RemoteFrees<520> frees(1000);
    inOtherThread([&] {
        for (unsigned i = 1; i <= 64; ++i) {
            frees.freeOne();
            ASSERT_EQ(frees.arrived(), i / 8 * 8);
        }
    });
}

TEST(RemoteFreesTest, flushSendsTheRest)
{
    using Pool = RemoteFrees<32>::Pool;
    RemoteFrees<32> frees(100);
    inOtherThread([&] {
        for (int i = 0; i < 10; ++i)
            frees.freeOne();
        EXPECT_EQ(frees.arrived(), 0u);
        Pool::flush();
        EXPECT_EQ(frees.arrived(), 10u);
        frees.freeOne();
        Pool::idle();
        EXPECT_EQ(frees.arrived(), 11u);
        frees.freeOne();
        Pool::trim();
        EXPECT_EQ(frees.arrived(), 12u);
    });
}

TEST(RemoteFreesTest, aThreadsEndSendsTheRest)
{
    RemoteFrees<40> frees(100);
    inOtherThread([&] { frees.freeOne(); });
    EXPECT_EQ(frees.arrived(), 1u);
    for (int i = 2; i < 10; ++i) {
        inOtherThread([&] { frees.freeOne(); });
        EXPECT_EQ(frees.arrived(), std::uint64_t(i));
    }
}

// A GUI thread that receives a worker's events.
TEST(RemoteFreesTest, aThreadThatOnlyFreesOwnsNoArena)
{
    using Pool = RemoteFrees<48>::Pool;
    RemoteFrees<48> frees(10000);
    const unsigned arenas = arenaTotals<Pool>().arenas;
    for (int i = 0; i < 5; ++i) {
        inOtherThread([&] {
            for (int j = 0; j < 1000; ++j)
                frees.freeOne();
            EXPECT_EQ(arenaTotals<Pool>().arenas, arenas);
            Pool::idle();
            Pool::trim();
            EXPECT_EQ(arenaTotals<Pool>().arenas, arenas);
        });
    }
    EXPECT_EQ(arenaTotals<Pool>().arenas, arenas);
    EXPECT_EQ(arenaTotals<Pool>().orphans, 0u);
}

TEST(RemoteFreesTest, holdBackNoMoreThanStated)
{
    struct Tag;
    using Pool = QSizedPoolAllocator<MultiThreaded, TaggedPages<Tag>>;
    std::vector<std::pair<void *, std::size_t>> blocks;
    for (std::size_t i = 0; i < 20000; ++i) {
        const std::size_t size = 1 + (i * 61) % 1024;
        blocks.emplace_back(Pool::allocate(size), size);
    }
    const std::uint64_t all = arenaTotals<Pool>().liveBytes;
    inOtherThread([&] {
        std::uint64_t freed = 0;
        for (const auto &[block, size] : blocks) {
            Pool::deallocate(block, size);
            freed += SizeClasses::sizeOf(SizeClasses::indexOf(size));
            // Chunks that are not yet counted as freed are in the remote cache.
            const std::uint64_t held = arenaTotals<Pool>().liveBytes - (all - freed);
            ASSERT_LE(held, RemoteCache::MostBytes);
        }
    });
    EXPECT_EQ(arenaTotals<Pool>().live, 0u) << "nothing is held back past the end";
    expectNothingLost<Pool>();
}

TEST(RemoteFreesTest, idleTakesThemIn)
{
    using Pool = RemoteFrees<56>::Pool;
    RemoteFrees<56> frees(5000);
    inOtherThread([&] {
        while (frees.chunks.size() > 100)
            frees.freeOne();
    });
    EXPECT_EQ(arenaTotals<Pool>().backlog, 4900u);
    Pool::idle();
    EXPECT_EQ(arenaTotals<Pool>().backlog, 0u);
    EXPECT_EQ(Pool::statistics().live(), 100u);
}

// There is no room in a magazine for all of them.
TEST(RemoteFreesTest, idleTakesInWhatAnAllocationLeft)
{
    using Pool = RemoteFrees<80>::Pool;
    RemoteFrees<80> frees(5000);
    inOtherThread([&] {
        while (frees.chunks.size() > 1000)
            frees.freeOne();
    });
    while (arenaTotals<Pool>().backlog == 4000)
        frees.chunks.push_back(Pool::allocate());
    EXPECT_GT(arenaTotals<Pool>().backlog, 0u);
    Pool::idle();
    EXPECT_EQ(arenaTotals<Pool>().backlog, 0u);
    EXPECT_EQ(Pool::statistics().live(), frees.chunks.size());
}

TEST(RemoteFreesTest, allocationTakesThemInBeforeItAsksForPages)
{
    using Pool = RemoteFrees<64>::Pool;
    RemoteFrees<64> frees(50000);
    const std::uint64_t pages = arenaTotals<Pool>().pages;
    for (int round = 0; round < 5; ++round) {
        inOtherThread([&] {
            while (!frees.chunks.empty())
                frees.freeOne();
        });
        for (int i = 0; i < 50000; ++i)
            frees.chunks.push_back(Pool::allocate());
        EXPECT_LE(arenaTotals<Pool>().pages, pages + 1);
    }
}

// The remote cache may hold chunks of an arena that its own thread then adopts.
TEST(RemoteFreesTest, reachAnArenaAdoptedMeanwhile)
{
    struct Tag;
    using Pool = QPoolAllocator<72, MultiThreaded, TaggedPages<Tag>>;
    std::vector<void *> chunks;
    inOtherThread([&] {
        for (int i = 0; i < 200; ++i)
            chunks.push_back(Pool::allocate());
    });
    inOtherThread([&] {
        for (int i = 0; i < 100; ++i)
            Pool::deallocate(chunks[std::size_t(i)]);
        void *own = Pool::allocate();
        EXPECT_EQ(arenaTotals<Pool>().arenas, 1u);
        for (int i = 100; i < 200; ++i)
            Pool::deallocate(chunks[std::size_t(i)]);
        Pool::deallocate(own);
        Pool::flush();
        Pool::trim();
        EXPECT_EQ(Pool::statistics().live(), 0u);
        EXPECT_EQ(arenaTotals<Pool>().pages, 0u);
    });
}

// Statistics are read by others while all is in motion; they need not be exact, but sane.
TEST(RemoteFreesTest, statisticsMayBeReadAtAnyTime)
{
    struct Tag;
    using Pool = QSizedPoolAllocator<MultiThreaded, TaggedPages<Tag>>;
    std::atomic<bool> done { false };
    std::thread reader([&] {
        while (!done.load()) {
            const ArenaTotals totals = arenaTotals<Pool>();
            EXPECT_LE(totals.arenas, 4u);
            EXPECT_LE(totals.live, 1000000u);
            EXPECT_FALSE(Pool::sourceContains(&totals));
        }
    });
    std::vector<std::thread> writers;
    for (int t = 0; t < 2; ++t) {
        writers.emplace_back([] {
            const std::uint64_t rounds = TestScale::scaled(300);
            for (std::uint64_t round = 0; round < rounds; ++round) {
                std::vector<void *> blocks;
                for (std::size_t i = 0; i < 1000; ++i)
                    blocks.push_back(Pool::allocate(i));
                inOtherThread([&] {
                    for (std::size_t i = 0; i < 500; ++i)
                        Pool::deallocate(blocks[i]);
                });
                for (std::size_t i = 500; i < 1000; ++i)
                    Pool::deallocate(blocks[i]);
                Pool::idle();
            }
        });
    }
    for (std::thread &writer : writers)
        writer.join();
    done = true;
    reader.join();
    expectNothingLost<Pool>();
}

} // namespace
