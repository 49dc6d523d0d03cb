// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLREMOTEBATCH_H
#define QPOOLREMOTEBATCH_H

#include "qpoolchunk.h"
#include "qpooltuning.h"

#include <atomic>
#include <new>

QPOOL_BEGIN_NAMESPACE

/*
    Free chunks on their way to their arena, as an array of pointers. Neither the thread that freed
    them nor the owner that puts them back into its magazine touches a chunk, so none of their cache
    lines is transferred, and the owner does not wait for one line to learn the next address, as it
    does along a list.

    Invariants
    - A batch belongs to one remote cache for good, and one thread at a time may access it: the remote
      cache's thread, until it is pushed to a backlog; then the arena's owner, until giveBack(). That
      thread alone accesses all fields but isAway.
    - isAway is set by the remote cache when the batch leaves the ring, and cleared by the owner,
      once, as the owner's last access: with release, and the remote cache reads it with acquire, so
      that all reads of the batch happen before it is filled again.
    - A batch that is away is in one slot of its remote cache, or in one backlog, or kept by one bin.
      A batch that never comes back, because its arena's owner does not drain its backlog or did not
      survive a fork, is lost to its remote cache and to nobody else. While MostAway batches are sent
      and not back, no further one is sent: the chunks go as a list, and the batch, which was never
      pushed, is filled again by the same remote cache, which still holds it.
*/
struct alignas(CacheLineSize) RemoteBatch
{
    static constexpr std::uint32_t Capacity = Tuning::RemoteChunks;

    RemoteBatch *next = nullptr; // in the backlog, and with the bin's owner after it
    RemoteBatch *nextInRing = nullptr; // accessed by the remote cache alone, at any time
    std::uint32_t count = 0;
    std::atomic<bool> isAway { false };
    FreeChunk *chunks[Capacity] = {};

    void giveBack() noexcept { isAway.store(false, std::memory_order_release); }
};

/*
    The batches of one remote cache: those that were sent, which may be back, and those that its slots
    hold. So there are never more than MostAway and one for each slot, and a slot that has none
    finds or gets one.
*/
class RemoteBatchRing
{
public:
    static constexpr std::uint32_t MostAway = Tuning::MostRemoteBatchesAway;

    // A batch that is back, or a new one; null when memory is out.
    template <class Source>
    RemoteBatch *take() noexcept
    {
        if (RemoteBatch *batch = takeBack())
            return batch;
        // Where memory is too scarce for magazines, it is too scarce for batches.
        if (!Source::GrowsMagazines)
            return nullptr;
        void *place = Source::allocateMetadata(sizeof(RemoteBatch));
        if (!place)
            return nullptr;
        auto *batch = new (place) RemoteBatch;
        batch->nextInRing = m_last ? m_last->nextInRing : batch;
        if (m_last)
            m_last->nextInRing = batch;
        m_last = batch;
        return leaves(batch);
    }

    // Whether the batch that a slot \a holds may be sent. If so, the slot now holds one that came
    // back, or none, and gets one from take().
    bool maySend(RemoteBatch *&holds) noexcept
    {
        RemoteBatch *back = nullptr;
        if (m_sent == MostAway && !(back = takeBack()))
            return false;
        ++m_sent;
        holds = back;
        return true;
    }

private:
    // Looks at a few, going round, so that those that never come back do not hide the others.
    RemoteBatch *takeBack() noexcept
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

    static RemoteBatch *leaves(RemoteBatch *batch) noexcept
    {
        // No other thread reads it before it is pushed.
        batch->isAway.store(true, std::memory_order_relaxed);
        return batch;
    }

    RemoteBatch *m_last = nullptr; // where the last look ended
    std::uint32_t m_sent = 0; // and not seen to be back
};

QPOOL_END_NAMESPACE

#endif // QPOOLREMOTEBATCH_H
