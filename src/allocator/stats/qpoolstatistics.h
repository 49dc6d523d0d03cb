// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSTATISTICS_H
#define QPOOLSTATISTICS_H

#include "../core/qpoolarena.h"

QPOOL_BEGIN_NAMESPACE

// The statistics of one size class, of one arena or summed over several. Exact while the threads that
// use it are idle. While they run, each number is read whole, but not all at one moment.
struct BinStatistics
{
    std::uint64_t allocated = 0; // chunks, since the start
    std::uint64_t freed = 0; // chunks, by any thread; of large ones, by this one: see Supply
    std::uint64_t remote = 0; // chunks of freed, by threads that did not own the arena

    // Of large chunks, a thread may free more than it allocates. The sum over all arenas is right.
    std::uint64_t live() const noexcept { return allocated > freed ? allocated - freed : 0; }

    BinStatistics &operator+=(const BinStatistics &other) noexcept
    {
        allocated += other.allocated;
        freed += other.freed;
        remote += other.remote;
        return *this;
    }
};

// The same from counters of 32 bits, which wrap within minutes. The number of live chunks is a difference
// of counters, and exact nevertheless. The other numbers are modulo 2^32, plus 2^32 where the difference
// would otherwise be negative.
inline BinStatistics statisticsOfShortCounters(std::uint32_t popped, std::uint32_t loaded,
                                               std::uint32_t held, std::uint32_t pushed) noexcept
{
    BinStatistics statistics;
    statistics.allocated = popped;
    statistics.remote = pushed;
    const std::int64_t live = std::int32_t(loaded - held - pushed);
    if (std::int64_t(statistics.allocated) < live)
        statistics.allocated += std::uint64_t(1) << 32;
    statistics.freed = statistics.allocated - std::uint64_t(live);
    return statistics;
}

// What the owner freed: all but what is with the program or was freed by other threads. The latter is negative if
// the owner freed what others allocated. The result never is, but for a moment while threads run.
inline std::uint64_t freedByOwner(std::uint64_t allocated, std::uint64_t loaded, std::uint64_t held) noexcept
{
    const std::uint64_t freed = allocated - (loaded - held);
    return std::int64_t(freed) > 0 ? freed : 0;
}

// Derived from the magazine's contents and its counters: see Bin.
inline BinStatistics statisticsOf(const Bin &bin) noexcept
{
    BinStatistics statistics;
    statistics.remote = bin.backlog.pushed();
    const auto level = bin.level.load();
    if constexpr (sizeof(std::size_t) == sizeof(std::uint32_t)) {
        return statisticsOfShortCounters(std::uint32_t(level.popped()),
                                         std::uint32_t(bin.loaded.load(std::memory_order_relaxed)),
                                         level.held(), std::uint32_t(statistics.remote));
    }
    statistics.allocated = level.popped();
    statistics.freed = statistics.remote
            + freedByOwner(statistics.allocated, bin.loaded.load(std::memory_order_relaxed), level.held());
    return statistics;
}

struct ArenaStatistics
{
    std::uint32_t id = 0;
    std::uint64_t thread = 0; // the owner; the last owner if the arena is an orphan
    bool orphaned = false;
    std::uint32_t adoptions = 0;
    std::uint32_t pages = 0;
    std::uint64_t live = 0; // chunks; of large ones, at most those that the thread allocated and did not free itself
    std::uint64_t liveBytes = 0;
    std::uint64_t backlog = 0; // chunks freed by other threads, not collected yet
};

template <class Layout>
ArenaStatistics statisticsOf(const Arena<Layout> &arena) noexcept
{
    ArenaStatistics statistics;
    statistics.id = arena.id.load(std::memory_order_relaxed);
    statistics.thread = arena.thread.load(std::memory_order_relaxed);
    statistics.orphaned = arena.orphaned.load(std::memory_order_relaxed);
    statistics.adoptions = arena.adoptions.load(std::memory_order_relaxed);
    statistics.pages = arena.pageCount.load(std::memory_order_relaxed);
    for (const Bin &bin : arena.bins) {
        const std::uint64_t live = statisticsOf(bin).live();
        statistics.live += live;
        statistics.liveBytes += live * bin.chunkSize.load(std::memory_order_relaxed);
        statistics.backlog += bin.backlog.pending();
    }
    return statistics;
}

QPOOL_END_NAMESPACE

#endif // QPOOLSTATISTICS_H
