// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSEGMENTVIEW_H
#define QPOOLSEGMENTVIEW_H

#include "stats/qpoolprocessstatistics.h"
#include "stats/qpoolsegment.h"

#include <optional>
#include <string>
#include <vector>

namespace QPool {

/*!
    \class QPool::SegmentView
    \brief Reads the statistics out of a published segment, which it does not trust.

    open() copies and checks the description of the segment once. Whatever the segment contains later,
    and however it changes, read() stays within its bounds, takes a bounded time and returns numbers
    that JSON can hold. The memory must stay readable and keep its size while the view is used.

    A view is constant: several threads may call it at once.
*/
class SegmentView
{
public:
    enum Error {
        NoError,
        Incomplete, //!< there is no segment there, or it is just being made
        Incompatible, //!< one of another version of the format, or of another kind of machine
        Damaged //!< one that contradicts itself
    };

    /*!
        Opens the segment of \a bytes bytes at \a memory, which must be aligned to 8. If it is no readable
        segment, the result is empty, \a error is the kind of error, and \a message is the reason as a
        clause.
    */
    static std::optional<SegmentView> open(const void *memory, std::size_t bytes, Error *error,
                                           std::string *message);

    //! The current statistics: exact for idle threads, see BinStatistics.
    ProcessStatistics read() const;

    //! The publishing process's number, as it sees it itself.
    std::uint64_t pid() const noexcept { return m_header.pid; }
    //! When it began to publish, in milliseconds since 1970, UTC.
    std::uint64_t since() const noexcept { return m_header.since; }

private:
    struct Bin;

    SegmentView(const char *memory, const SegmentHeader &header)
        : m_memory(memory)
        , m_header(header)
    {
    }

    const char *arena(std::uint32_t index) const noexcept;
    std::uint32_t arenaCount() const noexcept;
    std::uint64_t word(const char *place) const noexcept;
    Bin readBin(const char *bin) const noexcept;
    ArenaStatistics readArena(const char *place, std::vector<BinStatistics> &totals) const;

    const char *m_memory;
    SegmentHeader m_header; // a copy, checked
    std::vector<std::uint32_t> m_sizes; // of each bin's chunks; a copy, checked
};

} // namespace QPool

#endif // QPOOLSEGMENTVIEW_H
