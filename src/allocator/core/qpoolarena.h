// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLARENA_H
#define QPOOLARENA_H

#include "qpoolbin.h"

#include <atomic>

namespace QPool {

struct PageHeader;

// What an arena is apart from its bins. Arenas are immortal: a pointer to one is never stale.
class ArenaBase
{
public:
    constexpr ArenaBase() = default;

    // For statistics, written by the owner or under the registry's lock.
    std::uint32_t id = 0;
    std::atomic<std::uint64_t> thread { 0 };
    std::atomic<std::uint32_t> adoptions { 0 };
    std::atomic<bool> orphaned { false };
    std::atomic<std::uint32_t> pageCount { 0 };

    // The owner's: empty pages kept for any bin, and how many were passed on since trimming.
    PageHeader *emptyPages = nullptr;
    std::uint32_t emptyCount = 0;
    std::uint32_t releasedPages = 0;

    // Set, with release, by every thread after it pushed to one of the bins' backlogs; cleared,
    // with acquire, by the owner before it looks through them. So the owner either sees the
    // push, or finds the flag set the next time: no backlog is forgotten.
    alignas(CacheLineSize) std::atomic<bool> hasBacklog { false };
};

// Everything one thread needs, for the size classes of a \a Layout:
//   static constexpr unsigned BinCount;
//   static constexpr std::size_t chunkSize(unsigned bin);   // a multiple of sizeof(void *)
template <class Layout>
class Arena : public ArenaBase
{
public:
    constexpr Arena() = default;

    Bin bins[Layout::BinCount];
    Arena *nextOrphan = nullptr; // guarded by the registry's lock
    Arena *nextArena = nullptr; // constant once the arena is in the registry
};

} // namespace QPool

#endif // QPOOLARENA_H
