// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QOBJECTSTATISTICS_H
#define QOBJECTSTATISTICS_H

#include "../../allocator/qpoolglobal.h"

QPOOL_BEGIN_NAMESPACE

// The statistics of one category of an ObjectCache, or of all. Exact while no thread takes or gives
// back; otherwise never torn, but not of a single moment. Counts are since the start, and wrap
// where std::size_t does.
struct ObjectCacheStatistics
{
    const char *category = ""; // valid as long as the cache; empty for the one without a name
    std::size_t held = 0; // objects that exist
    std::size_t inUse = 0; // of those, in use by the program
    std::size_t idleInStocks = 0; // kept by threads
    std::size_t idleInDepot = 0; // kept in the depot
    std::size_t hits = 0; // objects taken that existed already
    std::size_t misses = 0; // objects taken that had to be created
    std::size_t depotTakes = 0; // hits that went to the depot
    std::size_t steals = 0; // of those, served from another thread's stock
    std::size_t discarded = 0; // objects destroyed: by a limit, by Reset, by trim()
    std::size_t stocks = 0; // of threads, including stocks of threads that ended

    std::size_t idle() const noexcept { return idleInStocks + idleInDepot; }
    std::size_t takes() const noexcept { return hits + misses; }

    ObjectCacheStatistics &operator+=(const ObjectCacheStatistics &other) noexcept
    {
        held += other.held;
        inUse += other.inUse;
        idleInStocks += other.idleInStocks;
        idleInDepot += other.idleInDepot;
        hits += other.hits;
        misses += other.misses;
        depotTakes += other.depotTakes;
        steals += other.steals;
        discarded += other.discarded;
        stocks += other.stocks;
        return *this;
    }
};

QPOOL_END_NAMESPACE

#endif // QOBJECTSTATISTICS_H
