// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSEGMENTREADING_P_H
#define QPOOLSEGMENTREADING_P_H

#include "qpoolsegmentview.h"

#include <algorithm>
#include <cstring>

// What the readers of published segments have in common. None of them trusts what it reads.

namespace QPool::SegmentReading {

// JSON has no larger whole numbers.
inline constexpr std::uint64_t LargestCount = (std::uint64_t(1) << 53) - 1;

inline std::uint64_t capped(std::uint64_t count)
{
    return (std::min)(count, LargestCount);
}

inline void add(std::uint64_t &sum, std::uint64_t more)
{
    sum = capped(sum + capped(more)); // both are small enough not to overflow
}

inline std::uint64_t difference(std::uint64_t more, std::uint64_t less)
{
    return more > less ? more - less : 0;
}

// Loads a value that another process may store to at the same time.
template <class Number>
Number load(const char *place)
{
    return __atomic_load_n(reinterpret_cast<const Number *>(place), __ATOMIC_ACQUIRE);
}

// A word of 4 or 8 bytes, as the header says.
inline std::uint64_t loadWord(const char *place, std::uint32_t wordBytes)
{
    return wordBytes == 8 ? load<std::uint64_t>(place) : load<std::uint32_t>(place);
}

// Remembers the first complaint, so that checks can be listed one after the other.
class Checks
{
public:
    const char *complaint = nullptr;

    void require(bool holds, const char *otherwise)
    {
        if (!holds && !complaint)
            complaint = otherwise;
    }

    // Requires that \a count numbers of \a size bytes at \a offset fit into \a room and are aligned.
    void requireRoom(std::uint64_t offset, std::uint64_t count, std::uint64_t size,
                     std::uint64_t room, const char *otherwise)
    {
        require(offset % size == 0 && offset <= room && count * size <= room - offset, otherwise);
    }

    // Whether there is no complaint. Sets \a error, and \a message to the complaint.
    bool hold(SegmentView::Error *error, std::string *message) const
    {
        *error = complaint ? SegmentView::Damaged : SegmentView::NoError;
        if (complaint)
            *message = complaint;
        return !complaint;
    }
};

/*
    Copies the header from the \a bytes bytes at \a memory, which must be aligned to 8, and checks the
    fields that all headers begin with. If the header is not readable, the result is false, \a error is
    the kind of error, and \a message is the reason as a clause: that it is not a segment of \a whose.
*/
template <class Header>
bool readHeader(const void *memory, std::size_t bytes, const char *whose, Header *header,
                SegmentView::Error *error, std::string *message)
{
    const auto refused = [&](SegmentView::Error kind, const std::string &why) {
        *error = kind;
        *message = why;
        return false;
    };
    // The writer stores the magic last, and its first half at the very end: if that is there, all else
    // is.
    if (bytes < sizeof(Header) || load<std::uint32_t>(static_cast<const char *>(memory)) == 0)
        return refused(SegmentView::Incomplete, "there is no segment yet");
    std::memcpy(header, memory, sizeof(Header));
    if (std::memcmp(header->magic, Header::Magic, sizeof(header->magic)) != 0)
        return refused(SegmentView::Damaged, std::string("it is not a segment of ") + whose);
    if (header->byteOrder != SegmentHeader::ByteOrder)
        return refused(SegmentView::Incompatible, "it is from a machine of another byte order");
    if (header->version != Header::Version) {
        return refused(SegmentView::Incompatible,
                       "it has version " + std::to_string(header->version)
                               + " of the format, and this program reads version "
                               + std::to_string(Header::Version));
    }
    if (header->headerBytes < sizeof(Header) || header->segmentBytes < header->headerBytes)
        return refused(SegmentView::Damaged, "its header is cut short");
    if (header->segmentBytes > bytes)
        return refused(SegmentView::Damaged, "it is cut short");
    if (header->wordBytes != 4 && header->wordBytes != 8)
        return refused(SegmentView::Damaged, "the size of its words is neither 4 nor 8 bytes");
    return true;
}

} // namespace QPool::SegmentReading

#endif // QPOOLSEGMENTREADING_P_H
