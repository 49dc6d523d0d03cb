// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLGROWINGSPAN_H
#define QPOOLGROWINGSPAN_H

#include "qpoolrefusals.h"
#include "qpoolreservation.h"

QPOOL_BEGIN_NAMESPACE

// A span whose ranges come from the operating system one after the other and become usable step by
// step. The user provides the locking.
template <std::size_t PageSizeV>
class GrowingSpan : public PageSpan<PageSizeV>
{
    using Span = PageSpan<PageSizeV>;
    using Sizes = ReservationSizes<PageSizeV>;

public:
    using Span::PageSize;

    constexpr GrowingSpan() = default;

    // Reserves the first range unless that was done before. Returns false if the system refused it,
    // which is final.
    bool initialize() noexcept
    {
        if (Span::isInitialized())
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
        const unsigned index = Span::currentRange();
        return Span::freshIndex(index) < m_ranges[index].usablePages;
    }

    // Ensures that takeFresh() has a page. Returns false if the system refuses, or if it refused so
    // often that it is not asked now.
    bool grow() noexcept
    {
        if (!initialize())
            return false;
        if (hasFresh())
            return true;
        if (!m_refusals.isWorthAsking())
            return false;
        const unsigned index = Span::currentRange();
        const bool hasRoom = Span::freshIndex(index) < Span::pageCount(index) || addRange();
        return m_refusals.note(hasRoom && commitPages());
    }

    // In bytes: the address space of the ranges and the table; the usable part of the table.
    std::size_t reservedBytes() const noexcept { return m_reserved; }
    std::size_t headerBytes() const noexcept { return m_headerBytes; }

    // The pages that were ever handed out. The other usable ones take no memory.
    std::size_t pagesTaken() const noexcept
    {
        if (!Span::isInitialized())
            return 0;
        const unsigned index = Span::currentRange();
        return m_usablePages - (m_ranges[index].usablePages - Span::freshIndex(index));
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
        constexpr std::uintptr_t last = Span::RangeCount - 1;
        const std::uintptr_t below = address / rangeBytes < last ? address / rangeBytes : last;
        Span::initialize(static_cast<char *>(table) + Metadata::GuardBytes,
                         address - below * rangeBytes, rangeBytes);
        m_reserved = rangeBytes + tableBytes;
        Span::addRange(unsigned(below), rangeBytes / PageSize - 1);
        return true;
    }

    // Adds another range, the lowest address first, because the program's own memory comes from
    // above. Near the end of the address space, a partial range.
    bool addRange() noexcept
    {
        for (unsigned index = 0; index < Span::RangeCount; ++index) {
            char *place = Span::rangeStart(index);
            if (Span::hasRange(index) || !place)
                continue;
            std::size_t bytes = Span::rangeBytes();
            Os::Reservation reservation = Os::reserveAt(place, bytes);
            while (reservation == Os::Reservation::Refused && bytes / 8 >= CommitStep * PageSize) {
                bytes /= 8;
                reservation = Os::reserveAt(place, bytes);
            }
            if (reservation == Os::Reservation::Refused)
                return false;
            if (reservation == Os::Reservation::Done) {
                m_reserved += bytes;
                Span::addRange(index, bytes / PageSize - 1);
                return true;
            }
        }
        return false;
    }

    // For the first \a pages pages of the current range.
    bool commitHeaders(std::size_t pages) noexcept
    {
        const unsigned index = Span::currentRange();
        Range &range = m_ranges[index];
        const std::size_t all = Sizes::headerBytes(Span::rangeBytes());
        std::size_t wanted = Sizes::roundUp(pages * sizeof(PageHeader), HeaderStep);
        if (wanted > all)
            wanted = all;
        if (wanted <= range.headerBytes)
            return true;
        char *headers = reinterpret_cast<char *>(Span::headerOf(Span::rangeStart(index)));
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
        const unsigned index = Span::currentRange();
        Range &range = m_ranges[index];
        char *place = Span::rangeStart(index) + range.usablePages * PageSize;
        const std::size_t left = Span::pageCount(index) - range.usablePages;
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
    Range m_ranges[Span::RangeCount] = {};
};

QPOOL_END_NAMESPACE

#endif // QPOOLGROWINGSPAN_H
