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
    std::string module; // the file whose class it is; empty if not known
    int eventType = -1; // of events
    std::uint64_t count = 0;
    std::uint64_t bytes = 0; // of their size classes
};

struct CensusArena
{
    std::uint32_t id = 0;
    std::uint64_t thread = 0;
    bool orphaned = false;
    bool parked = false; // its thread was asleep
    std::uint64_t live = 0;
    std::uint64_t uncertain = 0; // of these: in size classes that did not stand still
    std::uint32_t moving = 0; // how many such size classes
};

/*!
    What is alive in a process's pool, by class, at one moment. Exact for every size class of every
    arena that stood still while it was looked at; what did not is counted as it was seen last, and
    told by its arena.
*/
struct Census
{
    static constexpr const char *NoClass = "(no class)";
    static constexpr const char *UnloadedClass = "(class of an unloaded module)";

    std::uint64_t pid = 0;
    std::vector<CensusRow> rows; // those of the most bytes first
    std::vector<CensusArena> arenas; // the oldest first

    std::uint64_t count() const noexcept;
    std::uint64_t bytes() const noexcept;
    std::uint64_t uncertain() const noexcept;
    bool isExact() const noexcept;
};

//! The name with an event's type behind it, as "QEvent (DeferredDelete)".
std::string titleOf(const CensusRow &row);

// A line of a comparison: what there is now, and what there was.
struct CensusChange
{
    CensusRow row; // with the statistics of now; zero for what is gone
    std::int64_t count = 0; // more, or fewer, than before
    std::int64_t bytes = 0;
};

enum class CensusOrder { Count, Bytes, Growth };

//! \a now against \a before, what grew by the most first.
std::vector<CensusChange> compare(const Census &before, const Census &now);

//! As of a census without another: nothing changed.
std::vector<CensusChange> withoutChanges(const Census &now);

//! In that order, the largest first; equals by name. By growth, what has no class stands last.
void sort(std::vector<CensusChange> &changes, CensusOrder order);

//! Leaves those whose title, domain or module has \a text in it, whatever the case of its letters.
void filter(std::vector<CensusChange> &changes, const std::string &text);

} // namespace QPool

#endif // QPOOLCENSUS_H
