// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLMETADATA_H
#define QPOOLMETADATA_H

#include "../os/qpoolos.h"

QPOOL_BEGIN_NAMESPACE

/*
    Memory for the allocator's own structures: arenas, magazines, batches, remote caches. It comes from
    regions of addresses that contain no chunks and have unmapped addresses around them: a program that
    writes past the end of a chunk does not reach them. Nothing is given back. The user provides the
    locking and the regions.
*/
class Metadata
{
public:
    constexpr Metadata() = default;

    // The next memory comes from these addresses, of which nothing is mapped. The rest of the region
    // before stays unused.
    void use(std::uintptr_t start, std::uintptr_t end) noexcept
    {
        m_next = m_usable = start;
        m_end = end;
    }

    // Whether the region has room. \a bytes is a multiple of the alignment needed.
    bool fits(std::size_t bytes) const noexcept { return placeOf(bytes) + bytes <= m_end; }

    // Returns zero-filled memory; null if the system refuses. What fits a page of the system does not
    // extend over two, so the first access to it is the only one that may fault.
    void *allocate(std::size_t bytes) noexcept
    {
        const std::uintptr_t place = placeOf(bytes);
        if (place + bytes > m_usable && !map(place + bytes - m_usable))
            return nullptr;
        m_used += place + bytes - m_next;
        m_next = place + bytes;
        return reinterpret_cast<void *>(place);
    }

    std::size_t mapped() const noexcept { return m_mapped; }
    // What was handed out. The rest takes no memory.
    std::size_t used() const noexcept { return m_used; }

private:
    static constexpr std::size_t Step = 64 * 1024;

    std::uintptr_t placeOf(std::size_t bytes) const noexcept
    {
        constexpr std::uintptr_t page = 4096; // or a fraction of it
        const std::uintptr_t last = m_next + bytes - 1;
        return m_next / page == last / page ? m_next : (m_next + page - 1) / page * page;
    }

    bool map(std::size_t missing) noexcept
    {
        const std::size_t step = (missing + Step - 1) / Step * Step;
        const Os::Mapping mapping = Os::mapAt(reinterpret_cast<void *>(m_usable), step);
        if (mapping == Os::Mapping::Taken)
            m_end = m_usable; // by something else, which is improbable: the region ends here
        if (mapping != Os::Mapping::Done)
            return false;
        m_usable += step;
        m_mapped += step;
        return true;
    }

    std::uintptr_t m_next = 0; // free from here
    std::uintptr_t m_usable = 0; // mapped up to here
    std::uintptr_t m_end = 0;
    std::size_t m_mapped = 0;
    std::size_t m_used = 0;
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
    static constexpr std::uint32_t Interval = 127; // odd: a caller may ask for two things in turn

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
