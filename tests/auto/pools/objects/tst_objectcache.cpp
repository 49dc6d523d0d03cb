// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "pools/objects/qobjectcache.h"

#include "rendezvous.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace QPool;

namespace {

struct Parser
{
    Parser() { ++made; }
    ~Parser() { ++destroyed; }
    Parser(const Parser &) = delete;
    Parser &operator=(const Parser &) = delete;
    void reset()
    {
        ++resets;
        text.clear();
    }
    std::string text;
    int resets = 0;

    static inline int made = 0;
    static inline int destroyed = 0;
    static int alive() { return made - destroyed; }
};

class ObjectCacheTest : public ::testing::Test
{
protected:
    ObjectCacheTest() { Parser::made = Parser::destroyed = 0; }
    ~ObjectCacheTest() override { EXPECT_EQ(Parser::alive(), 0); }

    using Cache = ObjectCache<Parser>;

    static ObjectCacheOptions limits(unsigned stock, std::size_t depot = std::size_t(-1))
    {
        ObjectCacheOptions options;
        options.stockLimit = stock;
        options.depotLimit = depot;
        return options;
    }

    template <class From>
    static std::vector<Cache::Handle> takeMany(From &from, std::size_t count)
    {
        std::vector<Cache::Handle> handles;
        for (std::size_t i = 0; i < count; ++i)
            handles.push_back(from.take());
        return handles;
    }
};

TEST_F(ObjectCacheTest, whatWasGivenBackIsTakenAgain)
{
    Cache cache;
    Parser *first;
    {
        auto parser = cache.take();
        first = parser.get();
        EXPECT_EQ(parser->resets, 0);
        parser->text = "something";
    }
    EXPECT_EQ(Parser::alive(), 1);
    for (int i = 1; i < 100; ++i) {
        auto parser = cache.take();
        EXPECT_EQ(parser.get(), first);
        EXPECT_EQ(parser->resets, i);
        EXPECT_EQ(parser->text, "");
    }
    EXPECT_EQ(Parser::made, 1);
    const ObjectCacheStatistics statistics = cache.statistics();
    EXPECT_EQ(statistics.misses, 1u);
    EXPECT_EQ(statistics.hits, 99u);
    EXPECT_EQ(statistics.held, 1u);
    EXPECT_EQ(statistics.inUse, 0u);
    EXPECT_EQ(statistics.idleInStocks, 1u);
}

TEST_F(ObjectCacheTest, handlesAreAsLargeAsPointers)
{
    static_assert(sizeof(Cache::Handle) == sizeof(Parser *));
    Cache cache;
    Parser *raw = cache.take().release();
    EXPECT_EQ(cache.statistics().inUse, 1u);
    Cache::giveBack(raw);
    Cache::giveBack(nullptr);
    EXPECT_EQ(cache.statistics().inUse, 0u);
}

TEST_F(ObjectCacheTest, aStockHasALimit)
{
    Cache cache(limits(8));
    takeMany(cache, 100).clear();
    ObjectCacheStatistics statistics = cache.statistics();
    EXPECT_EQ(statistics.held, 100u);
    EXPECT_EQ(statistics.idle(), 100u);
    EXPECT_LE(statistics.idleInStocks, 8u);
    EXPECT_EQ(Parser::made, 100);
    // All of them come again, and each once.
    const auto handles = takeMany(cache, 100);
    std::set<const Parser *> all;
    for (const auto &handle : handles)
        all.insert(handle.get());
    EXPECT_EQ(all.size(), 100u);
    EXPECT_EQ(Parser::made, 100);
    statistics = cache.statistics();
    EXPECT_EQ(statistics.inUse, 100u);
    EXPECT_EQ(statistics.hits, 100u);
    EXPECT_EQ(statistics.idle(), 0u);
    // In batches of four: the lock is taken once for four.
    EXPECT_LE(statistics.depotTakes, 25u);
}

TEST_F(ObjectCacheTest, everyStockLimitIsObeyed)
{
    for (unsigned limit : { 0u, 1u, 2u, 3u, 63u, 64u, 1000u }) {
        const int before = Parser::made;
        Cache cache(limits(limit));
        for (int round = 0; round < 3; ++round) {
            const auto handles = takeMany(cache, 200);
            std::set<const Parser *> all;
            for (const auto &handle : handles)
                all.insert(handle.get());
            EXPECT_EQ(all.size(), 200u) << limit;
        }
        EXPECT_EQ(Parser::made - before, 200) << limit;
        EXPECT_LE(cache.statistics().idleInStocks, std::min(limit, 64u));
        EXPECT_EQ(cache.statistics().idle(), 200u) << limit;
        EXPECT_EQ(cache.statistics().takes(), 600u) << limit;
    }
}

TEST_F(ObjectCacheTest, aDepotHasALimit)
{
    Cache cache(limits(8, 20));
    takeMany(cache, 100).clear();
    const ObjectCacheStatistics statistics = cache.statistics();
    EXPECT_LE(statistics.idleInDepot, 20u);
    EXPECT_LE(statistics.idleInStocks, 8u);
    EXPECT_EQ(statistics.held, statistics.idle());
    EXPECT_EQ(std::size_t(Parser::alive()), statistics.held);
    EXPECT_EQ(statistics.discarded, 100 - statistics.held);
}

TEST_F(ObjectCacheTest, trimDestroysWhatIsIdle)
{
    Cache cache(limits(8));
    auto inUse = takeMany(cache, 3);
    takeMany(cache, 100).clear();
    const std::size_t held = cache.statistics().held;
    EXPECT_EQ(held, 103u);
    cache.trim(50);
    EXPECT_EQ(cache.statistics().idle(), 50u);
    EXPECT_EQ(Parser::alive(), 53);
    cache.trim(50);
    EXPECT_EQ(Parser::alive(), 53);
    cache.trim(5);
    EXPECT_EQ(cache.statistics().idle(), 5u);
    cache.trim();
    EXPECT_EQ(cache.statistics().idle(), 0u);
    EXPECT_EQ(Parser::alive(), 3);
    inUse.clear();
    EXPECT_EQ(cache.statistics().idle(), 3u);
}

TEST_F(ObjectCacheTest, flushMovesTheStockToTheDepot)
{
    Cache cache(limits(8));
    takeMany(cache, 5).clear();
    EXPECT_EQ(cache.statistics().idleInStocks, 5u);
    cache.flush();
    EXPECT_EQ(cache.statistics().idleInStocks, 0u);
    EXPECT_EQ(cache.statistics().idleInDepot, 5u);
    takeMany(cache, 5).clear();
    EXPECT_EQ(Parser::made, 5);
}

TEST_F(ObjectCacheTest, objectsComeBackToTheirCategory)
{
    Cache cache;
    auto network = cache.category("network");
    auto files = cache.category("files");
    auto taken = network.take();
    Parser *first = taken.get();
    taken.reset();
    auto other = files.take();
    EXPECT_NE(other.get(), first) << "one of the network's idle objects is no use to files";
    EXPECT_EQ(network.take().get(), first);
    Parser *second = other.get();
    Cache::giveBack(other.release());
    EXPECT_EQ(files.take().get(), second);
    EXPECT_EQ(cache.category("network").take().get(), first) << "the same name, the same category";

    std::vector<std::string> names;
    std::size_t held = 0;
    cache.forEachCategory([&](const ObjectCacheStatistics &of) {
        names.push_back(of.category);
        held += of.held;
    });
    EXPECT_EQ(names, (std::vector<std::string> { "", "network", "files" }));
    EXPECT_EQ(held, 2u);
    EXPECT_EQ(network.statistics().takes(), 3u);
    EXPECT_EQ(cache.statistics().held, 2u);
    files.flush();
    EXPECT_EQ(files.statistics().idleInDepot, 1u);
    EXPECT_EQ(network.statistics().idleInStocks, 1u);
}

// The parts of the program need many objects one after the other.
TEST_F(ObjectCacheTest, categoriesTogetherHoldLittleMoreThanWasInUse)
{
    Cache cache;
    Cache::Category parts[] = { cache.category("network"), cache.category("files"),
                                cache.category("database"), cache.category("screen") };
    for (int turn = 0; turn < 40; ++turn) {
        for (Cache::Category &part : parts) {
            const auto handles = takeMany(part, &part == parts ? 100 : 10);
            EXPECT_LE(cache.statistics().held, 100u + 100 / 8);
            EXPECT_EQ(cache.statistics().held, std::size_t(Parser::alive()));
            EXPECT_EQ(part.statistics().inUse, handles.size());
        }
    }
    EXPECT_GE(cache.statistics().held, 100u);
    EXPECT_EQ(cache.statistics().discarded, std::size_t(Parser::destroyed));
}

TEST_F(ObjectCacheTest, categoriesTakeNoObjectsInUse)
{
    Cache cache;
    auto network = cache.category("network");
    auto files = cache.category("files");
    auto first = takeMany(network, 50);
    auto second = takeMany(files, 50);
    EXPECT_EQ(cache.statistics().discarded, 0u) << "all are in use at the same time";
    first.clear();
    second.clear();
    // In idle objects of others alone there is something to be saved.
    first = takeMany(network, 120);
    EXPECT_EQ(network.statistics().held, 120u);
    EXPECT_LE(cache.statistics().held, 120u + 120 / 8);
    EXPECT_EQ(network.statistics().discarded, 0u);
}

TEST_F(ObjectCacheTest, aFewObjectsOfEachCategoryAreKept)
{
    Cache cache;
    for (int turn = 0; turn < 10; ++turn) {
        for (const char *name : { "network", "files", "database", "screen" }) {
            auto part = cache.category(name);
            EXPECT_EQ(takeMany(part, 2).size(), 2u);
        }
    }
    EXPECT_EQ(Parser::made, 8);
    EXPECT_EQ(cache.statistics().discarded, 0u);
}

TEST_F(ObjectCacheTest, objectsMayOutliveTheCache)
{
    std::vector<Cache::Handle> late;
    {
        Cache cache;
        takeMany(cache, 10).clear();
        late = takeMany(cache, 3);
        late.push_back(cache.category("other").take());
    }
    EXPECT_EQ(Parser::alive(), 4) << "idle ones go with the cache";
    late.pop_back();
    EXPECT_EQ(Parser::alive(), 3);
    inOtherThread([&] { late.clear(); });
    EXPECT_EQ(Parser::alive(), 0);
}

// A thread remembers stocks of caches that are gone, and must not confuse them with later ones.
TEST_F(ObjectCacheTest, cachesAreNotConfusedWithEarlierOnes)
{
    std::vector<std::unique_ptr<Cache>> caches;
    for (int round = 0; round < 20; ++round) {
        for (int i = 0; i < 15; ++i)
            caches.push_back(std::make_unique<Cache>());
        for (auto &cache : caches) {
            auto one = cache->take();
            auto other = cache->category("other").take();
            EXPECT_NE(one.get(), other.get());
        }
        for (std::size_t i = 0; i < caches.size(); i += 2)
            caches[i].reset();
        std::vector<std::unique_ptr<Cache>> left;
        for (auto &cache : caches) {
            if (cache) {
                EXPECT_EQ(cache->statistics().held, 2u);
                left.push_back(std::move(cache));
            }
        }
        caches = std::move(left);
    }
    EXPECT_EQ(std::size_t(Parser::alive()), 2 * caches.size());
}

TEST_F(ObjectCacheTest, viewsSeeEachCache)
{
    ObjectCacheOptions options;
    options.name = "parsers";
    Cache cache(options);
    auto parser = cache.category("network").take();
    std::size_t found = 0;
    ObjectCacheState::forEachCache([&](const ObjectCacheState &state) {
        if (state.name() != "parsers")
            return;
        EXPECT_GE(state.objectSize(), sizeof(Parser));
        state.forEachCategory([&](const ObjectCacheStatistics &of) { found += of.inUse; });
    });
    EXPECT_EQ(found, 1u);
}

TEST(ObjectCacheReset, anObjectThatCannotBeResetIsNotKept)
{
    struct Refuse
    {
        bool operator()(int &value) const { return value != 13; }
    };
    ObjectCache<int, Refuse> cache;
    *cache.take() = 13;
    EXPECT_EQ(cache.statistics().held, 0u);
    EXPECT_EQ(cache.statistics().discarded, 1u);
    *cache.take() = 12;
    EXPECT_EQ(cache.statistics().held, 1u);

    struct Throw
    {
        void operator()(int &) const { throw std::runtime_error("no"); }
    };
    ObjectCache<int, Throw> other;
    (void)other.take();
    EXPECT_EQ(other.statistics().held, 0u);
}

TEST(ObjectCacheCreate, objectsAreMadeByTheGivenFunction)
{
    struct Fixed // not movable
    {
        explicit Fixed(int n) : n(n) { }
        Fixed(Fixed &&) = delete;
        int n;
    };
    int next = 0;
    const auto create = [&next] { return Fixed(next++); };
    ObjectCache<Fixed, KeepObject, decltype(create)> cache({}, {}, create);
    auto first = cache.take();
    auto second = cache.take();
    EXPECT_EQ(first->n, 0);
    EXPECT_EQ(second->n, 1);
}

TEST(ObjectCacheCreate, aFunctionThatThrowsLosesNothing)
{
    struct Thrower
    {
        explicit Thrower(bool throws)
        {
            if (throws)
                throw std::runtime_error("no");
        }
        void reset() { }
        std::unique_ptr<int> block = std::make_unique<int>(1);
    };
    bool throws = true;
    const auto create = [&throws] { return Thrower(throws); };
    ObjectCache<Thrower, ResetObject, decltype(create)> cache({}, {}, create);
    for (int i = 0; i < 100; ++i) {
        EXPECT_THROW((void)cache.take(), std::runtime_error);
        EXPECT_THROW((void)cache.tryTake(), std::runtime_error);
    }
    EXPECT_EQ(cache.statistics().held, 0u);
    EXPECT_EQ(cache.statistics().misses, 0u);
    throws = false;
    (void)cache.take();
    EXPECT_EQ(cache.statistics().held, 1u);
}

class Secret
{
    friend ObjectAccess;
    Secret() = default;
    ~Secret() = default;

public:
    void clear() { }
};

struct alignas(256) Wide
{
    char bytes[300];
    void clear() { }
};

struct Huge
{
    char bytes[100 * 1024];
    void clear() { }
};

TEST(ObjectCacheTypes, privateAlignedAndHugeTypesAreServed)
{
    ObjectCache<Secret> secrets;
    EXPECT_NE(secrets.take().get(), nullptr);

    ObjectCache<Wide> wide;
    std::vector<ObjectCache<Wide>::Handle> handles;
    for (int i = 0; i < 100; ++i) {
        handles.push_back(wide.take());
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(handles.back().get()) % alignof(Wide), 0u);
    }

    ObjectCache<Huge> huge;
    auto taken = huge.take();
    Huge *first = taken.get();
    taken.reset();
    EXPECT_EQ(huge.take().get(), first);
}

TEST(ObjectCacheTypes, chunksGoBackToThePool)
{
    struct Sized // of which no other test has one
    {
        char bytes[1000];
        void clear() { }
    };
    constexpr std::size_t chunk = sizeof(Sized) + sizeof(ObjectNode);
    using Pool = QPoolAllocator<chunk>;
    {
        ObjectCache<Sized> cache;
        auto one = cache.take();
        auto two = cache.take();
        EXPECT_EQ(Pool::statistics().live(), 2u);
    }
    EXPECT_EQ(Pool::statistics().live(), 0u);
}

} // namespace
