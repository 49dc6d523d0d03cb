// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLCACHESTATISTICS_H
#define QPOOLCACHESTATISTICS_H

#include <cstdint>
#include <string>
#include <vector>

namespace QPool {

/*!
    \class QPool::CacheCounts
    \brief Statistics of an object cache, or of one of its categories: numbers of objects.

    Exact while no thread takes or returns objects. Counts are since the start.
*/
struct CacheCounts
{
    std::uint64_t inUse = 0; //!< with the program
    std::uint64_t inStocks = 0; //!< idle, in the stocks of threads
    std::uint64_t inDepot = 0; //!< idle, for all threads
    std::uint64_t made = 0;
    std::uint64_t destroyed = 0;
    std::uint64_t ownHits = 0; //!< taken from the thread's own stock
    std::uint64_t depotHits = 0; //!< taken from the depot, or another thread's stock through it
    std::uint64_t steals = 0; //!< the part of depotHits that came from another thread's stock
    std::uint64_t misses = 0; //!< taken when no object was idle, so that a new one was made
    std::uint64_t resets = 0; //!< given back

    std::uint64_t takes() const noexcept { return ownHits + depotHits + misses; }
};

struct NamedCacheCount
{
    const char *name; //!< in JSON
    std::uint64_t CacheCounts::*count;
};

inline constexpr NamedCacheCount AllCacheCounts[] = {
    { "inUse", &CacheCounts::inUse },
    { "inStocks", &CacheCounts::inStocks },
    { "inDepot", &CacheCounts::inDepot },
    { "made", &CacheCounts::made },
    { "destroyed", &CacheCounts::destroyed },
    { "ownHits", &CacheCounts::ownHits },
    { "depotHits", &CacheCounts::depotHits },
    { "steals", &CacheCounts::steals },
    { "misses", &CacheCounts::misses },
    { "resets", &CacheCounts::resets },
};

struct CategoryStatistics : CacheCounts
{
    std::string name; //!< empty: the cache's own category
    std::uint32_t stocks = 0; //!< of threads; includes stocks of ended threads that wait for a new owner
    std::uint32_t missingStocks = 0; //!< not counted: they could not be published

    //! Whether it is the cache's own category, and no object was ever taken from it.
    bool isUnused() const noexcept { return name.empty() && takes() == 0; }
};

struct CacheStatistics
{
    std::string name; //!< given by the program, or the type of its objects
    std::uint64_t number = 0; //!< unique in the process, never reused
    std::uint64_t objectSize = 0; //!< bytes of an object in the pool, with its header
    std::vector<CategoryStatistics> categories; //!< in order of creation

    //! The sum over the categories.
    CacheCounts counts() const noexcept;
    //! Whether it has other categories than its own.
    bool hasParts() const noexcept;
    //! Whether all stocks could be published.
    bool isWhole() const noexcept;
};

//! The object caches of a process, in order of creation.
struct CacheListing
{
    std::vector<CacheStatistics> caches;
    std::uint32_t missing = 0; //!< categories made before publishing began, or without room
    std::string problem; //!< why the published caches can't be read, as a clause; empty if they can

    bool isEmpty() const noexcept { return caches.empty() && missing == 0 && problem.empty(); }
};

} // namespace QPool

#endif // QPOOLCACHESTATISTICS_H
