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
    Free chunks on their way to their arena, as an array of pointers. Neither the thread that frees
    them nor the owner that loads them into its magazine touches a chunk. No cache line of a chunk
    is therefore transferred, and the owner does not wait for one line to learn the next address, as
    it would along a list.

    Invariants
    - A batch belongs to the same remote cache for ever. One thread at a time may access it: the
      remote cache's thread until it pushes the batch to a backlog, then the arena's owner until it
      calls giveBack(). Only that thread accesses the fields other than isAway.
    - The remote cache sets isAway when the batch leaves the ring. The owner clears it once, as its
      last access, with release; the remote cache reads it with acquire. All reads of the batch
      therefore happen before it is filled again.
    - A batch that is away is in one slot of its remote cache, in one backlog, or kept by one bin.
      If the arena's owner never drains its backlog, or did not survive a fork, the batch never
      comes back; only its own remote cache loses it. While MostAway batches have been sent and are
      not back, no further batch is sent: the chunks go as a list. The unsent batch was never
      pushed, so the same remote cache still holds it and fills it again.
*/
struct alignas(CacheLineSize) RemoteBatch
{
    static constexpr std::uint32_t Capacity = Tuning::RemoteChunks;

    RemoteBatch *next = nullptr; // in a backlog, then in the owner's bin
    RemoteBatch *nextInRing = nullptr; // only the remote cache accesses it, at any time
    std::uint32_t count = 0;
    std::atomic<bool> isAway { false };
    FreeChunk *chunks[Capacity] = {};

    void giveBack() noexcept { isAway.store(false, std::memory_order_release); }
};

/*
    The batches of one remote cache: those that were sent, which may be back by now, and those that
    its slots hold. There are never more than MostAway plus one per slot, and a slot without a batch
    finds or allocates one.
*/
class RemoteBatchRing
{
public:
    static constexpr std::uint32_t MostAway = Tuning::MostRemoteBatchesAway;

    // Returns a batch that came back, or a new one; null when out of memory.
    template <class Source>
    RemoteBatch *take() noexcept
    {
        if (RemoteBatch *batch = takeBack())
            return batch;
        // If memory is too scarce for larger magazines, it is too scarce for batches.
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

    // Returns whether the batch in \a holds, a slot's, may be sent. If so, replaces it by a batch
    // that came back, or by null; the slot then gets one from take().
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
    // Checks only a few, and continues there next time, so that batches that never come back do not
    // hide others.
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
        // No other thread reads the flag before the batch is pushed.
        batch->isAway.store(true, std::memory_order_relaxed);
        return batch;
    }

    RemoteBatch *m_last = nullptr; // where the last look ended
    std::uint32_t m_sent = 0; // and not yet seen to be back
};

QPOOL_END_NAMESPACE

#endif // QPOOLREMOTEBATCH_H
