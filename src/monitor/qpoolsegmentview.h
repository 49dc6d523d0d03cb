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

    What describes the segment is copied and checked once, by open(); whatever stands in the
    segment later, and however it changes, read() stays within its bounds, takes a bounded time
    and yields statistics that a JSON number can hold. The memory must stay readable and of its
    size while the view is used.

    A view is constant: any thread may call it, several at once.
*/
class SegmentView
{
public:
    enum Error {
        NoError,
        Incomplete, //!< there is no segment there, or it is just being made
        Incompatible, //!< one of another version of the form, or of another kind of machine
        Damaged //!< one that contradicts itself
    };

    /*!
        Looks at \a bytes bytes at \a memory, which is aligned to 8. If they are no segment that
        can be read the result is empty, \a error says which kind of trouble it is, and
        \a message what it is, in half a sentence.
    */
    static std::optional<SegmentView> open(const void *memory, std::size_t bytes, Error *error,
                                           std::string *message);

    //! The statistics of the moment: exact for threads that are quiet, see BinStatistics.
    ProcessStatistics read() const;

    //! The process that writes, as it is known to itself.
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
