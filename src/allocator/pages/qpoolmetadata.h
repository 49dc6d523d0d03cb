// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLMETADATA_H
#define QPOOLMETADATA_H

#include "../os/qpoolos.h"

QPOOL_BEGIN_NAMESPACE

/*
    Memory for the allocator's own structures: arenas, magazines, batches, remote caches. It comes
    from regions of addresses that contain no chunks and have inaccessible pages at both ends: a
    program that writes past the end of a chunk does not reach them. When a region is full, another
    is reserved. Nothing is given back. The user provides the locking.
*/
class Metadata
{
public:
    // How much is reserved as a guard in front of and behind memory that overruns must not reach.
    static constexpr std::size_t GuardBytes = 64 * 1024;
    // How much is made usable at once, as far as the region has it; the system must make at least
    // the smaller one usable.
    static constexpr std::size_t Step = 64 * 1024;
    static constexpr std::size_t LargeStep = 4 * Step;

    constexpr Metadata() = default;

    // Returns zero-filled memory; null if the system refuses. \a bytes is a multiple of the
    // alignment needed; a new region has about \a regionBytes. What fits a page of the system does
    // not extend over two, so the first access to it is the only one that may fault.
    void *allocate(std::size_t bytes, std::size_t regionBytes) noexcept
    {
        if (placeOf(bytes) + bytes > m_end && !addRegion(bytes, regionBytes))
            return nullptr;
        const std::uintptr_t place = placeOf(bytes);
        if (place + bytes > m_usable && !makeUsable(place + bytes - m_usable))
            return nullptr;
        m_committed += place + bytes - m_next;
        m_next = place + bytes;
        return reinterpret_cast<void *>(place);
    }

    // Whether allocate() will certainly succeed.
    bool has(std::size_t bytes) const noexcept { return placeOf(bytes) + bytes <= m_usable; }

    std::size_t reserved() const noexcept { return m_reserved; }
    // What was handed out. The rest that is usable takes no memory.
    std::size_t committed() const noexcept { return m_committed; }

private:
    std::uintptr_t placeOf(std::size_t bytes) const noexcept
    {
        constexpr std::uintptr_t page = 4096; // or a fraction of it
        const std::uintptr_t last = m_next + bytes - 1;
        return m_next / page == last / page ? m_next : (m_next + page - 1) / page * page;
    }

    bool makeUsable(std::size_t missing) noexcept
    {
        const std::size_t least = (missing + Step - 1) / Step * Step;
        std::size_t step = least < LargeStep && !Os::isDataLimited() ? LargeStep : least;
        if (step > m_end - m_usable)
            step = m_end - m_usable;
        while (!Os::commit(reinterpret_cast<void *>(m_usable), step)) {
            if (step <= least)
                return false;
            step = least;
        }
        m_usable += step;
        return true;
    }

    // The rest of the last region stays unused.
    bool addRegion(std::size_t bytes, std::size_t regionBytes) noexcept
    {
        const std::size_t least = (bytes + Step - 1) / Step * Step + 2 * GuardBytes;
        const std::size_t size = regionBytes < least ? least : regionBytes;
        auto *place = static_cast<char *>(Os::reserve(size, GuardBytes));
        if (!place)
            return false;
        m_reserved += size;
        m_next = m_usable = reinterpret_cast<std::uintptr_t>(place) + GuardBytes;
        m_end = reinterpret_cast<std::uintptr_t>(place) + (size - GuardBytes) / Step * Step;
        return true;
    }

    std::uintptr_t m_next = 0; // free from here
    std::uintptr_t m_usable = 0; // usable up to here
    std::uintptr_t m_end = 0; // reserved up to here
    std::size_t m_reserved = 0;
    std::size_t m_committed = 0;
};

/*
    Remembers that the system refused memory. The system may have memory again at any time without
    notice, so it has to be asked again; but a program that keeps allocating when there is none
    should not pay a system call each time. The first refusals in a row do not count: a new-handler
    that freed something elsewhere retries at once. After that, one request in many reaches the
    system, until one is granted.
*/
class Refusals
{
public:
    static constexpr std::uint32_t RefusalsInARow = 16;
    static constexpr std::uint32_t Interval = 128;

    constexpr Refusals() = default;

    // Counts a request; returns whether it is worth asking the system.
    bool countRequest() noexcept
    {
        return m_inARow < RefusalsInARow || ++m_unasked % Interval == 0;
    }

    // Records the system's answer, and returns it.
    bool note(bool granted) noexcept
    {
        if (granted)
            m_inARow = m_unasked = 0;
        else if (m_inARow < RefusalsInARow)
            ++m_inARow;
        return granted;
    }

private:
    std::uint32_t m_inARow = 0;
    std::uint32_t m_unasked = 0;
};

QPOOL_END_NAMESPACE

#endif // QPOOLMETADATA_H
