// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SAMPLESTATISTICS_H
#define SAMPLESTATISTICS_H

#include "qpoolcachestatistics.h"
#include "stats/qpoolprocessstatistics.h"

inline QPool::ClassStatistics classCounts(std::uint32_t size, std::uint64_t allocated,
                                        std::uint64_t freed, std::uint64_t remote = 0)
{
    QPool::ClassStatistics statistics;
    statistics.size = size;
    statistics.allocated = allocated;
    statistics.freed = freed;
    statistics.remote = remote;
    return statistics;
}

inline QPool::ArenaStatistics arenaStatistics(std::uint32_t id, bool orphaned, std::uint64_t live,
                                           std::uint64_t backlog)
{
    QPool::ArenaStatistics arena;
    arena.id = id;
    arena.thread = 7000 + id;
    arena.orphaned = orphaned;
    arena.adoptions = id;
    arena.pages = 3;
    arena.live = live;
    arena.liveBytes = 16 * live;
    arena.backlog = backlog;
    return arena;
}

inline QPool::ProcessStatistics sampleStatistics()
{
    QPool::ProcessStatistics statistics;
    statistics.pid = 4711;
    statistics.library = "6.4.2";
    statistics.enabled = true;
    statistics.domains = { { "event", { classCounts(16, 1000, 900, 300), classCounts(24, 50, 50) } },
                        { "object", { classCounts(16, 2500000, 1000000) } },
                        { "private", { classCounts(120, 10, 3), classCounts(1024, 1, 0) } } };
    statistics.arenas = { arenaStatistics(1, false, 1500000, 0), arenaStatistics(2, true, 8, 12) };
    statistics.memory.reserved = std::size_t(1) << 36;
    statistics.memory.committed = 5 << 20;
    statistics.memory.decommitted = 3 << 20;
    return statistics;
}

inline QPool::CategoryStatistics categoryCounts(const std::string &name, std::uint64_t inUse,
                                              std::uint64_t ownHits)
{
    QPool::CategoryStatistics statistics;
    statistics.name = name;
    statistics.inUse = inUse;
    statistics.inStocks = 30;
    statistics.inDepot = 16;
    statistics.destroyed = 4;
    statistics.made = inUse + 50;
    statistics.misses = inUse + 50;
    statistics.ownHits = ownHits;
    statistics.depotHits = 10;
    statistics.resets = statistics.takes() - inUse;
    statistics.stocks = 2;
    return statistics;
}

// A cache with parts, and one without.
inline QPool::CacheListing sampleCaches()
{
    QPool::CacheListing listing;
    QPool::CacheStatistics requests;
    requests.name = "requests";
    requests.number = 1;
    requests.objectSize = 104;
    requests.categories = { {}, categoryCounts("network", 1500000, 40000000),
                            categoryCounts("files", 8, 432) };
    QPool::CacheStatistics parsers;
    parsers.name = "std::vector<Parser>";
    parsers.number = 4;
    parsers.objectSize = 4160;
    parsers.categories = { categoryCounts("", 0, 0) };
    listing.caches = { requests, parsers };
    return listing;
}

#endif // SAMPLESTATISTICS_H
