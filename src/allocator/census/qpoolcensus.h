// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLCENSUS_H
#define QPOOLCENSUS_H

#include <cstdint>
#include <string>
#include <vector>

namespace QPool {

// One line of a census: live chunks of one kind.
struct CensusRow
{
    std::string domain; // event, object, private, heap
    std::string name; // of the class; NoClass for all that begin with no vtable
    std::string module; // the file that contains the class; empty if not known
    int eventType = -1; // of events
    std::uint64_t count = 0;
    std::uint64_t bytes = 0; // of the chunks, by their size classes
};

struct CensusArena
{
    std::uint32_t id = 0;
    std::uint64_t thread = 0;
    bool orphaned = false;
    bool parked = false; // its thread was asleep
    std::uint64_t live = 0;
    std::uint64_t uncertain = 0; // the part of count in size classes that changed during the census
    std::uint32_t moving = 0; // the number of such size classes
};

/*!
    The live chunks of a process's pool, by class, at one moment. Exact for every size class of every
    arena that did not change while it was read. The others are counted as they were last seen, and
    reported by their arenas.
*/
struct Census
{
    static constexpr const char *NoClass = "(no class)";
    static constexpr const char *UnloadedClass = "(class of an unloaded module)";

    std::uint64_t pid = 0;
    std::vector<CensusRow> rows; // sorted by bytes, the largest first
    std::vector<CensusArena> arenas; // the oldest first

    std::uint64_t count() const noexcept;
    std::uint64_t bytes() const noexcept;
    std::uint64_t uncertain() const noexcept;
    bool isExact() const noexcept;
};

//! The name, followed by the event's type: "QEvent (DeferredDelete)".
std::string titleOf(const CensusRow &row);

// A line of a comparison of two censuses.
struct CensusChange
{
    CensusRow row; // the current numbers; zero if there are no such chunks any more
    std::int64_t count = 0; // the change since the earlier census
    std::int64_t bytes = 0;
};

enum class CensusOrder { Count, Bytes, Growth };

//! Compares \a now with \a before; the largest growth comes first.
std::vector<CensusChange> compare(const Census &before, const Census &now);

//! The same for a single census: all changes are zero.
std::vector<CensusChange> withoutChanges(const Census &now);

//! Sorts in that order, the largest first, and equal lines by name. By growth, chunks without a class come
//! last.
void sort(std::vector<CensusChange> &changes, CensusOrder order);

//! Keeps the lines whose title, domain or module contains \a text, in upper or lower case.
void filter(std::vector<CensusChange> &changes, const std::string &text);

} // namespace QPool

#endif // QPOOLCENSUS_H
