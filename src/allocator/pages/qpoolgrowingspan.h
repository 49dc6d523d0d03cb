// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLGROWINGSPAN_H
#define QPOOLGROWINGSPAN_H

#include "qpoolmetadata.h"
#include "qpoolpagespan.h"

QPOOL_BEGIN_NAMESPACE

// How many addresses a page source takes for each purpose, all in proportion to the size of its
// ranges.
struct ReservationSizes
{
    static constexpr std::size_t PageSize = PageSpan::PageSize;
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
        return headerBytes(range) * PageSpan::RangeCount + 2 * Metadata::GuardBytes;
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

// A span whose ranges come from the operating system one after the other and become usable step by
// step. The user provides the locking.
class GrowingSpan : public PageSpan
{
    using Sizes = ReservationSizes;

public:
    constexpr GrowingSpan() = default;

    // Reserves the first range unless that was done before. Returns false if the system refused it,
    // which is final.
    bool initialize() noexcept
    {
        if (isInitialized())
            return true;
        if (m_refused)
            return false;
        std::size_t limit = Os::addressSpaceLimit();
        if (limit == SIZE_MAX) {
            if (reserveFirst(Sizes::LargestRange))
                return true;
            // A limit that the system does not report: find out what it allows.
            for (limit = Sizes::LargestRange; limit > Sizes::smallestRange(); limit /= 2) {
                if (void *place = Os::reserve(limit, PageSize)) {
                    Os::unreserve(place, limit);
                    break;
                }
            }
        }
        // If addresses are limited, the program needs most of them for itself.
        std::size_t range = Sizes::rangeWithin(limit / 16);
        for (; range >= Sizes::smallestRange(); range /= 2) {
            if (reserveFirst(range))
                return true;
        }
        m_refused = true;
        return false;
    }

    // Whether takeFresh() has a page.
    bool hasFresh() const noexcept
    {
        const unsigned index = currentRange();
        return freshIndex(index) < m_ranges[index].usablePages;
    }

    // Ensures that takeFresh() has a page. Returns false if the system refuses, or if it refused so
    // often that it is not asked now.
    bool grow() noexcept
    {
        if (!initialize())
            return false;
        if (hasFresh())
            return true;
        if (!m_refusals.countRequest())
            return false;
        const unsigned index = currentRange();
        const bool hasRoom = freshIndex(index) < pageCount(index) || addRange();
        return m_refusals.note(hasRoom && commitPages());
    }

    // In bytes: the address space of the ranges and the table; the usable part of the table.
    std::size_t reservedBytes() const noexcept { return m_reserved; }
    std::size_t headerBytes() const noexcept { return m_headerBytes; }

    // The pages that were ever handed out. The other usable ones take no memory.
    std::size_t pagesTaken() const noexcept
    {
        if (!isInitialized())
            return 0;
        const unsigned index = currentRange();
        return m_usablePages - (m_ranges[index].usablePages - freshIndex(index));
    }

private:
    // Memory is made usable in steps, because system calls for each page would cost more than the
    // untouched rest, which takes no memory until it is used: four megabytes at first, then a
    // megabyte or a sixteenth of what is usable. If the program's data is limited, the untouched
    // rest counts, too.
    static constexpr std::size_t FirstStep = 64;
    static constexpr std::size_t CommitStep = 16;
    static constexpr std::size_t LargestStep = 512;
    static constexpr std::size_t HeaderStep = 64 * 1024;

    struct Range
    {
        std::uint32_t usablePages;
        std::uint32_t headerBytes; // usable, from the first on; under 4 GiB in any build
    };
    static_assert(Sizes::headerBytes(Sizes::LargestRange) <= UINT32_MAX);

    // Reserves the range and the table of headers, separated from everything else by inaccessible
    // memory: the last page of the range, and both ends of the table.
    bool reserveFirst(std::size_t rangeBytes) noexcept
    {
        void *first = Os::reserve(rangeBytes, rangeBytes);
        if (!first)
            return false;
        const std::size_t tableBytes = Sizes::tableBytes(rangeBytes);
        void *table = Os::reserve(tableBytes, Metadata::GuardBytes);
        if (!table) {
            Os::unreserve(first, rangeBytes);
            return false;
        }
        // Systems assign addresses from the top downwards, so there is room below.
        const auto address = reinterpret_cast<std::uintptr_t>(first);
        constexpr std::uintptr_t last = RangeCount - 1;
        const std::uintptr_t below = address / rangeBytes < last ? address / rangeBytes : last;
        PageSpan::initialize(static_cast<char *>(table) + Metadata::GuardBytes,
                         address - below * rangeBytes, rangeBytes);
        m_reserved = rangeBytes + tableBytes;
        PageSpan::addRange(unsigned(below), rangeBytes / PageSize - 1);
        return true;
    }

    // Adds another range, the lowest address first, because the program's own memory comes from
    // above. Near the end of the address space, a partial range.
    bool addRange() noexcept
    {
        for (unsigned index = 0; index < RangeCount; ++index) {
            char *place = rangeStart(index);
            if (hasRange(index) || !place)
                continue;
            std::size_t bytes = rangeBytes();
            Os::Reservation reservation = Os::reserveAt(place, bytes);
            while (reservation == Os::Reservation::Refused && bytes / 8 >= CommitStep * PageSize) {
                bytes /= 8;
                reservation = Os::reserveAt(place, bytes);
            }
            if (reservation == Os::Reservation::Refused)
                return false;
            if (reservation == Os::Reservation::Done) {
                m_reserved += bytes;
                PageSpan::addRange(index, bytes / PageSize - 1);
                return true;
            }
        }
        return false;
    }

    // For the first \a pages pages of the current range.
    bool commitHeaders(std::size_t pages) noexcept
    {
        const unsigned index = currentRange();
        Range &range = m_ranges[index];
        const std::size_t all = Sizes::headerBytes(rangeBytes());
        std::size_t wanted = Sizes::roundUp(pages * sizeof(PageHeader), HeaderStep);
        if (wanted > all)
            wanted = all;
        if (wanted <= range.headerBytes)
            return true;
        char *headers = reinterpret_cast<char *>(headerOf(rangeStart(index)));
        const std::size_t more = wanted - range.headerBytes;
        if (!Os::commit(headers + range.headerBytes, more))
            return false;
        range.headerBytes = std::uint32_t(wanted);
        m_headerBytes += more;
        return true;
    }

    // Makes the next pages of the current range and their headers usable.
    bool commitPages() noexcept
    {
        // The first page tells whether memory is locked. If it is, each page takes its memory when it
        // is made usable.
        if (m_usablePages == 0)
            return commitPages(1) && (m_isLocked || commitPages(firstStep() - 1) || hasFresh());
        return commitPages(m_isLocked ? 1 : commitStep());
    }

    static std::size_t firstStep() noexcept
    {
        return Os::isDataLimited() ? CommitStep : FirstStep;
    }

    std::size_t commitStep() const noexcept
    {
        const std::size_t share = Os::isDataLimited() ? 0 : m_usablePages / 16;
        return share < CommitStep ? CommitStep : share < LargestStep ? share : LargestStep;
    }

    // Up to \a step pages; fewer near the end of the range, and near the limit, where a whole step may
    // not fit but one page does.
    bool commitPages(std::size_t step) noexcept
    {
        const unsigned index = currentRange();
        Range &range = m_ranges[index];
        char *place = rangeStart(index) + range.usablePages * PageSize;
        const std::size_t left = pageCount(index) - range.usablePages;
        if (step > left)
            step = left;
        while (!commitHeaders(range.usablePages + step) || !Os::commit(place, step * PageSize)) {
            if (step == 1)
                return false;
            step = step > CommitStep ? CommitStep : 1;
        }
        m_isLocked = Os::isResident(place + step * PageSize - Os::pageBytes());
        range.usablePages += std::uint32_t(step);
        m_usablePages += step;
        return true;
    }

    bool m_refused = false; // there is no range and will be none
    bool m_isLocked = false; // the pages made usable last had memory at once
    std::size_t m_reserved = 0;
    std::size_t m_headerBytes = 0;
    std::size_t m_usablePages = 0;
    Refusals m_refusals;
    Range m_ranges[RangeCount] = {};
};

QPOOL_END_NAMESPACE

#endif // QPOOLGROWINGSPAN_H
