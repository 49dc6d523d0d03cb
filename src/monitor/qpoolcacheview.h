// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLCACHEVIEW_H
#define QPOOLCACHEVIEW_H

#include "qpoolcachestatistics.h"
#include "qpoolsegmentview.h"

#include "adapters/objects/qpoolcachesegment.h"

namespace QPool {

/*!
    \class QPool::CacheView
    \brief Reads the statistics of object caches out of a published segment, which it does not trust.

    As SegmentView does with a pool's: whatever stands in the segment, read() stays within its bounds,
    takes a bounded time, and yields statistics that a JSON number can hold. The memory must stay readable
    and of its size while the view is used. A view is constant: any thread may call it.
*/
class CacheView
{
public:
    /*!
        Looks at \a bytes bytes at \a memory, which is aligned to 8. If they are no segment of caches
        that can be read the result is empty, \a error says which kind of trouble it is, and \a message
        what it is, in half a sentence.
    */
    static std::optional<CacheView> open(const void *memory, std::size_t bytes,
                                         SegmentView::Error *error, std::string *message);

    //! The statistics of the moment. A record that changes hands while it is read is left out.
    CacheListing read() const;

    //! The process that writes, as it is known to itself.
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
