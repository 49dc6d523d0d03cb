// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef PUBLISHEDCACHES_H
#define PUBLISHEDCACHES_H

#include "pools/objects/qobjectcache.h"
#include "qpoolmonitoredprocess.h"

#include <gtest/gtest.h>

#include <vector>

#include <unistd.h>

struct Session
{
    bool spoiled = false;
};
struct KeepTheGood
{
    bool operator()(const Session &session) const { return !session.spoiled; }
};
using Cache = QPool::ObjectCache<Session, KeepTheGood>;

inline QPool::ObjectCacheOptions named(const char *name, unsigned stockLimit = 32)
{
    QPool::ObjectCacheOptions options;
    options.name = name;
    options.stockLimit = stockLimit;
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

inline std::unique_ptr<QPool::MonitoredProcess> attachTo(
        pid_t pid, std::string *message = nullptr, QPool::MonitoredProcess::Error *error = nullptr)
{
    std::string ownMessage;
    QPool::MonitoredProcess::Error ownError;
    return QPool::MonitoredProcess::attach(pid, error ? error : &ownError,
                                           message ? message : &ownMessage);
}

// The cache of that name, without categories if there is none.
inline QPool::CacheStatistics cacheOf(const QPool::CacheListing &listing, const std::string &name)
{
    for (const QPool::CacheStatistics &cache : listing.caches) {
        if (cache.name == name)
            return cache;
    }
    return {};
}

// What a reader sees of a category is what the cache tells itself.
inline void expectSame(const QPool::CategoryStatistics &read,
                       const QPool::ObjectCacheStatistics &own)
{
    EXPECT_EQ(read.name, own.category);
    EXPECT_EQ(read.inUse, own.inUse);
    EXPECT_EQ(read.inStocks, own.idleInStocks);
    EXPECT_EQ(read.inDepot, own.idleInDepot);
    EXPECT_EQ(read.made, own.held + own.discarded);
    EXPECT_EQ(read.destroyed, own.discarded);
    EXPECT_EQ(read.ownHits, own.hits - own.depotTakes);
    EXPECT_EQ(read.depotHits, own.depotTakes);
    EXPECT_EQ(read.steals, own.steals);
    EXPECT_EQ(read.misses, own.misses);
    EXPECT_EQ(read.resets, own.takes() - own.inUse);
    EXPECT_EQ(read.stocks, own.stocks);
    EXPECT_EQ(read.missingStocks, 0u);
}

#endif // PUBLISHEDCACHES_H
