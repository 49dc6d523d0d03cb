// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SAMPLEFIGURES_H
#define SAMPLEFIGURES_H

#include "qpoolcachefigures.h"
#include "stats/qpoolfigures.h"

inline QPool::ClassFigures classFigures(std::uint32_t size, std::uint64_t allocated,
                                        std::uint64_t freed, std::uint64_t remote = 0)
{
    QPool::ClassFigures figures;
    figures.size = size;
    figures.allocated = allocated;
    figures.freed = freed;
    figures.remote = remote;
    return figures;
}

inline QPool::ArenaStatistics arenaFigures(std::uint32_t id, bool orphaned, std::uint64_t live,
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

inline QPool::Figures sampleFigures()
{
    QPool::Figures figures;
    figures.pid = 4711;
    figures.library = "6.4.2";
    figures.enabled = true;
    figures.domains = { { "event", { classFigures(16, 1000, 900, 300), classFigures(24, 50, 50) } },
                        { "object", { classFigures(16, 2500000, 1000000) } },
                        { "private", { classFigures(120, 10, 3), classFigures(1024, 1, 0) } } };
    figures.arenas = { arenaFigures(1, false, 1500000, 0), arenaFigures(2, true, 8, 12) };
    figures.memory.reserved = std::size_t(1) << 36;
    figures.memory.committed = 5 << 20;
    figures.memory.returned = 3 << 20;
    return figures;
}

inline QPool::CategoryFigures categoryFigures(const std::string &name, std::uint64_t inUse,
                                              std::uint64_t ownHits)
{
    QPool::CategoryFigures figures;
    figures.name = name;
    figures.inUse = inUse;
    figures.inStocks = 30;
    figures.inDepot = 16;
    figures.destroyed = 4;
    figures.made = inUse + 50;
    figures.misses = inUse + 50;
    figures.ownHits = ownHits;
    figures.depotHits = 10;
    figures.resets = figures.takes() - inUse;
    figures.stocks = 2;
    return figures;
}

// A cache with parts, and one without.
inline QPool::CacheListing sampleCaches()
{
    QPool::CacheListing listing;
    QPool::CacheFigures requests;
    requests.name = "requests";
    requests.number = 1;
    requests.objectSize = 104;
    requests.categories = { {}, categoryFigures("network", 1500000, 40000000),
                            categoryFigures("files", 8, 432) };
    QPool::CacheFigures parsers;
    parsers.name = "std::vector<Parser>";
    parsers.number = 4;
    parsers.objectSize = 4160;
    parsers.categories = { categoryFigures("", 0, 0) };
    listing.caches = { requests, parsers };
    return listing;
}

#endif // SAMPLEFIGURES_H
