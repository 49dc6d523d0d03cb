// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// libFuzzer's bytes as writes to a segment's records: the first byte chooses the lock, followed by
// pairs of an offset, two bytes, and a value, four bytes.

#include "hostilesegment.h"

#include <memory>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    static std::unique_ptr<HostileSegment> segments[4];
    if (size < 1)
        return 0;
    const unsigned kind = data[0] % 4;
    if (!segments[kind])
        segments[kind] = std::make_unique<HostileSegment>(QPool::SharedLockKind(kind));
    HostileSegment &segment = *segments[kind];
    segment.reset();
    for (std::size_t at = 1; at + 6 <= size; at += 6) {
        std::uint16_t place;
        std::uint32_t value;
        std::memcpy(&place, data + at, sizeof place);
        std::memcpy(&value, data + at + 2, sizeof value);
        std::memcpy(segment.metadata() + place * 4 % segment.metadataBytes(), &value, sizeof value);
    }
    segment.examine();
    return 0;
}
