// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Large chunks, whose pages belong to arenas that all threads share.

#include "childprocess.h"
#include "cookie.h"
#include "failingpages.h"
#include "models.h"
#include "rendezvous.h"
#include "testscale.h"

#include "pool/qpoolfront.h"

#include <atomic>
#include <vector>

using namespace QPool;

namespace {

// A class that is not shared may be larger than one that is.
struct Sizes
{
    static constexpr unsigned BinCount = 4;
    static constexpr unsigned FirstShared = 2;
    static constexpr std::size_t chunkSize(unsigned bin)
    {
        constexpr std::size_t sizes[] = { 64, 4096, 2048, 8192 };
        return sizes[bin];
    }
    static bool isDisabled() { return false; }
};

constexpr unsigned Large = 2;
constexpr unsigned Larger = 3;
constexpr unsigned Threads = 8;

template <class Tag>
using PoolOf = PoolFront<Sizes, MultiThreaded, TaggedPages<Tag>>;

template <class Pool>
std::uint32_t pagesOf()
{
    std::uint32_t pages = 0;
    Pool::forEachArena([&](const ArenaStatistics &arena) { pages += arena.pages; });
    return pages;
}

// As a thread does: for as long as idle() says.
template <class Pool>
void sleepUntilNothingIsLeft()
{
    for (int left = Pool::idle(); left >= 0; left = Pool::idle())
        std::this_thread::sleep_for(std::chrono::milliseconds(left));
}

template <class Work>
void inThreads(Work work)
{
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < Threads; ++i)
        threads.emplace_back(work, i);
    for (std::thread &thread : threads)
        thread.join();
}

// At level 2 each thread has the chunks for itself.
constexpr bool areShared = hardening != 2;

TEST(SharedArenasTest, threadsUseThePagesOfOthers)
{
    struct Tag;
    using Pool = PoolOf<Tag>;
    Rendezvous turns(Threads);
    inThreads([&](unsigned number) {
        for (unsigned turn = 0; turn < Threads; ++turn) {
            if (turn == number) {
                void *chunk = Pool::allocate(Larger);
                Cookie::write(chunk, Sizes::chunkSize(Larger), number);
                EXPECT_TRUE(Cookie::check(chunk, Sizes::chunkSize(Larger), number));
                Pool::deallocate(chunk);
                Pool::trim();
            }
            turns.wait();
        }
        if (number == 0)
            EXPECT_LE(pagesOf<Pool>(), areShared ? 1u : Threads);
    });
}

TEST(SharedArenasTest, whatOneThreadFreesAnotherAllocates)
{
    struct Tag;
    using Pool = PoolOf<Tag>;
    constexpr unsigned rounds = 200;
    constexpr unsigned chunks = 20;
    std::vector<void *> handed(chunks);
    Rendezvous turns(2);
    std::uint32_t most = 0;
    std::thread consumer([&] {
        for (unsigned round = 0; round < rounds; ++round) {
            turns.wait();
            for (unsigned i = 0; i < chunks; ++i) {
                EXPECT_TRUE(Cookie::check(handed[i], Sizes::chunkSize(Larger), round * chunks + i));
                Pool::deallocate(handed[i]);
            }
            turns.wait();
        }
    });
    for (unsigned round = 0; round < rounds; ++round) {
        for (unsigned i = 0; i < chunks; ++i) {
            handed[i] = Pool::allocate(Larger);
            Cookie::write(handed[i], Sizes::chunkSize(Larger), round * chunks + i);
        }
        turns.wait();
        turns.wait();
        const BinStatistics statistics = Pool::statistics(Larger);
        EXPECT_EQ(statistics.allocated, (round + 1) * chunks);
        most = std::max(most, pagesOf<Pool>());
    }
    consumer.join();
    Pool::trim();
    const BinStatistics statistics = Pool::statistics(Larger);
    EXPECT_EQ(statistics.live(), 0u);
    EXPECT_EQ(statistics.freed, rounds * chunks);
    EXPECT_LE(most, 12u); // three for the chunks, and what the magazines hold
    EXPECT_EQ(pagesOf<Pool>(), 0u);
}

TEST(SharedArenasTest, statisticsAreExactWhoeverFrees)
{
    struct Tag;
    using Pool = PoolOf<Tag>;
    std::vector<void *> chunks(100);
    for (void *&chunk : chunks)
        chunk = Pool::allocate(Large);
    EXPECT_EQ(Pool::statistics(Large).live(), 100u);
    inOtherThread([&] {
        for (unsigned i = 0; i < 60; ++i)
            Pool::deallocate(chunks[i]);
        Pool::flush();
        EXPECT_EQ(Pool::statistics(Large).live(), 40u);
        void *own = Pool::allocate(Large);
        EXPECT_EQ(Pool::statistics(Large).live(), 41u);
        EXPECT_EQ(Pool::statistics(Large).allocated, 101u);
        Pool::deallocate(own);
    });
    for (unsigned i = 60; i < 100; ++i)
        Pool::deallocate(chunks[i]);
    Pool::flush();
    const BinStatistics statistics = Pool::statistics(Large);
    EXPECT_EQ(statistics.live(), 0u);
    EXPECT_EQ(statistics.allocated, 101u);
    EXPECT_EQ(statistics.freed, 101u);
}

TEST(SharedArenasTest, threadsThatEndKeepNothing)
{
    struct Tag;
    using Pool = PoolOf<Tag>;
    inThreads([](unsigned) {
        std::vector<void *> chunks(200);
        for (void *&chunk : chunks)
            chunk = Pool::allocate(Large);
        for (void *chunk : chunks)
            Pool::deallocate(chunk);
    });
    Pool::trim();
    EXPECT_EQ(Pool::statistics(Large).live(), 0u);
    EXPECT_EQ(pagesOf<Pool>(), 0u);
}

TEST(SharedArenasTest, idleGivesBackWhatTheyHold)
{
    struct Tag;
    using Pool = PoolOf<Tag>;
    std::vector<void *> chunks(200);
    for (void *&chunk : chunks)
        chunk = Pool::allocate(Larger);
    inOtherThread([&] {
        for (void *chunk : chunks)
            Pool::deallocate(chunk);
    });
    sleepUntilNothingIsLeft<Pool>();
    EXPECT_EQ(pagesOf<Pool>(), 0u);
}

TEST(SharedArenasTest, idleGivesBackWhatItsThreadHolds)
{
    struct Tag;
    using Pool = PoolOf<Tag>;
    void *chunks[3];
    for (void *&chunk : chunks)
        chunk = Pool::allocate(Larger);
    for (void *chunk : chunks)
        Pool::deallocate(chunk);
    sleepUntilNothingIsLeft<Pool>();
    EXPECT_EQ(pagesOf<Pool>(), 0u);
}

// One live chunk in each page is freed by a thread that has no arena.
TEST(SharedArenasTest, idleGivesBackWhatThreadsWithoutArenasFreed)
{
    struct Tag;
    using Pool = PoolOf<Tag>;
    std::vector<void *> kept;
    inOtherThread([&] {
        std::vector<void *> chunks(1000);
        for (void *&chunk : chunks)
            chunk = Pool::allocate(Large);
        for (std::size_t i = 0; i < chunks.size(); ++i) {
            if (i % 32 == 0)
                kept.push_back(chunks[i]);
            else
                Pool::deallocate(chunks[i]);
        }
    });
    inOtherThread([&] {
        for (void *chunk : kept)
            Pool::deallocate(chunk);
        sleepUntilNothingIsLeft<Pool>();
        EXPECT_EQ(pagesOf<Pool>(), 0u);
    });
}

TEST(SharedArenasTest, trimGivesBackWhatSleepingThreadsHold)
{
    struct Tag;
    using Pool = PoolOf<Tag>;
    Rendezvous turns(2);
    std::thread sleeper([&] {
        Pool::deallocate(Pool::allocate(0));
        Pool::deallocate(Pool::allocate(Larger));
        Pool::park();
        turns.wait();
        turns.wait();
    });
    turns.wait();
    Pool::trim();
    EXPECT_EQ(pagesOf<Pool>(), 0u);
    turns.wait();
    sleeper.join();
}

// What large chunks held serves a small one.
TEST(SharedArenasTest, isNotRefusedWhatOthersFreed)
{
    struct Tag;
    using Pages = FailingPages<TaggedPages<Tag>>;
    using Pool = PoolFront<Sizes, MultiThreaded, Pages>;
    Pool::deallocate(Pool::allocate(0));
    std::vector<void *> chunks { Pool::allocate(Larger) };
    Pool::trim();
    Pages::setBudget(2);
    while (void *chunk = Pool::allocate(Larger))
        chunks.push_back(chunk);
    for (void *chunk : chunks)
        Pool::deallocate(chunk);
    Pages::setBudget(1);
    void *small = Pool::allocate(0);
    EXPECT_NE(small, nullptr);
    Pages::setBudget(INT64_MAX);
    Pool::deallocate(small);
}

TEST(SharedArenasTest, refusalsLoseNothing)
{
    struct Tag;
    using Pages = FailingPages<TaggedPages<Tag>>;
    using Pool = PoolFront<Sizes, MultiThreaded, Pages>;
    std::vector<void *> chunks;
    Pages::setBudget(20);
    while (void *chunk = Pool::allocate(Large))
        chunks.push_back(chunk);
    EXPECT_GT(chunks.size(), 0u);
    inOtherThread([&] {
        Pool::deallocate(chunks.back());
        Pool::flush();
    });
    chunks.pop_back();
    Pages::setBudget(INT64_MAX);
    EXPECT_EQ(Pool::statistics(Large).live(), chunks.size());
    for (void *chunk : chunks)
        Pool::deallocate(chunk);
    EXPECT_EQ(Pool::statistics(Large).live(), 0u);
}

TEST(SharedArenasTest, childrenOfForksUseThem)
{
    struct Tag;
    using Pool = PoolOf<Tag>;
    std::atomic<bool> ends { false };
    std::atomic<unsigned> begun { 0 };
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < 3; ++i) {
        threads.emplace_back([&] {
            for (unsigned round = 0; !ends; ++round) {
                void *chunks[40];
                for (void *&chunk : chunks)
                    chunk = Pool::allocate(round % 2 ? Large : Larger);
                for (void *chunk : chunks)
                    Pool::deallocate(chunk);
                if (round == 0)
                    ++begun;
            }
        });
    }
    while (begun < 3)
        std::this_thread::yield();
    // A child does without an arena that a thread was changing in spite of the fork(); that is rare.
    enum : int { Whole, Lacking, Broken };
    const auto forks = unsigned(TestScale::scaled(100));
    unsigned lacking = 0;
    for (unsigned i = 0; i < forks; ++i) {
        void *before = Pool::allocate(Larger);
        Cookie::write(before, Sizes::chunkSize(Larger), i);
        const int code = exitCodeOfChild([&]() -> int {
            std::vector<void *> chunks(100);
            for (std::size_t n = 0; n < chunks.size(); ++n) {
                chunks[n] = Pool::allocate(n % 2 ? Large : Larger);
                if (chunks[n])
                    Cookie::write(chunks[n], 2048, n);
            }
            if (!Cookie::check(before, Sizes::chunkSize(Larger), i))
                return Broken;
            Pool::deallocate(before);
            bool lacks = false;
            for (std::size_t n = 0; n < chunks.size(); ++n) {
                if (!chunks[n])
                    lacks = true;
                else if (!Cookie::check(chunks[n], 2048, n))
                    return Broken;
                Pool::deallocate(chunks[n]);
            }
            Pool::trim();
            return lacks ? Lacking : Whole;
        });
        EXPECT_TRUE(code == Whole || code == Lacking) << code;
        lacking += code == Lacking;
        Pool::deallocate(before);
    }
    EXPECT_LT(lacking, forks);
    ends = true;
    for (std::thread &thread : threads)
        thread.join();
}

// Registered before the pool's: runs between the pool's own.
void (*earlyHandler)() = nullptr;
[[gnu::constructor(101)]] void registerEarly()
{
    constexpr auto handle = [] {
        if (earlyHandler)
            earlyHandler();
    };
    pthread_atfork(handle, handle, handle);
}

TEST(SharedArenasTest, handlersOfForksUseThem)
{
    EXPECT_EQ(exitCodeOfChild([] {
        struct Tag;
        using Pool = PoolOf<Tag>;
        void *before = Pool::allocate(Larger);
        earlyHandler = [] {
            void *chunks[40];
            for (void *&chunk : chunks)
                chunk = Pool::allocate(Larger);
            for (void *chunk : chunks)
                Pool::deallocate(chunk);
        };
        const int code = exitCodeOfChild([] { return 0; });
        Pool::deallocate(before);
        return code;
    }), 0);
}

TEST(SharedArenasTest, handlersOfForksFork)
{
    EXPECT_EQ(exitCodeOfChild([] {
        struct Tag;
        using Pool = PoolOf<Tag>;
        Pool::deallocate(Pool::allocate(Larger));
        static int depth = 0;
        static int inner = 0;
        earlyHandler = [] {
            if (depth++ == 0)
                inner = exitCodeOfChild([] { return 0; });
        };
        const int outer = exitCodeOfChild([] { return 0; });
        earlyHandler = nullptr;
        void *chunks[40];
        for (void *&chunk : chunks)
            chunk = Pool::allocate(Larger);
        for (void *chunk : chunks)
            Pool::deallocate(chunk);
        return inner + outer;
    }), 0);
}

// A thread that has a shared arena waits for a page, until told.
template <class Tag>
struct WaitingPages : TaggedPages<Tag>
{
    static inline std::atomic<bool> waits { false };
    static inline Rendezvous turns { 2 };

    static PageHeader *acquirePage() noexcept
    {
        if (waits) {
            turns.wait();
            turns.wait();
        }
        return TaggedPages<Tag>::acquirePage();
    }
};

TEST(SharedArenasTest, childrenDoWithoutThoseInUse)
{
    struct Tag;
    using Pages = WaitingPages<Tag>;
    using Pool = PoolFront<Sizes, MultiThreaded, Pages>;
    Pool::deallocate(Pool::allocate(Larger));
    Pool::trim();
    Pages::waits = true;
    std::thread holder([] { Pool::deallocate(Pool::allocate(Larger)); });
    Pages::turns.wait();
    Pages::waits = false;
    EXPECT_EQ(exitCodeOfChild([] {
        for (unsigned bin : { Larger, Large, 0u }) {
            void *chunk = Pool::allocate(bin);
            if (!chunk != (areShared && bin == Larger))
                return 1;
            Pool::deallocate(chunk);
        }
        Pool::trim();
        sleepUntilNothingIsLeft<Pool>();
        return 0;
    }), 0);
    Pages::turns.wait();
    holder.join();
}

// A chunk that two threads get is found by its cookie.
TEST(SharedArenasTest, noChunkIsHandedOutTwice)
{
    struct Tag;
    using Pool = PoolOf<Tag>;
    constexpr unsigned places = 64;
    static std::atomic<void *> shared[places];
    const std::uint64_t seed = TestScale::seed();
    std::atomic<std::uint64_t> broken { 0 };
    inThreads([&](unsigned number) {
        std::mt19937_64 random(seed + number);
        for (std::uint64_t i = TestScale::scaled(areShared ? 200000 : 20000); i > 0; --i) {
            const auto draw = random();
            const unsigned bin = unsigned(draw % Sizes::BinCount);
            auto *chunk = static_cast<std::uint64_t *>(Pool::allocate(bin));
            chunk[0] = draw;
            chunk[1] = ~draw;
            chunk[2] = bin;
            if (void *other = shared[draw / 7 % places].exchange(chunk)) {
                const auto *words = static_cast<std::uint64_t *>(other);
                if (words[0] != ~words[1] || words[0] % Sizes::BinCount != words[2])
                    ++broken;
                Pool::deallocate(other);
            }
            if (draw % 4096 == 0)
                Pool::trim();
            if (draw % 1024 == 0)
                Pool::idle();
        }
    });
    EXPECT_EQ(broken, 0u);
    for (auto &place : shared) {
        if (void *chunk = place.exchange(nullptr))
            Pool::deallocate(chunk);
    }
    Pool::trim();
    for (unsigned bin = 0; bin < Sizes::BinCount; ++bin)
        EXPECT_EQ(Pool::statistics(bin).live(), 0u);
    EXPECT_EQ(pagesOf<Pool>(), 0u);
}

} // namespace
