// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSTATISTICS_H
#define QPOOLSTATISTICS_H

#include "../core/qpoolarena.h"

namespace QPool {

// The figures of one size class, of one arena or summed over several. Exact while the threads
// concerned are quiet; never torn, but not of one moment, while they run.
struct BinStatistics
{
    std::uint64_t allocated = 0; // chunks, since the start
    std::uint64_t freed = 0; // by any thread
    std::uint64_t remote = 0; // of those, by a thread that did not own the arena

    std::uint64_t live() const noexcept { return allocated > freed ? allocated - freed : 0; }

    BinStatistics &operator+=(const BinStatistics &other) noexcept
    {
        allocated += other.allocated;
        freed += other.freed;
        remote += other.remote;
        return *this;
    }
};

// Derived from what the magazines hold and what went through them: see Bin.
inline BinStatistics statisticsOf(const Bin &bin) noexcept
{
    // Frees first: what is seen freed was allocated before, so that live is not below zero by
    // more than the two reads of a magazine and its count lie apart.
    BinStatistics statistics;
    statistics.remote = bin.backlog.pushed();
    statistics.freed = statistics.remote + bin.unloaded.load(std::memory_order_relaxed)
            + bin.freeCount.load(std::memory_order_relaxed);
    // The first load of a bin is seen in either order.
    const std::uint64_t loaded = bin.loaded.load(std::memory_order_relaxed);
    const std::uint32_t held = bin.allocCount.load(std::memory_order_relaxed);
    statistics.allocated = loaded > held ? loaded - held : 0;
    return statistics;
}

struct ArenaStatistics
{
    std::uint32_t id = 0;
    std::uint64_t thread = 0; // the owner's, or the last owner's of an orphan
    bool orphaned = false;
    std::uint32_t adoptions = 0;
    std::uint32_t pages = 0;
    std::uint64_t live = 0; // chunks
    std::uint64_t liveBytes = 0;
    std::uint64_t backlog = 0; // chunks freed by others, not taken in yet
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

} // namespace QPool

#endif // QPOOLSTATISTICS_H
