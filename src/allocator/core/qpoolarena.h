// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLARENA_H
#define QPOOLARENA_H

#include "../pages/qpoolpage.h"
#include "qpoolbin.h"
#include "qpoolownership.h"

#include <atomic>
#include <new>

QPOOL_BEGIN_NAMESPACE

struct PageHeader;
class RemoteCache;

// The name of a pool's threading model, stored in each pool separately: the address in an arena
// identifies the pool that a chunk belongs to, whatever the number of arenas.
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

// A system without threads has no thread numbers, and its processor may have no wider atomics.
#ifdef QPOOL_FREESTANDING
using ThreadNumber = std::uintptr_t;
#else
using ThreadNumber = std::uint64_t;
#endif

// How often something began and ended: odd while it goes on. Relaxed.
class Episodes
{
public:
    std::uint32_t count() const noexcept { return m_count.load(std::memory_order_relaxed); }
    QPOOL_ALWAYS_INLINE bool isOpen() const noexcept { return count() % 2 != 0; }
    QPOOL_ALWAYS_INLINE void begin() noexcept { m_count.store((count() + 1) | 1, std::memory_order_relaxed); }
    QPOOL_ALWAYS_INLINE void end() noexcept { m_count.store((count() | 1) + 1, std::memory_order_relaxed); }

private:
    std::atomic<std::uint32_t> m_count { 0 };
};

// An arena without its bins. Arenas are immortal: a pointer to one is never stale.
class ArenaBase
{
public:
    // One bit for each bin.
    using BinSet = std::size_t;
    static constexpr unsigned BinsInSet = sizeof(BinSet) * 8;

    // \a name is the text of the pool's PoolName. Without \a used, for code that uses only the pages of the bins.
    constexpr ArenaBase(const char *name, Bin *bins, unsigned count, BinSet *used = nullptr)
        : model(name), firstBin(bins), usedBins(used), binCount(count)
    {
    }

    const char *const model;
    Bin *const firstBin;
    // The owner's: the bins that were ever used. What concerns all bins leaves out the others,
    // without touching their memory: in an arena with many bins, each few are a page.
    BinSet *const usedBins;
    const unsigned binCount;

    // For statistics, written by the owner or under the registry's lock. It is `orphaned` while it is in
    // the registry's list of orphans, even if it is lent.
    std::atomic<std::uint32_t> id { 0 };
    std::atomic<ThreadNumber> thread { 0 };
    std::atomic<std::uint32_t> adoptions { 0 };
    std::atomic<bool> orphaned { false };
    std::atomic<std::uint32_t> pageCount { 0 };

    // The owner's: empty pages kept for any bin; and the number of chunks put back into pages since the
    // last trim.
    PageHeader *emptyPages = nullptr;
    std::uint32_t emptyCount = 0;
    std::uint32_t returnedChunks = 0;

    // The owner's: the number of allocations refused in a row for lack of memory.
    std::uint32_t refusals = 0;

    // The owner's, for giving memory back: the bins whose magazines may hold chunks, those with
    // magazines larger than the inline slots first; and when they were last checked, see Trim::rest().
    Bin *watchedBins = nullptr;
    std::uint32_t restedAt = 0; // in milliseconds

    // The owner's: the sampling interval that its bins follow, see SampledBins, and whether their magazines may
    // hold chunks.
    std::size_t sampledEvery = 0;
    bool sampledHold = false;

    // The owner's: its remote cache. While the arena is parked, the thread reaches it only here, so the
    // first chunk that it frees after it wakes takes the path on which it takes back the arena.
    RemoteCache *remoteCache = nullptr;

    // The owner's slow paths, in which the arena and its remote cache change. One more than their count before a
    // fork(), 0 if the child cannot have the arena; and the registry's number of forks when the owner got the arena.
    // See ArenaRegistry::forked().
    Episodes changes;
    std::uint32_t changesBeforeFork = 0;
    bool isAbandoned = false; // a shared arena, by the child of a fork(): see Supply
    std::atomic<std::uint32_t> generation { 0 };

    // The bytes that other threads pushed to the bins' backlogs since the last check of the
    // backlogs, and one more for each time that a check was asked for. Decides when to check, never about
    // memory. A thread adds to it after its push; the owner or visitor takes it before it reads the
    // backlogs. So it either sees the push, or finds the count non-zero the next time; no backlog
    // is forgotten. Adding is a read-modify-write that releases: a store would end the release
    // sequence of earlier pushers, and the acquire of the owner or visitor would see only the last
    // push. It is sequentially consistent because Ownership needs that.
    alignas(CacheLineSize) std::atomic<std::size_t> pendingBytes { 0 };
    Ownership ownership;

    std::size_t indexOf(const Bin &bin) const noexcept { return std::size_t(&bin - firstBin); }

    void noteUsed(const Bin &bin) noexcept
    {
        const std::size_t index = indexOf(bin);
        usedBins[index / BinsInSet] |= BinSet(1) << index % BinsInSet;
    }

    // Returns the first used bin from \a index on and its index, or null. To visit all:
    //   for (unsigned i = 0; Bin *bin = arena.usedBin(i); ++i)
    Bin *usedBin(unsigned &index) const noexcept
    {
        for (; index < binCount; ++index) {
            const BinSet left = usedBins[index / BinsInSet] >> index % BinsInSet;
            if (left & 1)
                return firstBin + index;
            if (left == 0)
                index |= BinsInSet - 1; // none in this word
        }
        return nullptr;
    }

    // The fences keep the compiler from moving changes of the arena out of the slow path.
    QPOOL_ALWAYS_INLINE void beginSlowPath() noexcept
    {
        changes.begin();
        std::atomic_signal_fence(std::memory_order_seq_cst);
    }
    QPOOL_ALWAYS_INLINE void endSlowPath() noexcept
    {
        std::atomic_signal_fence(std::memory_order_seq_cst);
        changes.end();
    }

    // Returns the bytes pending now.
    std::size_t noteBacklog(std::size_t bytes) noexcept
    {
        return pendingBytes.fetch_add(bytes, std::memory_order_seq_cst) + bytes;
    }
    // The backlogs must be checked, however little was pushed.
    void askForCheck() noexcept { noteBacklog(1); }
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
    constexpr explicit Arena(const char *name)
        : ArenaBase(name, bins, Layout::BinCount, usedSets)
    {
    }

    // Stands for no arena: its bins are empty, and no thread reads its backlogs. It is all zero, so
    // it takes no space in a library's file, and no memory.
    constexpr Arena() : ArenaBase(nullptr, nullptr, 0, nullptr) { }

    // Makes an arena in zeroed memory; the rest of a new arena is zero, too. No bin is written to,
    // so an arena with many bins takes memory only where one is used. Only the base of the object
    // is constructed: the compiler could treat what a constructor leaves out as undefined.
    static Arena *makeIn(void *zeroes, const char *model) noexcept
    {
        auto *arena = static_cast<Arena *>(zeroes);
        new (zeroes) ArenaBase(model, arena->bins, Layout::BinCount, arena->usedSets);
        return arena;
    }

    // How far from bin \a first the bin of \a page is, in bytes and in the page's own arena. That is not read: other
    // threads write to it. A block's tag is in no arena, and farther than any bin.
    QPOOL_ALWAYS_INLINE std::size_t distanceFrom(unsigned first, const PageHeader &page) const noexcept
    {
        const auto addressOf = [](const void *object) { return reinterpret_cast<std::uintptr_t>(object); };
        return addressOf(page.bin) - addressOf(page.owner) - (addressOf(bins + first) - addressOf(this));
    }

    // These are in front of the bins, so that a thread that uses few bins touches few pages.
    BinSet usedSets[(Layout::BinCount + BinsInSet - 1) / BinsInSet] = {};
    Arena *nextOrphan = nullptr; // guarded by the registry's lock
    Arena *lender = nullptr; // the owner's: an orphan that it borrows from
    Arena *nextArena = nullptr; // constant once the arena is in the registry
    Bin bins[Layout::BinCount];
};

QPOOL_END_NAMESPACE

#endif // QPOOLARENA_H
