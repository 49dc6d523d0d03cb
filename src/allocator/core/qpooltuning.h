// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLTUNING_H
#define QPOOLTUNING_H

#include "../qpoolglobal.h"

QPOOL_BEGIN_NAMESPACE

/*
    The limits of the core that are choices: another value would also be correct, but slower, or
    would hold more memory. Limits that follow from the layout of a structure are defined with it,
    limits of a page source with the source.
*/
namespace Tuning {

// Magazines, in chunks and bytes.

// How much moves between a magazine and the pages at once, at most half of the magazine: enough to be worth
// the call, and little enough to stay in the first-level cache.
inline constexpr std::uint32_t BatchBytes = 8 * 1024;
inline constexpr std::uint32_t FewestInBatch = 16;
inline constexpr std::uint32_t MostInBatch = 64;

// How many bytes a magazine larger than the bin's inline slots may hold.
inline constexpr std::uint32_t MagazineBytes = 128 * 1024;

// How often a class takes the slow path until it counts as used and gets a larger magazine.
inline constexpr unsigned SlowPathsUntilUsed = 4;

// How many overflows of a magazine are counted: until a free puts a whole batch into the pages.
inline constexpr std::uint8_t MostOverflows = 5;

// Giving back.

// How many empty pages an arena keeps for any of its bins.
inline constexpr std::uint32_t KeptEmptyPages = 4;

// A class with this many bytes in use borrows from orphans before it takes another page.
inline constexpr std::size_t BorrowFromBytes = 256 * 1024;

// Remote frees.

// How many chunks and bytes one slot of a remote cache holds before they are sent. Fewer chunks
// than FewestInRemoteBatch are sent as a list: the chunks that a thread freed last are still in its
// cache, and a batch is one more cache line to transfer.
inline constexpr std::uint32_t RemoteChunks = 64;
inline constexpr std::uint32_t RemoteBytes = 4 * 1024;
inline constexpr std::uint32_t FewestInRemoteBatch = 4;

// How many batches of one remote cache may be with owners: 108 KiB.
inline constexpr std::uint32_t MostRemoteBatchesAway = 192;

// A thread that frees to a parked arena visits it when this many bytes wait there: the owner will want them when it
// wakes. An orphan is visited with each push.
inline constexpr std::size_t VisitParkedBytes = 64 * 1024;

// How many steps, of RemoteBatch::Capacity chunks each, such a visit takes: more than twice what arrives until the
// next visit. Then the steps of a visit by trim().
inline constexpr std::uint32_t VisitSteps = 8;
inline constexpr std::uint32_t TrimVisitSteps = 16;

// Of how many pages trim() gives parts back before it lets others have the arena: 0.3 ms.
inline constexpr std::uint32_t DiscardedAtOnce = 16;

// An arena that was refused memory searches everywhere again once in this many allocations.
inline constexpr std::uint32_t RefusalsUntilLook = 128;

} // namespace Tuning

QPOOL_END_NAMESPACE

#endif // QPOOLTUNING_H
