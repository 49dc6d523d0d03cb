// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Objects, stocks and threads: which thread has which object, threads that end, and that no object has
// two users.

#include "pools/objects/qobjectcache.h"

#include "childprocess.h"
#include "mailbox.h"
#include "randomsource.h"
#include "rendezvous.h"
#include "testscale.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

using namespace QPool;

namespace {

// Plain members: the user of the object may write to it, and TSan detects any other writer.
struct Session
{
    void reset() { ++resets; }
    long uses = 0;
    long resets = 0;
    std::atomic<int> users { 0 };
};
using Cache = ObjectCache<Session>;

ObjectCacheOptions stocksOf(unsigned limit)
{
    ObjectCacheOptions options;
    options.stockLimit = limit;
    return options;
}

template <class From>
std::vector<Cache::Handle> takeMany(From &from, std::size_t count)
{
    std::vector<Cache::Handle> handles;
    for (std::size_t i = 0; i < count; ++i)
        handles.push_back(from.take());
    return handles;
}

template <class Work>
void inThreads(unsigned count, Work &&work)
{
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < count; ++i)
        threads.emplace_back([&work, i] { work(i); });
    for (std::thread &thread : threads)
        thread.join();
}

TEST(ObjectCacheThreads, aThreadThatEndsGivesItsStockBack)
{
    Cache cache;
    inOtherThread([&] {
        takeMany(cache, 10).clear();
        EXPECT_EQ(cache.statistics().idleInStocks, 10u);
    });
    EXPECT_EQ(cache.statistics().idleInStocks, 0u);
    EXPECT_EQ(cache.statistics().idleInDepot, 10u);
    takeMany(cache, 10).clear();
    EXPECT_EQ(cache.statistics().held, 10u);
    // And its place is taken by the next: there are never more than threads at a time.
    for (int i = 0; i < 20; ++i)
        inOtherThread([&] { takeMany(cache, 5).clear(); });
    EXPECT_LE(cache.statistics().stocks, 2u);
    EXPECT_EQ(cache.statistics().held, 10u);
}

TEST(ObjectCacheThreads, idleObjectsElsewhereAreTakenBeforeMakingOne)
{
    Cache cache;
    Rendezvous steps(2);
    std::thread other([&] {
        takeMany(cache, 20).clear();
        steps.wait();
        steps.wait(); // alive, and with a stock
        // The remaining objects can still be taken.
        takeMany(cache, 20).clear();
    });
    steps.wait();
    EXPECT_EQ(cache.statistics().idleInStocks, 20u);
    {
        const auto handles = takeMany(cache, 17);
        EXPECT_EQ(cache.statistics().held, 20u);
        EXPECT_GT(cache.statistics().steals, 0u);
        EXPECT_EQ(cache.statistics().inUse, 17u);
    }
    steps.wait();
    other.join();
    EXPECT_LE(cache.statistics().held, 20u * 8 / 7 + 1);
}

// Each phase has as many objects in use at its peak, distributed differently over the threads: objects
// created in one phase serve the others.
TEST(ObjectCacheThreads, heldObjectsAreBoundedByThoseInUse)
{
    for (unsigned threads : { 1u, 2u, 4u, 8u }) {
        for (std::size_t peak : { std::size_t(8), std::size_t(64), std::size_t(1000) }) {
            Cache cache;
            Rendezvous phase(threads);
            inThreads(threads, [&](unsigned index) {
                RandomSource random(index + 1);
                for (unsigned round = 0; round < 12; ++round) {
                    // All to one thread, then shared evenly, then to the next one.
                    std::size_t mine = peak / threads;
                    if (round % 2 == 0)
                        mine = index == round / 2 % threads ? peak : 0;
                    {
                        auto handles = takeMany(cache, mine);
                        phase.wait(); // the peak
                        for (auto &handle : handles)
                            ++handle->uses;
                    }
                    phase.wait();
                }
            });
            const ObjectCacheStatistics statistics = cache.statistics();
            EXPECT_EQ(statistics.inUse, 0u);
            EXPECT_LE(statistics.held, peak + peak / 7 + 1)
                    << threads << " threads, " << peak << " in use at the peak";
        }
    }
}

TEST(ObjectCacheThreads, objectsGivenBackElsewhereAreReused)
{
    Cache cache(stocksOf(16));
    constexpr std::size_t batch = 50;
    Rendezvous steps(2);
    std::vector<Cache::Handle> handles;
    std::thread giver([&] {
        for (int round = 0; round < 100; ++round) {
            steps.wait();
            handles.clear();
            steps.wait();
        }
    });
    for (int round = 0; round < 100; ++round) {
        handles = takeMany(cache, batch);
        steps.wait();
        steps.wait();
    }
    giver.join();
    EXPECT_LE(cache.statistics().held, batch + batch / 7 + 1);
    EXPECT_EQ(cache.statistics().inUse, 0u);
}

// Everything at once; every object has one user at a time.
TEST(ObjectCacheThreads, noObjectHasTwoUsers)
{
    Cache cache(stocksOf(8));
    auto network = cache.category("network");
    auto files = cache.category("files");
    Mailbox<Session *> mailbox;
    std::atomic<int> working { 4 };
    const auto rounds = TestScale::scaled(200000);
    const std::uint64_t seed = TestScale::seed();
    std::atomic<long> wrong { 0 };
    const auto use = [&](Session &session) {
        if (session.users.fetch_add(1, std::memory_order_relaxed) != 0)
            ++wrong;
        ++session.uses;
        session.users.fetch_sub(1, std::memory_order_relaxed);
    };
    std::thread watcher([&] {
        while (working.load(std::memory_order_relaxed) > 0) {
            cache.forEachCategory([&](const ObjectCacheStatistics &of) {
                if (of.held > 100000 || of.idle() > 100000)
                    ++wrong;
            });
            cache.trim(20);
            std::this_thread::yield();
        }
    });
    inThreads(4, [&](unsigned index) {
        RandomSource random(seed + index);
        std::vector<Cache::Handle> held;
        for (std::uint64_t round = 0; round < rounds; ++round) {
            const std::size_t action = random.below(100);
            if (action < 45 && held.size() < 40) {
                held.push_back(action % 3 == 0 ? cache.take() : action % 3 == 1 ? network.take()
                                                                                 : files.take());
                use(*held.back());
            } else if (action < 90 && !held.empty()) {
                std::swap(held[random.below(held.size())], held.back());
                use(*held.back());
                held.pop_back();
            } else if (action < 93 && !held.empty()) {
                mailbox.put(held.back().release());
                held.pop_back();
            } else if (action < 95) {
                for (Session *session : mailbox.takeAll()) {
                    use(*session);
                    Cache::giveBack(session);
                }
            } else if (action == 96) {
                network.flush();
            } else if (action == 97) {
                // A short thread takes one and leaves its stock behind.
                if (random.below(20) == 0)
                    inOtherThread([&] { use(*network.take()); });
            }
        }
        held.clear();
        working.fetch_sub(1, std::memory_order_relaxed);
    });
    watcher.join();
    for (Session *session : mailbox.takeAll())
        Cache::giveBack(session);
    EXPECT_EQ(wrong, 0);
    const ObjectCacheStatistics statistics = cache.statistics();
    EXPECT_EQ(statistics.inUse, 0u);
    EXPECT_EQ(statistics.idle(), statistics.held);
    EXPECT_EQ(statistics.misses - statistics.discarded, statistics.held);
}

TEST(ObjectCacheThreads, aThreadMayEndAfterTheCache)
{
    auto first = std::make_unique<Cache>();
    Cache second;
    Rendezvous steps(3);
    const auto work = [&] {
        takeMany(*first, 5).clear();
        takeMany(second, 5).clear();
        steps.wait();
        steps.wait(); // the cache goes
        takeMany(second, 5).clear();
    };
    std::thread a(work), b(work);
    steps.wait();
    first.reset();
    steps.wait();
    a.join();
    b.join();
    EXPECT_EQ(second.statistics().idleInStocks, 0u);
    EXPECT_EQ(second.statistics().idle(), second.statistics().held);
}

// Threads end while the cache is destroyed: they agree on which of them empties their stocks.
TEST(ObjectCacheThreads, cachesMayGoWhileThreadsEnd)
{
    const auto rounds = TestScale::scaled(400);
    for (std::uint64_t round = 0; round < rounds; ++round) {
        auto cache = std::make_unique<Cache>();
        Rendezvous begun(3);
        const auto work = [&] {
            takeMany(*cache, 5).clear();
            begun.wait();
        };
        std::thread a(work), b(work);
        begun.wait();
        cache.reset();
        a.join();
        b.join();
    }
}

TEST(ObjectCacheThreads, destructorsOfThreadLocalObjectsMayGiveBack)
{
    Cache cache;
    struct Holder
    {
        Cache::Handle handle;
    };
    for (int i = 0; i < 3; ++i) {
        inOtherThread([&] {
            static thread_local Holder holder;
            holder.handle = cache.take();
        });
        EXPECT_EQ(cache.statistics().held, 1u);
        EXPECT_EQ(cache.statistics().idleInDepot, 1u);
    }
}

// Only the thread that forks exists in the child, and takes the idle objects of the others. These call
// no malloc() meanwhile, because AddressSanitizer's has no fork handlers.
template <std::size_t Count>
void takeAndGiveBack(Cache::Category from)
{
    std::array<Cache::Handle, Count> handles;
    for (Cache::Handle &handle : handles)
        handle = from.take();
}

TEST(ObjectCacheThreads, aForkedChildCanUseTheCaches)
{
    // An object of another cache, which is not destroyed.
    Cache calm;
    auto idle = calm.category("idle");
    Cache cache;
    auto network = cache.category("network");
    std::atomic<bool> stop { false };
    Rendezvous begun(3);
    const auto work = [&] {
        takeAndGiveBack<7>(idle);
        takeAndGiveBack<70>(network);
        begun.wait();
        while (!stop.load(std::memory_order_relaxed)) {
            // Some with a lock held at the moment of the fork.
            takeAndGiveBack<70>(network);
            network.flush();
        }
    };
    std::thread a(work), b(work);
    begun.wait();
    const std::uint64_t rounds = TestScale::scaled(100);
    for (std::uint64_t round = 0; round < rounds; ++round) {
        const int code = exitCodeOfChild([&] {
            const std::size_t held = idle.statistics().held;
            takeAndGiveBack<7>(idle);
            if (idle.statistics().held != held)
                return 1;
            takeAndGiveBack<100>(network);
            cache.flush();
            cache.trim();
            // A thread that is no more may have been between taking one and counting it.
            return cache.statistics().idle() <= 2 ? 0 : 2;
        });
        EXPECT_EQ(code, 0);
    }
    stop = true;
    a.join();
    b.join();
}

} // namespace
