// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLARENA_H
#define QPOOLARENA_H

#include "qpoolbin.h"
#include "qpoolownership.h"

#include <atomic>
#include <new>

QPOOL_BEGIN_NAMESPACE

struct PageHeader;
class RemoteCache;

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

// Of a system without threads nobody asks for one, and its processor may have no wider atomics.
#ifdef QPOOL_FREESTANDING
using ThreadNumber = std::uintptr_t;
#else
using ThreadNumber = std::uint64_t;
#endif

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
    std::atomic<ThreadNumber> thread { 0 };
    std::atomic<std::uint32_t> adoptions { 0 };
    std::atomic<bool> orphaned { false };
    std::atomic<std::uint32_t> pageCount { 0 };

    // The owner's: empty pages kept for any bin; and, since the last trimming, how many pages
    // were passed on and how many chunks went back to pages.
    PageHeader *emptyPages = nullptr;
    std::uint32_t emptyCount = 0;
    std::uint32_t releasedPages = 0;
    std::uint32_t returnedChunks = 0;

    // The owner's: how many allocations were refused in a row, for want of memory.
    std::uint32_t refusals = 0;

    // The owner's, for giving back: the bins whose magazines may hold something, those with more
    // than the few slots in the bin first; how often idle() looked at them, and how much the
    // magazines passed on since somebody did.
    Bin *watchedBins = nullptr;
    std::uint32_t idleTurns = 0;
    std::uint32_t passedBytes = 0;
    std::uint32_t passedTimes = 0;
    std::uint32_t lastRest = 0; // in milliseconds

    // While the arena is parked: its thread's remote cache. Out of the thread's reach, so that what the
    // thread frees first when it wakes finds its way to the arena.
    RemoteCache *parkedRemoteCache = nullptr;

    // The bytes that other threads pushed to the bins' backlogs since somebody looked through
    // them, or 1 where a look is wanted for something else; decides when to look, never about
    // memory. Added to by every thread after its push, and taken by the owner or visitor before it
    // looks: so the looker either sees the push, or finds the count not zero the next time; no
    // backlog is forgotten. Adding is a read-modify-write that releases: a store would end the
    // release sequence of the pushers before, and the looker, acquiring, would see the last one's
    // push alone. Sequentially consistent for the sake of Ownership.
    alignas(CacheLineSize) std::atomic<std::size_t> pendingBytes { 0 };
    Ownership ownership;

    // Whether the arena is in the registry's queue, and the next one there. Changed with its lock
    // held; looked at without.
    std::atomic<bool> isQueued { false };
    ArenaBase *nextQueued = nullptr;

    // Returns what is pending now.
    std::size_t noteBacklog(std::size_t bytes) noexcept
    {
        return pendingBytes.fetch_add(bytes, std::memory_order_seq_cst) + bytes;
    }
    std::size_t takeBacklogNote() noexcept
    {
        return hasBacklog() ? pendingBytes.exchange(0, std::memory_order_acq_rel) : 0;
    }
    bool hasBacklog() const noexcept
    {
        return pendingBytes.load(std::memory_order_seq_cst) != 0;
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

    // Stands for none: its bins are empty, and nobody looks through them. All of it is zero, so that
    // it takes no room in a library's file, and no memory.
    constexpr Arena() : ArenaBase(nullptr, nullptr, 0) { }

    // Makes one in memory that is all zero, as is the rest of a new arena: no bin is written to, so that
    // an arena with many takes memory only where one of them is used. Of the object only its base is
    // constructed; the compiler would be free to take what a constructor leaves out for undefined.
    static Arena *makeIn(void *zeroes, const char *model) noexcept
    {
        auto *arena = static_cast<Arena *>(zeroes);
        new (zeroes) ArenaBase(model, arena->bins, Layout::BinCount);
        return arena;
    }

    Bin bins[Layout::BinCount];
    Arena *nextOrphan = nullptr; // guarded by the registry's lock
    Arena *lender = nullptr; // the owner's: an orphan that it borrows from
    Arena *nextArena = nullptr; // constant once the arena is in the registry
};

QPOOL_END_NAMESPACE

#endif // QPOOLARENA_H
