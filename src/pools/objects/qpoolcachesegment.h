// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLCACHESEGMENT_H
#define QPOOLCACHESEGMENT_H

#include "../../allocator/qpoolglobal.h"

#include <atomic>

QPOOL_BEGIN_NAMESPACE

/*
    What a process shows of its object caches: a segment that begins with this header, whose
    beginning is that of a pool's header (SegmentHeader), and contains an array of records. A record
    describes one category of a cache, or the stock that one thread has of a category, and gives the
    positions of the counters in it; the cache itself works with these counters. A reader relies on
    no structure but these two.

    Offsets are in bytes, those of the header from the start of the segment, the others from the
    start of the record. A "word" has wordBytes. Members marked "changes" change while they are
    read; all other members of a record are constant as long as its state is.

    The statistics of a category; all sums are over its stocks:
        in stocks   = slots that are not null, the first "top" of a stock
        in use      = held - in stocks - idle
        own hits    = direct takes + sum of taken - depot takes
        takes       = direct takes + sum of taken + misses
        resets      = takes - in use: every object that is given back was reset once
*/
struct CacheSegmentHeader
{
    static constexpr char Magic[8] = { 'Q', 'P', 'o', 'o', 'l', 'C', 'c', 'h' };
    // Incremented whenever a reader of an older format would misread a newer one.
    static constexpr std::uint32_t Version = 2;
    // In the system's lists, the segment has this name followed by the number of the process.
    static constexpr char NamePrefix[] = "qpool-caches-";

    char magic[8]; // written last
    std::uint32_t byteOrder; // as SegmentHeader::ByteOrder
    std::uint32_t version;
    std::uint32_t headerBytes;
    std::uint32_t wordBytes; // 4 or 8
    std::uint64_t segmentBytes;
    std::uint64_t pid; // of the process that writes; its child has no segment
    std::uint64_t since; // milliseconds since 1970, UTC

    std::uint32_t recordsAt;
    std::uint32_t recordStride;
    std::uint32_t recordCountAt; // 32 bits, changes: how many records, including free ones
    std::uint32_t missingAt; // 32 bits, changes: how many categories are not shown
};
// The same for writers and readers of any word size.
static_assert(sizeof(CacheSegmentHeader) == 64);

// The position of the data for the header's offsets in a segment written by this version.
struct CacheSegmentLive
{
    std::atomic<std::uint32_t> recordCount;
    std::atomic<std::uint32_t> missing;
};

/*
    Invariant: state is written last when a record is shown, with release, and first when it is
    hidden, and has another value whenever the contents of the record belong to something else. So
    if a reader finds the same state, other than a free one, before and after it reads, what it read
    belongs to one use.
*/
struct CacheRecord
{
    enum Kind : std::uint32_t { Free, Category, Stock };
    static constexpr std::uint32_t KindMask = 3;

    std::atomic<std::uint32_t> state; // the kind, and above it the number of the record's use
    std::atomic<std::uint32_t> stocksMissing; // changes; of a category: stocks not shown
    std::uint64_t category; // a number that no other category of the process ever has
    std::uint64_t cache; // the same for all categories of a cache
    std::uint64_t objectSize; // in bytes, with the object's header

    // For a category: words that change.
    std::uint32_t heldAt;
    std::uint32_t idleAt; // in the depot
    std::uint32_t missesAt;
    std::uint32_t depotTakesAt;
    std::uint32_t directTakesAt; // of those, by threads without a stock
    std::uint32_t stealsAt;
    std::uint32_t discardedAt;

    // For a stock.
    std::uint32_t takenAt; // a word that changes
    std::uint32_t topAt; // 32 bits, changes
    std::uint32_t slotsAt; // words that change
    std::uint32_t slotCount;

    // Both end in a null byte.
    char cacheName[64];
    char categoryName[48];

    std::uint32_t unused; // so that the size is the same on all processors

    std::uint32_t offsetOf(const void *member) const noexcept
    {
        return std::uint32_t(static_cast<const char *>(member) - reinterpret_cast<const char *>(this));
    }
};
static_assert(sizeof(CacheRecord) == 192);

QPOOL_END_NAMESPACE

#endif // QPOOLCACHESEGMENT_H
