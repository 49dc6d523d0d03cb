// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoollatencyview.h"

#include "qlatencysegment_p.h"
#include "qpoolsegmentreading_p.h"

namespace QPool {

using namespace SegmentReading;

// A text that is written while it is read is read again, and the next text is a second away.
static constexpr int Attempts = 8;
// Far beyond what any process publishes.
static constexpr std::uint64_t LargestText = std::uint64_t(16) << 20;

std::optional<LatencyView> LatencyView::open(const void *memory, std::size_t bytes,
                                             SegmentView::Error *error, std::string *message)
{
    QPoolLatencySegmentHeader header;
    if (!readHeader(memory, bytes, "event latency", &header, error, message))
        return std::nullopt;
    const std::uint64_t room = header.segmentBytes;
    Checks checks;
    checks.requireRoom(header.numberAt, 1, 4, room, "its counts lie outside of it");
    checks.requireRoom(header.halvesAt, 2 * sizeof(QPoolLatencySegmentHalf) / 4, 4, room,
                       "its counts lie outside of it");
    checks.require(header.blockBytes >= 4 && header.blockBytes % 4 == 0 && header.blockCount > 0
                           && std::uint64_t(header.blockBytes) * header.blockCount <= LargestText,
                   "its blocks have no possible size");
    checks.require(header.blocksAt % 4 == 0 && header.blocksAt <= room
                           && 2 * std::uint64_t(header.blockCount) * header.blockBytes
                                   <= room - header.blocksAt,
                   "its texts lie outside of it");
    if (!checks.hold(error, message))
        return std::nullopt;
    LatencyView view;
    view.m_memory = static_cast<const char *>(memory);
    view.m_pid = header.pid;
    view.m_since = header.since;
    view.m_numberAt = header.numberAt;
    view.m_halvesAt = header.halvesAt;
    view.m_blocksAt = header.blocksAt;
    view.m_blockBytes = header.blockBytes;
    view.m_blockCount = header.blockCount;
    return view;
}

// Acquires: see QPoolLatencySegmentHalf.
std::uint32_t LatencyView::load(std::uint64_t at) const noexcept
{
    return SegmentReading::load<std::uint32_t>(m_memory + at);
}

std::uint32_t LatencyView::number() const noexcept
{
    return load(m_numberAt);
}

std::optional<LatencyText> LatencyView::read() const
{
    for (int attempt = 0; attempt < Attempts; ++attempt) {
        LatencyText text;
        text.number = number();
        if (text.number == 0)
            return text;
        const std::uint32_t which = text.number % 2;
        const std::uint64_t half = m_halvesAt + which * sizeof(QPoolLatencySegmentHalf);
        const auto field = [&](std::size_t at) { return load(half + at); };
        if (field(offsetof(QPoolLatencySegmentHalf, done)) != text.number)
            continue;
        const std::uint32_t bytes = field(offsetof(QPoolLatencySegmentHalf, bytes));
        if (bytes > std::uint64_t(m_blockBytes) * m_blockCount)
            continue;
        text.json.resize(bytes);
        for (std::uint32_t at = 0; at < bytes; at += 4) {
            const std::uint64_t block = 2 * std::uint64_t(at / m_blockBytes) + which;
            const std::uint32_t word = load(m_blocksAt + block * m_blockBytes + at % m_blockBytes);
            std::memcpy(text.json.data() + at, &word, (std::min)(bytes - at, std::uint32_t(4)));
        }
        if (field(offsetof(QPoolLatencySegmentHalf, begun)) == text.number)
            return text;
    }
    return std::nullopt;
}

} // namespace QPool
