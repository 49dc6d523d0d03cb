// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Arenas that no thread serves, because their thread sleeps or has ended: what others free to them,
// and their free memory.

#include "childprocess.h"
#include "cookie.h"
#include "models.h"
#include "rendezvous.h"
#include "testscale.h"

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

using namespace QPool;

namespace {

// A thread that allocates, prepares to sleep, and sleeps until it is woken.
template <class Pool>
class Sleeper
{
public:
    Sleeper(std::size_t count, void (*makeReady)())
        : m_thread([this, count, makeReady] {
            for (std::size_t i = 0; i < count; ++i)
                chunks.push_back(Pool::allocate());
            makeReady();
            m_meeting.wait();
            m_meeting.wait();
            awake();
        })
    {
        m_meeting.wait();
    }

    template <class Body>
    void wake(Body &&body)
    {
        awake = std::forward<Body>(body);
        m_meeting.wait();
        m_thread.join();
    }

    std::vector<void *> chunks;

private:
    std::function<void()> awake = [] { };
    Rendezvous m_meeting { 2 };
    std::thread m_thread;
};

template <class Pool>
void freeAll(std::vector<void *> &chunks)
{
    for (void *chunk : chunks)
        Pool::deallocate(chunk);
    chunks.clear();
    Pool::flush();
}

TEST(Parking, pagesOfASleeperGoBack)
{
    struct Tag;
    using Pool = QPoolAllocator<64, MultiThreaded, TaggedPages<Tag>>;
    using Function = void (*)();
    for (Function ready : { Function([] { Pool::idle(); }), Function(&Pool::park) }) {
        Sleeper<Pool> sleeper(100000, ready);
        const std::uint64_t pages = arenaTotals<Pool>().pages;
        EXPECT_GE(pages, 97u);
        inOtherThread([&] { freeAll<Pool>(sleeper.chunks); });
        EXPECT_EQ(Pool::statistics().live(), 0u);
        // The limit of what may wait for the owner: 64 KiB, and a batch.
        EXPECT_LE(arenaTotals<Pool>().backlog, 68 * 1024 / 64u);
        EXPECT_LE(arenaTotals<Pool>().pages, 8u) << "of which an arena keeps four empty";
        expectNothingLost<Pool>(); // trim() reaches it, asleep
        sleeper.wake([] {
            void *chunk = Pool::allocate();
            EXPECT_EQ(Pool::statistics().live(), 1u);
            Pool::deallocate(chunk);
        });
        expectNothingLost<Pool>();
    }
}

// Chunks that a thread frees first after it wakes are its own, and must not go through its remote
// cache.
TEST(Parking, freesAfterWakingStayLocal)
{
    struct Tag;
    using Pool = QSizedPoolAllocator<MultiThreaded, TaggedPages<Tag>>;
    inOtherThread([] {
        void *block = Pool::allocate(40);
        Pool::idle();
        Pool::deallocate(block, 40);
        EXPECT_EQ(arenaTotals<Pool>().backlog, 0u);
        EXPECT_EQ(arenaTotals<Pool>().live, 0u);
        Pool::idle();
        Pool::trim();
        EXPECT_EQ(arenaTotals<Pool>().pages, 0u);
        EXPECT_EQ(arenaTotals<Pool>().arenas, 1u);
    });
    expectNothingLost<Pool>();
}

// Owners that sleep and wake while others free their chunks, and trim.
TEST(Parking, losesNothingWhileOthersFree)
{
    struct Tag;
    using Pool = QPoolAllocator<48, MultiThreaded, TaggedPages<Tag>>;
    constexpr std::size_t Slots = 256;
    static std::atomic<void *> slots[Slots];
    const std::uint64_t rounds = TestScale::scaled(200000);
    std::atomic<bool> spoilt { false };
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            for (std::uint64_t i = 0; i < rounds; ++i) {
                void *chunk = Pool::allocate();
                Cookie::write(chunk, 48, 7);
                chunk = slots[(i * 13 + t * 31) % Slots].exchange(chunk);
                if (chunk && !Cookie::check(chunk, 48, 7))
                    spoilt = true;
                Pool::deallocate(chunk);
                if (i % 32 == t)
                    Pool::idle();
                if (i % 1024 == t)
                    Pool::trim();
            }
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    EXPECT_FALSE(spoilt);
    for (std::atomic<void *> &slot : slots)
        Pool::deallocate(slot.exchange(nullptr));
    Pool::flush();
    expectNothingLost<Pool>();
}

// The thread that forks was asleep, and so are others; a child uses its own arena, and takes in
// what it frees to the arenas of threads that it does not have.
TEST(Parking, aForkedChildWorksBesideParkedArenas)
{
    struct Tag;
    using Pool = QPoolAllocator<80, MultiThreaded, TaggedPages<Tag>>;
    Sleeper<Pool> sleeper(10000, [] { Pool::idle(); });
    std::atomic<bool> stop { false };
    std::thread trimmer([&] {
        while (!stop)
            Pool::trim();
    });
    void *own = Pool::allocate();
    const std::uint64_t forks = TestScale::scaled(50);
    for (std::uint64_t i = 0; i < forks; ++i) {
        Pool::idle();
        EXPECT_EQ(exitCodeOfChild([&] {
            Pool::deallocate(own);
            for (void *chunk : sleeper.chunks)
                Pool::deallocate(chunk);
            for (int j = 0; j < 1000; ++j) {
                if (!Pool::allocate())
                    return 1;
            }
            Pool::idle();
            Pool::trim();
            return 0;
        }), 0);
    }
    stop = true;
    trimmer.join();
    Pool::deallocate(own);
    inOtherThread([&] { freeAll<Pool>(sleeper.chunks); });
    sleeper.wake([] { });
    expectNothingLost<Pool>();
}

// A thread that grows takes orphans' free chunks before pages, and the statistics stay exact.
TEST(Borrowing, servesBeforeNewPages)
{
    struct Tag;
    using Pool = QPoolAllocator<64, MultiThreaded, TaggedPages<Tag>>;
    constexpr std::size_t perThread = 50 * 1024;
    std::vector<void *> kept;
    {
        std::vector<std::unique_ptr<Sleeper<Pool>>> sleepers;
        for (int t = 0; t < 4; ++t)
            sleepers.push_back(std::make_unique<Sleeper<Pool>>(perThread, &Pool::flush));
        for (auto &sleeper : sleepers) {
            sleeper->wake([&] {
                std::vector<void *> &chunks = sleeper->chunks;
                for (std::size_t i = 0; i < chunks.size(); ++i) {
                    if (i % 64 == 0)
                        kept.push_back(chunks[i]);
                    else
                        Pool::deallocate(chunks[i]);
                }
            });
        }
    }
    const std::uint64_t pages = arenaTotals<Pool>().pages;
    EXPECT_EQ(Pool::statistics().live(), kept.size());
    EXPECT_EQ(arenaTotals<Pool>().orphans, 4u);
    std::vector<void *> more;
    inOtherThread([&] {
        for (std::size_t i = 0; i < 4 * perThread * 9 / 10; ++i) {
            more.push_back(Pool::allocate());
            Cookie::write(more.back(), 64, i);
        }
        EXPECT_EQ(Pool::statistics().live(), kept.size() + more.size());
        EXPECT_LE(arenaTotals<Pool>().pages, pages + 8);
        for (std::size_t i = 0; i < more.size(); ++i)
            EXPECT_TRUE(Cookie::check(more[i], 64, i));
        freeAll<Pool>(more);
        EXPECT_EQ(Pool::statistics().live(), kept.size());
        Pool::idle();
        freeAll<Pool>(kept);
    });
    EXPECT_EQ(Pool::statistics().live(), 0u);
    expectNothingLost<Pool>();
}

// A little is freed to each of many orphans, and none keeps a page for it.
TEST(Orphans, takeInWhatIsFreedAtOnce)
{
    struct Tag;
    using Pool = QPoolAllocator<128, MultiThreaded, TaggedPages<Tag>>;
    constexpr std::size_t Orphans = 20;
    std::vector<std::unique_ptr<Sleeper<Pool>>> sleepers;
    std::vector<void *> chunks;
    for (std::size_t t = 0; t < Orphans; ++t)
        sleepers.push_back(std::make_unique<Sleeper<Pool>>(10, &Pool::flush));
    for (auto &sleeper : sleepers) {
        sleeper->wake([] { });
        chunks.insert(chunks.end(), sleeper->chunks.begin(), sleeper->chunks.end());
    }
    freeAll<Pool>(chunks);
    EXPECT_EQ(arenaTotals<Pool>().backlog, 0u);
    EXPECT_EQ(arenaTotals<Pool>().pages, 0u);
}

} // namespace
