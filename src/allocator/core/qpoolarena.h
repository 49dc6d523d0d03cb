// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLARENA_H
#define QPOOLARENA_H

#include "qpoolbin.h"

#include <atomic>

namespace QPool {

struct PageHeader;

// The name of a pool's threading model, in a place of the pool's own: by the address in its arenas
// one tells whose a chunk is, however many arenas there are.
struct PoolName
{
    constexpr explicit PoolName(const char *model)
    {
        for (unsigned i = 0; i + 1 < sizeof(text) && model[i]; ++i)
            text[i] = model[i];
    }

    bool isOf(const char *model) const noexcept { return model == text; }

    char text[24] = {};
};

// What an arena is apart from its bins. Arenas are immortal: a pointer to one is never stale.
class ArenaBase
{
public:
    // \a model is the text of the pool's PoolName.
    constexpr ArenaBase(const char *model, Bin *bins, unsigned binCount)
        : model(model), firstBin(bins), binCount(binCount)
    {
    }

    const char *const model;
    Bin *const firstBin;
    const unsigned binCount;

    // For statistics, written by the owner or under the registry's lock.
    std::atomic<std::uint32_t> id { 0 };
    std::atomic<std::uint64_t> thread { 0 };
    std::atomic<std::uint32_t> adoptions { 0 };
    std::atomic<bool> orphaned { false };
    std::atomic<std::uint32_t> pageCount { 0 };

    // The owner's: empty pages kept for any bin; and, since the last trimming, how many pages
    // were passed on and how many chunks went back to pages.
    PageHeader *emptyPages = nullptr;
    std::uint32_t emptyCount = 0;
    std::uint32_t releasedPages = 0;
    std::uint32_t returnedChunks = 0;

    // The owner's, for idle(): the bins whose magazines hold more than the few slots in the bin,
    // and how often it looked at them.
    Bin *largeBins = nullptr;
    std::uint32_t idleTurns = 0;

    // Set by every thread after it pushed to one of the bins' backlogs, cleared by the owner
    // before it looks through them. So the owner either sees the push, or finds the flag set
    // the next time: no backlog is forgotten. Setting it is a read-modify-write with release,
    // not a store: a store would end the release sequence of the pushers before, and the owner,
    // acquiring, would see the last one's push alone. Nor may it be skipped when the flag is
    // seen set: the owner may be past its look by then.
    alignas(CacheLineSize) std::atomic<bool> hasBacklog { false };

    void noteBacklog() noexcept { hasBacklog.exchange(true, std::memory_order_release); }
    bool takeBacklogNote() noexcept
    {
        return hasBacklog.load(std::memory_order_relaxed)
                && hasBacklog.exchange(false, std::memory_order_acquire);
    }
};

// Everything one thread needs, for the size classes of a \a Layout:
//   static constexpr unsigned BinCount;
//   static constexpr std::size_t chunkSize(unsigned bin);   // a multiple of sizeof(void *)
template <class Layout>
class Arena : public ArenaBase
{
public:
    constexpr explicit Arena(const char *model) : ArenaBase(model, bins, Layout::BinCount) { }

    Bin bins[Layout::BinCount];
    Arena *nextOrphan = nullptr; // guarded by the registry's lock
    Arena *nextArena = nullptr; // constant once the arena is in the registry
};

} // namespace QPool

#endif // QPOOLARENA_H
