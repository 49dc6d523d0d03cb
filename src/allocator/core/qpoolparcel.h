// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLPARCEL_H
#define QPOOLPARCEL_H

#include "qpoolchunk.h"

#include <atomic>
#include <new>

QPOOL_BEGIN_NAMESPACE

/*
    Free chunks on their way home, as an array of pointers: neither the thread that freed them nor
    the one that gets them back into its magazine touches a chunk, so no cache line of theirs
    travels for it, and the owner does not wait for one line to learn of the next, as it does along
    a list.

    Invariants
    - A parcel is an outbox's for good, and in the hands of one thread at a time: of the outbox's
      thread, until it is pushed to a backlog; then of the arena's owner, until giveBack(). All
      fields but isAway are of whoever holds it.
    - isAway is set by the outbox when the parcel leaves the ring, and cleared by the owner, once,
      as the last it does with the parcel: with release, and read by the outbox with acquire, so
      that all that was read out of the parcel was read before it is filled anew.
    - A parcel that is away is in one batch of its outbox, or in one backlog, or kept by one bin.
      One that never comes back, because its arena's owner does not ask or did not survive a
      fork, is lost to its outbox and to nobody else. When all are away to such owners, the
      thread's frees go as lists, which takes about twice as long.
*/
struct alignas(CacheLineSize) Parcel
{
    static constexpr std::uint32_t Capacity = 64;

    Parcel *next = nullptr; // in the backlog, and with the bin's owner after it
    Parcel *nextInRing = nullptr; // the outbox's alone, whoever holds the parcel
    std::uint32_t count = 0;
    std::atomic<bool> isAway { false };
    FreeChunk *chunks[Capacity] = {};

    void giveBack() noexcept { isAway.store(false, std::memory_order_release); }
};

// The parcels of one outbox, and of its thread.
class ParcelRing
{
public:
    static constexpr std::uint32_t Most = 192; // 108 KiB

    // One that is not away, and now is; null when there is none and may not be another. Looks at
    // a few, going round, so that the ones that never come back do not hide the others.
    template <class Source>
    Parcel *take() noexcept
    {
        constexpr int looks = 4;
        for (int i = 0; i < looks && m_last; ++i) {
            m_last = m_last->nextInRing;
            if (!m_last->isAway.load(std::memory_order_acquire))
                return leaves(m_last);
        }
        // Where memory is too scarce for magazines it is for these.
        if (!Source::GrowsMagazines || m_count == Most)
            return nullptr;
        void *place = Source::allocateMetadata(sizeof(Parcel));
        if (!place)
            return nullptr;
        auto *parcel = new (place) Parcel;
        parcel->nextInRing = m_last ? m_last->nextInRing : parcel;
        if (m_last)
            m_last->nextInRing = parcel;
        m_last = parcel;
        ++m_count;
        return leaves(parcel);
    }

private:
    static Parcel *leaves(Parcel *parcel) noexcept
    {
        // Nobody else looks at it before it is pushed.
        parcel->isAway.store(true, std::memory_order_relaxed);
        return parcel;
    }

    Parcel *m_last = nullptr; // where the last look ended
    std::uint32_t m_count = 0;
};

QPOOL_END_NAMESPACE

#endif // QPOOLPARCEL_H
