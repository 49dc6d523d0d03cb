// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLLATENCYVIEW_H
#define QPOOLLATENCYVIEW_H

#include "qpoolsegmentview.h"

namespace QPool {

//! A text of JSON, as qt_pool_allocator_latency() writes it.
struct LatencyText
{
    std::uint32_t number = 0; //!< another one for each text; 0 if nothing was recorded yet
    std::string json;
};

/*!
    \class QPool::LatencyView
    \brief Reads the statistics of event latency out of a published segment, which it does not trust.

    As SegmentView does for a pool: whatever the segment contains, read() stays within its bounds and takes a
    bounded time. The text may be anything; who parses it must not trust it, either. The memory must stay
    readable and keep its size while the view is used. A view is constant: any thread may call it.
*/
class LatencyView
{
public:
    /*!
        Opens the segment of \a bytes bytes at \a memory, which must be aligned to 8. If it is no readable
        segment of event latency, the result is empty, \a error is the kind of error, and \a message is the
        reason as a clause.
    */
    static std::optional<LatencyView> open(const void *memory, std::size_t bytes,
                                           SegmentView::Error *error, std::string *message);

    //! The last text. Empty if the process wrote another one during each attempt to read it, which a
    //! process that publishes once a second does not do.
    std::optional<LatencyText> read() const;

    //! The number of the last text: equal numbers mean equal texts.
    std::uint32_t number() const noexcept;

    //! The publishing process's number, as it sees it itself.
    std::uint64_t pid() const noexcept { return m_pid; }
    //! When it began to publish, in milliseconds since 1970, UTC.
    std::uint64_t since() const noexcept { return m_since; }

private:
    LatencyView() = default;

    std::uint32_t load(std::uint64_t at) const noexcept;

    const char *m_memory = nullptr;
    std::uint64_t m_pid = 0;
    std::uint64_t m_since = 0;
    // Copies of the header's, checked.
    std::uint32_t m_numberAt = 0;
    std::uint32_t m_halvesAt = 0;
    std::uint32_t m_blocksAt = 0;
    std::uint32_t m_blockBytes = 0;
    std::uint32_t m_blockCount = 0;
};

} // namespace QPool

#endif // QPOOLLATENCYVIEW_H
