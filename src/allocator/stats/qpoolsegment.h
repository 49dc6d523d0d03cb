// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSEGMENT_H
#define QPOOLSEGMENT_H

#include "../pages/qpoolsystempages.h"

#include <atomic>
#include <cstring>
#include <ctime>

QPOOL_BEGIN_NAMESPACE

/*
    The segment that a process publishes begins with this header. It holds the arenas that the process
    works with, at the offsets that the header names. The reader may be of another version of the
    allocator than the process, so the segment describes itself: this header is the only structure
    whose layout the reader assumes.

    Offsets are in bytes, those of the header from the start of the segment, the others from the
    start of an arena or of a bin. A "word" has wordBytes bytes. Fields marked "changes" change while
    they are read; all others are constant once the magic is written.

    A bin's statistics are computed so (see Bin, and statisticsOf()):
        allocated = popped
        freed     = pushed + popped - (loaded - held)
        remote    = pushed
        backlog   = pushed - taken
*/
struct SegmentHeader
{
    static constexpr char Magic[8] = { 'Q', 'P', 'o', 'o', 'l', 'M', 'o', 'n' };
    static constexpr std::uint32_t ByteOrder = 0x01020304;
    // Raised whenever a reader of an older format would misread a newer one.
    static constexpr std::uint32_t Version = 1;
    static constexpr unsigned MaxDomains = 8;
    // The segment's name in the system's lists, followed by the process's number.
    static constexpr char NamePrefix[] = "qpool-monitor-";

    struct Domain
    {
        char name[16]; // ends in a null byte
        std::uint32_t firstBin;
        std::uint32_t binCount;
    };

    char magic[8]; // written last
    std::uint32_t byteOrder;
    std::uint32_t version;
    std::uint32_t headerBytes;
    std::uint32_t wordBytes; // 4 or 8
    std::uint64_t segmentBytes;
    std::uint64_t pid; // of the publishing process; its children have no segment
    std::uint64_t since; // milliseconds since 1970, UTC
    char library[32]; // the version of the publishing library; ends in a null byte
    std::uint32_t enabled; // 0: the pool is disabled, and its counters stay zero

    std::uint32_t domainCount;
    Domain domains[MaxDomains];
    std::uint32_t binCount;
    std::uint32_t sizesAt; // 32 bits per bin: the size of its chunks in bytes

    std::uint32_t arenaCountAt; // 32 bits, changes: the number of arenas in the segment
    std::uint32_t arenasMissingAt; // 32 bits, changes: the number of arenas without room in it
    std::uint32_t reservedAt; // words, change: see PageMemory
    std::uint32_t committedAt;
    std::uint32_t decommittedAt;

    std::uint32_t arenasAt;
    std::uint32_t arenaStride;
    std::uint32_t idAt; // 32 bits; 0 while the arena is being made
    std::uint32_t threadAt; // 64 bits, changes
    std::uint32_t adoptionsAt; // 32 bits, changes
    std::uint32_t orphanedAt; // 8 bits, changes
    std::uint32_t pagesAt; // 32 bits, changes
    std::uint32_t binsAt;

    std::uint32_t binStride;
    std::uint32_t loadedAt; // words, change
    std::uint32_t pushedAt;
    std::uint32_t takenAt;
    std::uint32_t heldAt;
    std::uint32_t heldMask; // for the value at heldAt
    std::uint32_t poppedAt;
    std::uint32_t poppedShift; // to the right
    std::uint32_t reserved; // 0
};
// The same size for writers and readers of any word size.
static_assert(sizeof(SegmentHeader) == 376);

// The targets of the header's own offsets in a segment of this version.
struct SegmentLive
{
    std::atomic<std::uint32_t> arenaCount;
    std::atomic<std::uint32_t> arenasMissing;
    PublishedMemory memory;
};

// Fills in the members with which each segment's header begins, whatever it publishes; not the magic.
template <class Header>
void beginHeader(Header *header, std::size_t segmentBytes, std::uint64_t pid) noexcept
{
    header->byteOrder = SegmentHeader::ByteOrder;
    header->version = Header::Version;
    header->headerBytes = sizeof(Header);
    header->wordBytes = sizeof(std::size_t);
    header->segmentBytes = segmentBytes;
    header->pid = pid;
#ifdef TIME_UTC
    timespec now {};
    std::timespec_get(&now, TIME_UTC);
    header->since = std::uint64_t(now.tv_sec) * 1000 + std::uint64_t(now.tv_nsec) / 1000000;
#else
    header->since = std::uint64_t(std::time(nullptr)) * 1000;
#endif
}

// Writes the magic. In halves, because 32-bit machines may have no larger atomics; the store of the first
// half releases all that was written before.
template <class Header>
void completeHeader(Header *header) noexcept
{
    std::uint32_t halves[2];
    static_assert(sizeof(halves) == sizeof(Header::Magic));
    std::memcpy(halves, Header::Magic, sizeof(halves));
    auto *magic = reinterpret_cast<std::atomic<std::uint32_t> *>(header->magic);
    magic[1].store(halves[1], std::memory_order_relaxed);
    magic[0].store(halves[0], std::memory_order_release);
}

QPOOL_END_NAMESPACE

#endif // QPOOLSEGMENT_H
