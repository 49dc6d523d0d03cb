// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPROCESSPOOL_H
#define QPROCESSPOOL_H

#include "../qpoolheapclasses.h"
#include "../qpoolsizeclasses.h"
#include "../stats/qpoolpublishedpages.h"
#include "qpoolallocator.h"

QPOOL_BEGIN_NAMESPACE

/*
    The pool of a whole process, from which QtCore's operators and the malloc front allocate. Both
    are compiled with QPOOL_PROCESS_COPY, and the copy that the dynamic linker finds first owns the
    state: there is one arena per thread, one remote cache, one idle(), and statistics for all of
    it. Without the front, the heap's bins are never used and cost only addresses.
*/

// Counted separately, each in pages of its own.
enum class Domain : unsigned { Event, Object, Private, Heap };

struct ProcessLayout
{
    static constexpr unsigned HeapBin = 3 * SizeClasses::Count;
    static constexpr unsigned BinCount = HeapBin + HeapClasses::Count;

    // Chunks of more than 256 bytes: see SharedArenas.
    static constexpr unsigned FirstShared = HeapBin + HeapClasses::indexOf(257);

    static constexpr std::size_t chunkSize(unsigned bin) noexcept
    {
        return bin < HeapBin ? SizeClasses::sizeOf(bin % SizeClasses::Count)
                             : HeapClasses::sizeOf(bin - HeapBin);
    }

    // \a size is at most MaxSize of the domain's classes.
    QPOOL_ALWAYS_INLINE static unsigned bin(Domain domain, std::size_t size) noexcept
    {
        return domain == Domain::Heap ? HeapBin + HeapClasses::anyIndexOf(size)
                                      : unsigned(domain) * SizeClasses::Count
                                              + SizeClasses::anyIndexOf(size);
    }

    static bool isDisabled() noexcept;
    static bool needsForkHandlers() noexcept;
};

// The version of Qt in the process, for readers outside of it; empty if there is none. Set while a
// library is loaded, before other threads read it.
inline const char *processLibrary = "";

// Whether the malloc front is in the process. Set by its first call, before the pool is used.
inline std::atomic<bool> processServesHeap { false };

// Whether the process requested no pool, or a tool watches every heap block; a pool would blur its
// reports.
bool isProcessPoolDisabled() noexcept;

inline constexpr PublishedDomain ProcessDomains[] = {
    { "event", unsigned(Domain::Event) * SizeClasses::Count, SizeClasses::Count },
    { "object", unsigned(Domain::Object) * SizeClasses::Count, SizeClasses::Count },
    { "private", unsigned(Domain::Private) * SizeClasses::Count, SizeClasses::Count },
    { "heap", ProcessLayout::HeapBin, HeapClasses::Count },
};

// How many domains readers see: the heap only if the malloc front serves it.
inline unsigned processDomainCount() noexcept
{
    return processServesHeap.load(std::memory_order_relaxed) ? 4 : 3;
}

using ProcessPool = PoolFront<ProcessLayout, MultiThreaded, PublishedPages>;

QPOOL_END_NAMESPACE

#endif // QPROCESSPOOL_H
