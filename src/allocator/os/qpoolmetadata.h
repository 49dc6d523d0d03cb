// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLMETADATA_H
#define QPOOLMETADATA_H

#include "qpoolos.h"

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
    // How much is made usable at once.
    static constexpr std::size_t Step = 64 * 1024;

    constexpr Metadata() = default;

    // Returns zero-filled memory; null if the system refuses. \a bytes is a multiple of the
    // alignment needed; a new region has about \a regionBytes.
    void *allocate(std::size_t bytes, std::size_t regionBytes) noexcept
    {
        if (bytes > std::size_t(m_end - m_next) && !addRegion(bytes, regionBytes))
            return nullptr;
        if (bytes > std::size_t(m_usable - m_next)) {
            const std::size_t missing = bytes - std::size_t(m_usable - m_next);
            const std::size_t step = (missing + Step - 1) / Step * Step;
            if (!Os::commit(m_usable, step))
                return nullptr;
            m_usable += step;
            m_committed += step;
        }
        char *place = m_next;
        m_next += bytes;
        return place;
    }

    // Whether allocate() will certainly succeed.
    bool has(std::size_t bytes) const noexcept { return bytes <= std::size_t(m_usable - m_next); }

    std::size_t reserved() const noexcept { return m_reserved; }
    std::size_t committed() const noexcept { return m_committed; }

private:
    // The rest of the last region stays unused.
    bool addRegion(std::size_t bytes, std::size_t regionBytes) noexcept
    {
        const std::size_t least = (bytes + Step - 1) / Step * Step + 2 * GuardBytes;
        const std::size_t size = regionBytes < least ? least : regionBytes;
        auto *place = static_cast<char *>(Os::reserve(size, GuardBytes));
        if (!place)
            return false;
        m_reserved += size;
        m_next = m_usable = place + GuardBytes;
        m_end = place + (size - GuardBytes) / Step * Step;
        return true;
    }

    char *m_next = nullptr; // free from here
    char *m_usable = nullptr; // usable up to here
    char *m_end = nullptr; // reserved up to here
    std::size_t m_reserved = 0;
    std::size_t m_committed = 0;
};

QPOOL_END_NAMESPACE

#endif // QPOOLMETADATA_H
