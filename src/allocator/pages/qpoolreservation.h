// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLRESERVATION_H
#define QPOOLRESERVATION_H

#include "qpoolmetadata.h"
#include "qpoolpagespan.h"

QPOOL_BEGIN_NAMESPACE

// How many addresses a page source takes for each purpose, all in proportion to the size of its
// ranges.
template <std::size_t PageSize>
struct ReservationSizes
{
    // Enough for a billion live events, and only address space. 32-bit programs have less.
    static constexpr std::size_t LargestRange =
            std::size_t(1) << (sizeof(void *) == 8 ? 36 : 26);

    static constexpr std::size_t roundUp(std::size_t bytes, std::size_t to) noexcept
    {
        return (bytes + to - 1) / to * to;
    }

    // The headers of a range fill whole pages of the system, so that the next range's headers are
    // made usable separately.
    static std::size_t smallestRange() noexcept
    {
        return Os::pageBytes() / alignof(PageHeader) * PageSize;
    }

    static constexpr std::size_t headerBytes(std::size_t range) noexcept
    {
        return range / PageSize * sizeof(PageHeader);
    }

    static constexpr std::size_t tableBytes(std::size_t range) noexcept
    {
        return headerBytes(range) * PageSpan<PageSize>::RangeCount + 2 * Metadata::GuardBytes;
    }

    static constexpr std::size_t metadataBytes(std::size_t range) noexcept
    {
        constexpr std::size_t least = std::size_t(1) << 19;
        return range / 64 > least ? range / 64 : least;
    }

    // The largest range of which everything fits into \a share, or the smallest range.
    static std::size_t rangeWithin(std::size_t share) noexcept
    {
        std::size_t range = LargestRange;
        const std::size_t least = smallestRange();
        while (range > least && range + tableBytes(range) + metadataBytes(range) > share)
            range /= 2;
        return range;
    }
};

QPOOL_END_NAMESPACE

#endif // QPOOLRESERVATION_H
