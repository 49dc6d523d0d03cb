// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLTRIM_H
#define QPOOLTRIM_H

#include "qpoolslowpath.h"

namespace QPool {

// When memory goes back, for an arena as a whole. The owner's calls.
template <class Source>
struct Trim
{
    static void now(ArenaBase &arena) noexcept { SlowPath<Source>::trim(arena); }

    // For the moment before a thread goes to sleep; cheap when there is nothing to do. After a
    // burst the arena is trimmed, magazines included: each chunk in them may be the last that
    // holds a page. What a turn of an event loop allocates and frees stays below the limits.
    static void idle(ArenaBase &arena) noexcept
    {
        SlowPath<Source>::takeBacklogs(arena);
        constexpr std::uint32_t manyPages = 16;
        constexpr std::uint32_t manyChunks = 4096;
        if (arena.releasedPages < manyPages && arena.returnedChunks < manyChunks)
            return;
        now(arena);
        Source::idle();
    }
};

} // namespace QPool

#endif // QPOOLTRIM_H
