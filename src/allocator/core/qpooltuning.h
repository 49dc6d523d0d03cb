// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLTUNING_H
#define QPOOLTUNING_H

#include "../qpoolglobal.h"

QPOOL_BEGIN_NAMESPACE

/*
    The limits of the core that are choices: another value would be as correct, but slower, or would
    hold more memory. What follows from the layout of a structure is defined with it. Limits of a page
    source are with the source.
*/
namespace Tuning {

// Magazines: chunks and bytes.

// What goes between a magazine and the pages at once: enough to be worth the call, and few enough to
// stay in the first-level cache.
inline constexpr std::uint32_t BatchBytes = 8 * 1024;
inline constexpr std::uint32_t FewestInBatch = 16;
inline constexpr std::uint32_t MostInBatch = 64;

// What a magazine beyond the bin's own slots may hold, in bytes.
inline constexpr std::uint32_t MagazineBytes = 128 * 1024;

// A class counts as used, and gets a larger magazine, after so many visits to the slow path.
inline constexpr unsigned SlowPathsUntilUsed = 4;

// Giving back.

// Empty pages that an arena keeps for any of its bins.
inline constexpr std::uint32_t KeptEmptyPages = 4;

// idle() trims the arena when, since the last time, so many pages or chunks came free or its large
// magazines hold so much: an ordinary turn of an event loop stays below.
inline constexpr std::uint32_t IdlePages = 16;
inline constexpr std::uint32_t IdleChunks = 4096;
inline constexpr std::size_t IdleBytes = 256 * 1024;

// A class gives back what it holds after so many idle turns without use.
inline constexpr std::uint32_t UnusedTurns = 16;

// For a thread that never calls idle(): after so many bytes through its magazines it looks for classes that
// were not used meanwhile, if so many milliseconds passed, or else after so many times that much.
inline constexpr std::uint32_t PassedBytes = 1024 * 1024;
inline constexpr std::uint32_t PassedMilliseconds = 10;
inline constexpr std::uint32_t PassedTimes = 16;

// A class with so many bytes in use borrows from orphans before it takes another page.
inline constexpr std::size_t BorrowFromBytes = 256 * 1024;

// Remote frees.

// What waits in one slot of a remote cache, in chunks and bytes, before it is sent. Fewer chunks than
// FewestInRemoteBatch are sent as a list: those a thread freed last are still in its cache, and a
// batch is one more cache line to transfer.
inline constexpr std::uint32_t RemoteChunks = 64;
inline constexpr std::uint32_t RemoteBytes = 4 * 1024;
inline constexpr std::uint32_t FewestInRemoteBatch = 4;

// Batches of one remote cache that are with owners: 108 KiB.
inline constexpr std::uint32_t MostRemoteBatchesAway = 192;

// A thread that frees to an arena without an owner visits it when so many bytes wait there. What an owner will
// want when it wakes is left to it for longer; an orphan's chunks may hold whole pages.
inline constexpr std::size_t VisitOrphanBytes = 8 * 1024;
inline constexpr std::size_t VisitParkedBytes = 64 * 1024;

// The steps of such a visit, of RemoteBatch::Capacity chunks each: more than twice what comes in until
// the next. Of visits in idle(), and how many orphans these visit; of visits in trim().
inline constexpr std::uint32_t VisitSteps = 8;
inline constexpr std::uint32_t IdleVisitSteps = 4;
inline constexpr unsigned IdleVisits = 2;
inline constexpr std::uint32_t TrimVisitSteps = 16;

// An arena that was refused memory looks everywhere again once in so many allocations.
inline constexpr std::uint32_t RefusalsUntilLook = 128;

} // namespace Tuning

QPOOL_END_NAMESPACE

#endif // QPOOLTUNING_H
