// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLTRIM_H
#define QPOOLTRIM_H

#include "qpoolslowpath.h"

namespace QPool {

// Giving memory back, for an arena as a whole. The owner's calls.
template <class Layout, class Source>
struct Trim
{
    using ArenaType = Arena<Layout>;

    // Takes in what other threads freed, if they did since the last look.
    static void takeBacklogs(ArenaType &arena) noexcept
    {
        if (!arena.hasBacklog.load(std::memory_order_relaxed)
            || !arena.hasBacklog.exchange(false, std::memory_order_acquire)) {
            return;
        }
        for (Bin &bin : arena.bins)
            SlowPath<Source>::takeBacklog(arena, bin);
    }

    // Every empty page back to the source; whether the source keeps them is its own affair.
    static void arena(ArenaType &arena) noexcept
    {
        arena.hasBacklog.exchange(false, std::memory_order_acquire);
        for (Bin &bin : arena.bins)
            SlowPath<Source>::trim(arena, bin);
        BinPages<Source>::releaseKept(arena);
    }

    // For the moment before a thread goes to sleep; cheap when there is nothing to do. Pages
    // that left since the last time go on to the system, unless they were only a few: what
    // comes and goes with every turn of an event loop stays.
    static void idle(ArenaType &arena) noexcept
    {
        takeBacklogs(arena);
        constexpr std::uint32_t worthTheCall = 16;
        if (arena.releasedPages < worthTheCall)
            return;
        BinPages<Source>::releaseKept(arena);
        arena.releasedPages = 0;
        Source::trim();
    }
};

} // namespace QPool

#endif // QPOOLTRIM_H
