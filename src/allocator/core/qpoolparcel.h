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
      fork, is lost to its outbox and to nobody else. When MostAway are sent and not back, none is
      sent before another came back: a batch goes as a list, and its parcel, never pushed, is filled
      anew by the same outbox, which still holds it.
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

/*
    The parcels of one outbox, and of its thread: those that are sent, which may be back, and those
    that its batches hold. So there are never more than MostAway and one for each batch, and a batch
    that has none finds or gets one.
*/
class ParcelRing
{
public:
    static constexpr std::uint32_t MostAway = 192; // 108 KiB

    // One that is back, or another; null when there is no memory.
    template <class Source>
    Parcel *take() noexcept
    {
        if (Parcel *parcel = takeBack())
            return parcel;
        // Where memory is too scarce for magazines it is for these.
        if (!Source::GrowsMagazines)
            return nullptr;
        void *place = Source::allocateMetadata(sizeof(Parcel));
        if (!place)
            return nullptr;
        auto *parcel = new (place) Parcel;
        parcel->nextInRing = m_last ? m_last->nextInRing : parcel;
        if (m_last)
            m_last->nextInRing = parcel;
        m_last = parcel;
        return leaves(parcel);
    }

    // Whether the parcel that a batch \a holds may be sent. Then the batch does not hold it any
    // more, but one that came back, or none, and take() has one for it.
    bool maySend(Parcel *&holds) noexcept
    {
        Parcel *back = nullptr;
        if (m_sent == MostAway && !(back = takeBack()))
            return false;
        ++m_sent;
        holds = back;
        return true;
    }

private:
    // Looks at a few, going round, so that the ones that never come back do not hide the others.
    Parcel *takeBack() noexcept
    {
        constexpr int looks = 4;
        for (int i = 0; i < looks && m_last; ++i) {
            m_last = m_last->nextInRing;
            if (!m_last->isAway.load(std::memory_order_acquire)) {
                --m_sent;
                return leaves(m_last);
            }
        }
        return nullptr;
    }

    static Parcel *leaves(Parcel *parcel) noexcept
    {
        // Nobody else looks at it before it is pushed.
        parcel->isAway.store(true, std::memory_order_relaxed);
        return parcel;
    }

    Parcel *m_last = nullptr; // where the last look ended
    std::uint32_t m_sent = 0; // and not seen to be back
};

QPOOL_END_NAMESPACE

#endif // QPOOLPARCEL_H
