// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QLATENCYPENDING_P_H
#define QLATENCYPENDING_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

// Empty for other modules of Qt, which do not find the allocator's headers.
#if __has_include("qpoolglobal.h")

#include "qlatencyrecord_p.h"

#include <cstddef>
#include <vector>

QPOOL_BEGIN_NAMESPACE

// The post of an event that has not ended yet, and the number of the thread that recorded it.
struct LatencyPost
{
    static constexpr unsigned NoThread = ~0u;

    LatencyRecord record = {};
    unsigned thread = NoThread;
};

/*
    The posts whose end was not found yet, by the address of the event. Each event is inserted and erased
    once, so the table has open addressing: a std::unordered_map would allocate and free a node for each.

    A post is in the first place that was free, from the place of its hash on. After an erasure, those behind
    are moved forward, so that a search can end at the first free place. A free place has NoThread.
    Not thread-safe.
*/
class LatencyPending
{
public:
    std::size_t size() const noexcept { return m_size; }

    // Null if there is none. Valid until the next call of insert() or erase().
    LatencyPost *find(std::uint64_t event) noexcept
    {
        if (m_size == 0)
            return nullptr;
        LatencyPost &post = m_places[placeOf(event)];
        return isFree(post) ? nullptr : &post;
    }

    // There must be none of that event. Throws std::bad_alloc, and changes nothing then.
    void insert(const LatencyPost &post)
    {
        if (m_size + 1 > m_places.size() / 2)
            resize(m_places.empty() ? Least : 2 * m_places.size());
        m_places[placeOf(post.record.event)] = post;
        ++m_size;
    }

    // \a post is what find() returned.
    void erase(LatencyPost *post) noexcept
    {
        auto gap = std::size_t(post - m_places.data());
        for (std::size_t at = next(gap); !isFree(m_places[at]); at = next(at)) {
            // Unless the search for this post begins behind the gap.
            const std::size_t home = homeOf(m_places[at].record.event);
            if (((at - home) & mask()) >= ((at - gap) & mask())) {
                m_places[gap] = m_places[at];
                gap = at;
            }
        }
        m_places[gap].thread = LatencyPost::NoThread;
        --m_size;
    }

    // Frees memory if there were many more posts before. Throws std::bad_alloc, and changes nothing then.
    void trim()
    {
        if (m_places.size() > Least && m_size < m_places.size() / 16)
            resize(m_places.size() / 4);
    }

private:
    static constexpr std::size_t Least = 1024;

    static bool isFree(const LatencyPost &post) noexcept
    {
        return post.thread == LatencyPost::NoThread;
    }
    std::size_t mask() const noexcept { return m_places.size() - 1; }
    std::size_t next(std::size_t place) const noexcept { return (place + 1) & mask(); }

    std::size_t homeOf(std::uint64_t event) const noexcept
    {
        // Fibonacci hashing: the upper bits of the product depend on all bits of the address.
        return std::size_t((event * 0x9e3779b97f4a7c15u) >> 32) & mask();
    }

    // Where the event is, or else where it would be.
    std::size_t placeOf(std::uint64_t event) const noexcept
    {
        std::size_t place = homeOf(event);
        while (!isFree(m_places[place]) && m_places[place].record.event != event)
            place = next(place);
        return place;
    }

    void resize(std::size_t count)
    {
        std::vector<LatencyPost> places(count);
        m_places.swap(places);
        for (const LatencyPost &post : places) {
            if (!isFree(post))
                m_places[placeOf(post.record.event)] = post;
        }
    }

    std::vector<LatencyPost> m_places; // their number is a power of two
    std::size_t m_size = 0;
};

QPOOL_END_NAMESPACE

#endif // __has_include("qpoolglobal.h")

#endif // QLATENCYPENDING_P_H
