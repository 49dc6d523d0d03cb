// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLPUBLICATION_H
#define QPOOLPUBLICATION_H

#include "../core/qpoolarena.h"
#include "../os/qpoolsharedmemory.h"
#include "qpoolsegment.h"

#include <new>
#include <type_traits>

QPOOL_BEGIN_NAMESPACE

// What the owner of a pool passes when it publishes the pool.
struct PublishedDomain
{
    const char *name; // at most 15 bytes
    unsigned firstBin;
    unsigned binCount;
};

struct PublishedPool
{
    const char *library; // a version, at most 31 bytes
    const PublishedDomain *domains;
    unsigned domainCount; // at most SegmentHeader::MaxDomains
    bool enabled;
};

/*
    Shows one pool of the process to readers in other processes. It makes the arenas in memory that
    the readers see (see SharedMemory), and does nothing else: the allocator counts where it always
    does. So publishing costs no instruction per allocation and takes no lock, and a reader sees the
    counters of a sleeping or busy thread as exactly as the process itself does. Copying statistics
    now and then would either be late or need a thread in every process, which a child of fork()
    would not have.

    The pool makes the calls, one at a time, with the lock of its registry held. A child of fork()
    publishes nothing.
*/
class Publication
{
public:
    Publication() = delete;

    // Called once, before the first arena is made. If the segment cannot be made, the process goes on
    // without it, and a line on stderr says why.
    template <class Layout>
    static void begin(const PublishedPool &pool) noexcept
    {
        SegmentHeader *header = create(pool, Layout::BinCount, sizeof(Arena<Layout>));
        if (!header)
            return;
        char *base = reinterpret_cast<char *>(header);
        auto *sizes = reinterpret_cast<std::uint32_t *>(base + header->sizesAt);
        for (unsigned bin = 0; bin < Layout::BinCount; ++bin)
            sizes[bin] = std::uint32_t(Layout::chunkSize(bin));
        // A probe at the first arena's place, for its offsets; the arena itself is made later.
        describe(*header, *new (base + header->arenasAt) Arena<Layout>(nullptr));
        complete();
    }

    // Replaces the library's version: for a module that is loaded after the pool's first use.
    static void rename(const char *library) noexcept;

    // Room for the next arena, zero-filled; null if nothing is published or the segment is full. If
    // it is full, the segment counts the arena as missing.
    static void *allocateArena(std::size_t bytes) noexcept;

    // Gives a child of fork() its own copy of the memory. Call this before the registry's lock is
    // registered with Os::aroundFork(): then the memory is copied while that lock is held, and is in
    // place in the child before any thread can take the lock.
    static void surviveFork() noexcept;

    static bool isActive() noexcept { return s_header; }

private:
    static SegmentHeader *create(const PublishedPool &pool, unsigned binCount,
                                 std::size_t arenaBytes) noexcept;
    static void complete() noexcept;
    static SegmentLive &live() noexcept;

    // Members, not variables of the source file, so that modules that share a pool share them.
    static inline SharedMemory s_memory;
    static inline SegmentHeader *s_header = nullptr;
    static inline std::size_t s_arenaBytes = 0;

    // Readers assume numbers of these types.
    template <class Number, class Member>
    static std::uint32_t offset(const void *start, const Member &member) noexcept
    {
        static_assert(std::is_same_v<Member, std::atomic<Number>>);
        static_assert(sizeof(Member) == sizeof(Number));
        return distance(start, &member);
    }

    static std::uint32_t distance(const void *start, const void *place) noexcept
    {
        return std::uint32_t(static_cast<const char *>(place) - static_cast<const char *>(start));
    }

    template <class Layout>
    static void describe(SegmentHeader &header, const Arena<Layout> &arena) noexcept
    {
        header.idAt = offset<std::uint32_t>(&arena, arena.id);
        header.threadAt = offset<std::uint64_t>(&arena, arena.thread);
        header.adoptionsAt = offset<std::uint32_t>(&arena, arena.adoptions);
        header.orphanedAt = offset<bool>(&arena, arena.orphaned);
        header.pagesAt = offset<std::uint32_t>(&arena, arena.pageCount);
        header.binsAt = distance(&arena, arena.bins);
        const Bin &bin = arena.bins[0];
        header.binStride = sizeof(Bin);
        header.loadedAt = offset<std::size_t>(&bin, bin.loaded);
        header.pushedAt = offset<std::size_t>(&bin, bin.backlog.pushedCounter());
        header.takenAt = offset<std::size_t>(&bin, bin.backlog.takenCounter());
        header.heldAt = distance(&bin, bin.level.heldPlace());
        header.heldMask = Bin::Level::HeldMask;
        header.poppedAt = distance(&bin, bin.level.poppedPlace());
        header.poppedShift = Bin::Level::PoppedShift;
    }
};

QPOOL_END_NAMESPACE

#endif // QPOOLPUBLICATION_H
