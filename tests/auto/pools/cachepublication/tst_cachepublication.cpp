// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// What a process publishes of its object caches, read as another process would read it.

#include "publishedcaches.h"

#include "childprocess.h"
#include "randomsource.h"
#include "rendezvous.h"
#include "testscale.h"

#include <array>
#include <atomic>
#include <thread>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

using namespace QPool;

namespace {

class CachePublicationTest : public ::testing::Test
{
protected:
    CachePublicationTest()
        : isPublishing(publishObjectCaches()), process(attachTo(getpid(), &message))
    {
    }

    void SetUp() override
    {
        ASSERT_TRUE(isPublishing);
        ASSERT_TRUE(process) << message;
    }

    CacheStatistics read(const std::string &name) { return cacheOf(process->readCaches(), name); }

    void expectAll(const Cache &cache, const std::string &name)
    {
        const CacheStatistics read = this->read(name);
        std::size_t at = 0;
        cache.forEachCategory([&](const ObjectCacheStatistics &own) {
            ASSERT_LT(at, read.categories.size());
            expectSame(read.categories[at++], own);
        });
        EXPECT_EQ(at, read.categories.size());
    }

    bool isPublishing;
    std::string message;
    std::unique_ptr<MonitoredProcess> process;
};

TEST_F(CachePublicationTest, countsAKnownSequenceExactly)
{
    Cache cache(named("known", 4));
    EXPECT_EQ(read("known").objectSize % sizeof(void *), 0u);
    EXPECT_GT(read("known").objectSize, sizeof(Session));
    {
        auto handles = takeMany(cache, 10);
        const CacheCounts out = read("known").counts();
        EXPECT_EQ(out.inUse, 10u);
        EXPECT_EQ(out.made, 10u);
        EXPECT_EQ(out.misses, 10u);
        EXPECT_EQ(out.resets, 0u);
        handles.front()->spoiled = true;
    }
    // One is destroyed; of nine, the stock keeps up to four and sends two at a time to the depot.
    const CacheCounts back = read("known").counts();
    EXPECT_EQ(back.inUse, 0u);
    EXPECT_EQ(back.inStocks + back.inDepot, 9u);
    EXPECT_EQ(back.inStocks, 3u);
    EXPECT_EQ(back.inDepot, 6u);
    EXPECT_EQ(back.made, 10u);
    EXPECT_EQ(back.destroyed, 1u);
    EXPECT_EQ(back.ownHits, 0u);
    EXPECT_EQ(back.resets, 10u);

    // Three from the stock, then each second one brings its neighbour from the depot.
    takeMany(cache, 9).clear();
    const CacheCounts again = read("known").counts();
    EXPECT_EQ(again.ownHits, 6u);
    EXPECT_EQ(again.depotHits, 3u);
    EXPECT_EQ(again.misses, 10u);
    EXPECT_EQ(again.takes(), 19u);
    EXPECT_EQ(again.resets, 19u);

    cache.trim();
    const CacheCounts trimmed = read("known").counts();
    EXPECT_EQ(trimmed.inStocks + trimmed.inDepot, 0u);
    EXPECT_EQ(trimmed.destroyed, 10u);
    EXPECT_EQ(trimmed.made, 10u);
    expectAll(cache, "known");
}

TEST_F(CachePublicationTest, showsEachCategoryWithItsCounts)
{
    Cache cache(named("parts"));
    auto network = cache.category("network");
    auto files = cache.category("files");
    takeMany(network, 5).clear();
    const auto held = takeMany(files, 3);
    const CacheStatistics statistics = read("parts");
    ASSERT_EQ(statistics.categories.size(), 3u);
    EXPECT_EQ(statistics.categories[0].name, "");
    EXPECT_EQ(statistics.categories[1].name, "network");
    EXPECT_EQ(statistics.categories[2].name, "files");
    EXPECT_EQ(statistics.categories[1].inStocks, 5u);
    EXPECT_EQ(statistics.categories[2].inUse, 3u);
    EXPECT_EQ(statistics.counts().made, 8u);
    expectAll(cache, "parts");
}

TEST_F(CachePublicationTest, anUnnamedCacheIsNamedAfterItsType)
{
    Cache cache;
    EXPECT_EQ(read("Session").categories.size(), 1u);
    ObjectCache<std::vector<int>> other;
    bool found = false;
    for (const CacheStatistics &each : process->readCaches().caches)
        found |= each.name.find("vector<int") != std::string::npos;
    EXPECT_TRUE(found);
}

TEST_F(CachePublicationTest, longNamesAreCutBetweenCharacters)
{
    // Of two bytes each, one byte after the other in its place.
    for (const std::string start : { "", "x" }) {
        std::string name = start;
        for (int i = 0; i < 60; ++i)
            name += "\u00e4";
        Cache cache(named(name.c_str()));
        static_cast<void>(cache.category(name));
        const CacheStatistics statistics = process->readCaches().caches.back();
        for (const std::string &shown : { statistics.name, statistics.categories.at(1).name }) {
            ASSERT_GT(shown.size(), 40u);
            EXPECT_EQ(shown.substr(shown.size() - 3), "...");
            const std::string kept = shown.substr(0, shown.size() - 3);
            EXPECT_EQ(kept.size() % 2, start.size());
            EXPECT_EQ(name.compare(0, kept.size(), kept), 0);
        }
    }
    Cache control(named("two\nlines\x1b[31m"));
    EXPECT_EQ(process->readCaches().caches.back().name, "two\\x0alines\\x1b[31m");
}

TEST_F(CachePublicationTest, stocksOfEndedThreadsMoveToTheDepot)
{
    Cache cache(named("ends"));
    inOtherThread([&] {
        takeMany(cache, 10).clear();
        EXPECT_EQ(read("ends").counts().inStocks, 10u);
        EXPECT_EQ(read("ends").categories[0].stocks, 1u);
    });
    EXPECT_EQ(read("ends").counts().inStocks, 0u);
    EXPECT_EQ(read("ends").counts().inDepot, 10u);
    // The next thread has the same stock; what both did is counted.
    inOtherThread([&] { takeMany(cache, 10).clear(); });
    EXPECT_EQ(read("ends").categories[0].stocks, 1u);
    EXPECT_EQ(read("ends").counts().takes(), 20u);
    expectAll(cache, "ends");
}

// Where a thread has no stock, and where one takes from another's.
TEST_F(CachePublicationTest, countsDepotHitsAndSteals)
{
    Cache direct(named("direct", 0));
    takeMany(direct, 7).clear();
    takeMany(direct, 7).clear();
    EXPECT_EQ(read("direct").counts().depotHits, 7u);
    EXPECT_EQ(read("direct").counts().ownHits, 0u);
    EXPECT_EQ(read("direct").categories[0].stocks, 0u);
    expectAll(direct, "direct");

    Cache stolen(named("stolen"));
    takeMany(stolen, 8).clear();
    inOtherThread([&] {
        takeMany(stolen, 2).clear();
        expectAll(stolen, "stolen");
    });
    EXPECT_EQ(read("stolen").counts().steals, 1u);
    EXPECT_EQ(read("stolen").counts().made, 8u);
    expectAll(stolen, "stolen");
}

// Whatever threads do, what is read is what the cache knows, once they are quiet.
TEST_F(CachePublicationTest, countsAgreeWithTheCache)
{
    constexpr unsigned threads = 3;
    Cache cache(named("random", 8));
    Rendezvous turn(threads + 1);
    const std::uint64_t rounds = TestScale::scaled(60);
    const std::uint64_t seed = TestScale::seed();
    const auto work = [&](unsigned index) {
        RandomSource random(seed + index);
        std::vector<Cache::Handle> held;
        for (std::uint64_t round = 0; round < rounds; ++round) {
            for (std::size_t i = random.below(400); i > 0; --i) {
                if (random.below(2) == 0 && held.size() < 50) {
                    held.push_back(cache.category(random.below(3) ? "a" : "b").take());
                } else if (!held.empty()) {
                    held.back()->spoiled = random.below(20) == 0;
                    held.pop_back();
                }
            }
            if (random.below(10) == 0)
                cache.flush();
            if (random.below(10) == 0)
                cache.trim(5);
            turn.wait();
            turn.wait();
        }
    };
    std::vector<std::thread> running;
    for (unsigned i = 0; i < threads; ++i)
        running.emplace_back(work, i);
    for (std::uint64_t round = 0; round < rounds; ++round) {
        turn.wait();
        expectAll(cache, "random");
        turn.wait();
    }
    for (std::thread &thread : running)
        thread.join();
    expectAll(cache, "random");
}

// A reader that looks while caches come and go and threads work sees statistics that make sense.
TEST_F(CachePublicationTest, countsStaySaneWhileThreadsWork)
{
    std::atomic<bool> stop { false };
    Cache steady(named("steady"));
    std::vector<std::thread> threads;
    for (int t = 0; t < 2; ++t) {
        threads.emplace_back([&] {
            while (!stop.load(std::memory_order_relaxed)) {
                takeMany(steady, 50).clear();
                Cache brief(named("brief"));
                auto part = brief.category("part");
                takeMany(part, 5).clear();
            }
        });
    }
    std::uint64_t takes = 0;
    std::size_t hits = 0;
    for (std::uint64_t i = 0; i < TestScale::scaled(5000); ++i) {
        const CacheListing listing = process->readCaches();
        EXPECT_EQ(listing.missing, 0u);
        for (const CacheStatistics &cache : listing.caches) {
            ASSERT_TRUE(cache.name == "steady" || cache.name == "brief") << cache.name;
            for (const CategoryStatistics &category : cache.categories) {
                ASSERT_TRUE(category.name.empty() || category.name == "part") << category.name;
                EXPECT_LE(category.stocks, 3u);
                EXPECT_LE(category.inUse, 200u);
            }
        }
        const std::uint64_t now = cacheOf(listing, "steady").counts().takes();
        EXPECT_GE(now, takes); // each counter only grows
        takes = now;
        const std::size_t hitsNow = steady.statistics().hits;
        EXPECT_GE(hitsNow, hits);
        hits = hitsNow;
    }
    stop = true;
    for (std::thread &thread : threads)
        thread.join();
    expectAll(steady, "steady");
}

// More caches one after the other than there is room for at once.
TEST_F(CachePublicationTest, recordsOfDestroyedCachesAreReused)
{
    for (int i = 0; i < 20000; ++i) {
        Cache cache(named("one after the other"));
        static_cast<void>(cache.take());
    }
    EXPECT_EQ(process->readCaches().missing, 0u);
    EXPECT_TRUE(read("one after the other").categories.empty());
    Cache last(named("last"));
    takeMany(last, 3).clear();
    EXPECT_EQ(read("last").counts().inStocks, 3u);
    EXPECT_EQ(read("last").categories[0].missingStocks, 0u);
}

// A cache is gone for readers when it is destroyed, though objects of it are out.
TEST_F(CachePublicationTest, lateObjectsDoNotShowADestroyedCache)
{
    Cache::Handle late;
    {
        Cache cache(named("gone"));
        late = cache.take();
        EXPECT_EQ(read("gone").counts().inUse, 1u);
    }
    EXPECT_TRUE(read("gone").categories.empty());
    late.reset();
    EXPECT_TRUE(read("gone").categories.empty());
}

TEST_F(CachePublicationTest, isSealed)
{
    Cache cache(named("sealed"));
    const ProcEntry entry(getpid());
    std::string number;
    const Descriptor file = entry.openMemoryFile(
            CacheSegmentHeader::NamePrefix + std::to_string(getpid()), &number);
    ASSERT_TRUE(file);
    struct stat status;
    ASSERT_EQ(fstat(file.get(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600u);
    EXPECT_EQ(status.st_uid, geteuid());
    const Descriptor writable(open(("/proc/self/fd/" + number).c_str(), O_RDWR | O_CLOEXEC));
    if (writable) {
        EXPECT_NE(ftruncate(writable.get(), 0), 0);
        EXPECT_LT(pwrite(writable.get(), "x", 1, 0), 0);
        EXPECT_EQ(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, writable.get(), 0),
                  MAP_FAILED);
    }
}

TEST_F(CachePublicationTest, aForkedChildPublishesNothing)
{
    Cache cache(named("forked"));
    auto handles = takeMany(cache, 20);
    handles.resize(10);
    const CacheCounts before = read("forked").counts();
    EXPECT_EQ(exitCodeOfChild([&] {
        MonitoredProcess::Error error;
        if (attachTo(getpid(), nullptr, &error) || error != MonitoredProcess::NotPublishing)
            return 1;
        if (cache.statistics().inUse != 10 || cache.statistics().idle() != 10)
            return 2;
        handles.clear();
        const auto more = takeMany(cache, 30);
        Cache own(named("of the child"));
        const auto others = takeMany(own, 5);
        std::thread([&] { takeMany(own, 5).clear(); }).join();
        if (cache.statistics().inUse != 30 || own.statistics().held != 10)
            return 3;
        return publishObjectCaches() ? 4 : 0;
    }), 0);
    const CacheCounts after = read("forked").counts();
    EXPECT_EQ(after.inUse, before.inUse);
    EXPECT_EQ(after.takes(), before.takes());
    expectAll(cache, "forked");
}

// The memory of a child is copied before the fork: it must not take for idle what another thread has taken
// since.
struct Marked
{
    void reset() { isInUse.store(false, std::memory_order_relaxed); }
    std::atomic<bool> isInUse { false };
};

TEST_F(CachePublicationTest, aForkedChildIsGivenNoObjectInUse)
{
    using MarkedCache = ObjectCache<Marked>;
    MarkedCache cache(named("marked"));
    std::atomic<bool> stop { false };
    Rendezvous begun(3);
    // These call no malloc() meanwhile: AddressSanitizer's has no fork handlers.
    const auto work = [&] {
        std::array<MarkedCache::Handle, 20> handles;
        for (std::uint64_t round = 0; !stop.load(std::memory_order_relaxed); ++round) {
            for (MarkedCache::Handle &handle : handles) {
                handle = cache.take();
                handle->isInUse.store(true, std::memory_order_relaxed);
            }
            for (MarkedCache::Handle &handle : handles)
                handle.reset();
            if (round == 0)
                begun.wait();
        }
    };
    std::thread a(work), b(work);
    begun.wait();
    for (std::uint64_t i = 0; i < TestScale::scaled(300) && !HasFailure(); ++i) {
        EXPECT_EQ(exitCodeOfChild([&] {
            std::array<MarkedCache::Handle, 100> handles;
            for (MarkedCache::Handle &handle : handles) {
                handle = cache.take();
                if (handle->isInUse.exchange(true))
                    return 1;
            }
            return 0;
        }), 0) << "fork " << i;
    }
    stop = true;
    a.join();
    b.join();
}

} // namespace
