// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLCACHEVIEW_H
#define QPOOLCACHEVIEW_H

#include "qpoolcachestatistics.h"
#include "qpoolsegmentview.h"

#include "pools/objects/qpoolcachesegment.h"

namespace QPool {

/*!
    \class QPool::CacheView
    \brief Reads the statistics of object caches out of a published segment, which it does not trust.

    As SegmentView does for a pool: whatever the segment contains, read() stays within its bounds, takes a
    bounded time, and returns numbers that JSON can hold. The memory must stay readable and keep its size
    while the view is used. A view is constant: any thread may call it.
*/
class CacheView
{
public:
    /*!
        Opens the segment of \a bytes bytes at \a memory, which must be aligned to 8. If it is no readable
        segment of caches, the result is empty, \a error is the kind of error, and \a message is the
        reason as a clause.
    */
    static std::optional<CacheView> open(const void *memory, std::size_t bytes,
                                         SegmentView::Error *error, std::string *message);

    //! The current statistics. Leaves out a record that gets another owner while it is read.
    CacheListing read() const;

    //! The publishing process's number, as it sees it itself.
    std::uint64_t pid() const noexcept { return m_header.pid; }
    //! When it began to publish, in milliseconds since 1970, UTC.
    std::uint64_t since() const noexcept { return m_header.since; }

private:
    struct Category;
    struct Stock;

    CacheView(const char *memory, const CacheSegmentHeader &header)
        : m_memory(memory)
        , m_header(header)
    {
    }

    std::uint32_t recordCount() const noexcept;
    std::uint64_t word(const char *record, std::uint32_t at) const noexcept;
    bool isRoom(std::uint32_t at, std::uint64_t count, std::uint32_t size) const noexcept;
    std::optional<Category> readCategory(const char *record) const;
    std::optional<Stock> readStock(const char *record) const;

    const char *m_memory;
    CacheSegmentHeader m_header; // a copy, checked
};

} // namespace QPool

#endif // QPOOLCACHEVIEW_H
