// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLREMOTECACHE_H
#define QPOOLREMOTECACHE_H

#include "qpoolarena.h"
#include "qpooltuning.h"

#include <new>

QPOOL_BEGIN_NAMESPACE

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

    // Replaces the batch in \a holds, a slot's, which is sent then, by a batch that came back, or by
    // null; the slot then gets one from take(). Returns false and does nothing if none may be sent.
    bool letGo(RemoteBatch *&holds) noexcept
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

/*
    Collects the chunks that a thread frees but does not own, sorted by bin, so that a thousand
    remote frees cost a few dozen atomic operations. (Batching of remote frees: P. Liétar et al.,
    "snmalloc: A Message Passing Allocator", ISMM 2019.) A thread that only frees has a remote cache
    and no arena.

    A bin may use any slot of one set of eight, which is found by a hash of the bin's address; bins
    that collide share the set. Each bin searches the set in its own order and takes the first free
    slot. While there are no more bins than half of the slots, nearly all are found at the first or
    second slot. If a bin finds its set full, its chunk is sent alone; only every eighth such chunk
    evicts a slot for its bin. Otherwise, if one bin too many used a set in turns, the bins would
    evict each other every time. The slots' tags, which are the bins, are apart from the slots; the
    tags of a set share a cache line.

    At most Slots batches are held back, each of fewer than BatchChunks chunks. The more slots are
    open, the sooner a new one is sent: the first 16 at BatchBytes bytes, the next 16 at half of
    that, the others at a quarter; 128 KiB per thread in all.

    Chunks are collected and sent in a RemoteBatch. A thread has about as many batches as are open
    or on their way at the same time. While RemoteBatchRing::MostAway batches are with owners that
    do not drain their backlogs, a slot's chunks are sent as a list and the slot keeps its batch.
    The chunks are linked only when they are sent. This touches them, but the accesses are
    independent, so none waits for another, and the fast path stays the same.
*/
class RemoteCache
{
public:
    static constexpr unsigned Ways = 8;
    static constexpr unsigned Slots = 64;
    static constexpr std::uint32_t BatchChunks = Tuning::RemoteChunks;
    static constexpr std::uint32_t BatchBytes = Tuning::RemoteBytes;
    static constexpr std::uint32_t FewestInBatch = Tuning::FewestInRemoteBatch;
    static constexpr std::uint32_t MostBytes = 16 * BatchBytes + 16 * (BatchBytes / 2)
            + 32 * (BatchBytes / 4);

    constexpr RemoteCache() = default;

    // The fast path. Returns false and does nothing if the chunk needs put().
    QPOOL_ALWAYS_INLINE bool tryPut(Bin *bin, FreeChunk *chunk) noexcept
    {
        const unsigned first = firstIndex(bin);
        unsigned index = first;
        // Searches in the same order as openSlot().
        for (unsigned way = 0; m_bins[index] != bin; index = first ^ way) {
            if (++way == Ways)
                return false;
        }
        Slot &slot = m_slots[index];
        const std::uint32_t count = slot.count;
        if (QPOOL_UNLIKELY(count >= slot.roomBeforeLast))
            return false;
        slot.batch->chunks[count] = chunk;
        // In this order, for the child of a fork(): see ArenaRegistry::forked().
        std::atomic_signal_fence(std::memory_order_release);
        slot.count = count + 1;
        return true;
    }

    // Calls sent(arena, pending) after each send; pending is the number of bytes that wait for the
    // arena's owner. Batches are allocated from \a Source.
    template <class Source, class Sent>
    void put(ArenaBase *arena, Bin *bin, FreeChunk *chunk, std::uint32_t chunkSize,
             Sent &&sent) noexcept
    {
        const unsigned index = openSlot<Source>(arena, bin, chunkSize, sent);
        if (index == Slots) {
            bin->backlog.push(chunk, chunk, 1);
            sent(*arena, arena->noteBacklog(chunkSize));
            return;
        }
        Slot &slot = m_slots[index];
        if (slot.batch)
            slot.batch->chunks[slot.count] = chunk;
        else
            link(slot, chunk);
        if (++slot.count >= slot.limit)
            send(index, sent);
    }

    template <class Sent>
    void flush(Sent &&sent) noexcept
    {
        for (unsigned index = 0; m_open > 0; ++index) {
            if (m_bins[index])
                send(index, sent);
        }
    }

    // Guarded by the registry's lock.
    RemoteCache *nextUnused = nullptr;
    RemoteCache *nextRemoteCache = nullptr;

private:
    friend struct Inspection;

    // The chunks are in the batch, or linked if there is none. A slot without a bin is empty.
    struct alignas(CacheLineSize) Slot
    {
        RemoteBatch *batch = nullptr;
        std::uint32_t count = 0;
        std::uint32_t roomBeforeLast = 0; // in the batch, if there is one
        std::uint32_t limit = 0;
        FreeChunk *first = nullptr;
        FreeChunk *last = nullptr;
        ArenaBase *arena = nullptr;
        std::uint32_t chunkSize = 0;
    };

    // Bins are equally spaced, so their addresses are hashed first (D. Knuth, "The Art of Computer
    // Programming" 3, 6.4: multiplicative hashing).
    static unsigned firstIndex(const Bin *bin) noexcept
    {
        const auto line = std::uint32_t(reinterpret_cast<std::uintptr_t>(bin) / CacheLineSize);
        return line * 0x9E3779B1u >> 26;
    }
    static_assert(Slots == 64, "firstIndex() yields six bits");

    // Returns the index of the bin's slot. If the bin has none, opens a free one of its set, or one that
    // it evicts, or returns Slots if the chunk is to be sent alone. The search begins at the index that
    // the hash yields. The following indices are this one xor the step, so the search visits each
    // slot of the set once and never leaves the set.
    template <class Source, class Sent>
    unsigned openSlot(ArenaBase *arena, Bin *bin, std::uint32_t chunkSize, Sent &sent) noexcept
    {
        static_assert((Ways & (Ways - 1)) == 0 && Slots % Ways == 0);
        const unsigned first = firstIndex(bin);
        unsigned free = Slots;
        for (unsigned way = 0; way < Ways; ++way) {
            const unsigned index = first ^ way;
            if (m_bins[index] == bin)
                return index;
            if (!m_bins[index] && free == Slots)
                free = index;
        }
        if (free == Slots) {
            if (++m_refused % Ways != 0)
                return Slots;
            free = first ^ (m_refused / Ways % Ways);
            send(free, sent);
        }
        Slot &slot = m_slots[free];
        const std::uint32_t bytes = BatchBytes >> (m_open < 16 ? 0 : m_open < 32 ? 1 : 2);
        ++m_open;
        const std::uint32_t fit = (bytes + chunkSize - 1) / chunkSize;
        slot.limit = fit < BatchChunks ? fit : BatchChunks;
        slot.arena = arena;
        m_bins[free] = bin;
        slot.chunkSize = chunkSize;
        if (!slot.batch && slot.limit >= FewestInBatch)
            slot.batch = m_batches.take<Source>();
        slot.roomBeforeLast = slot.batch ? slot.limit - 1 : 0;
        return free;
    }

    static void link(Slot &slot, FreeChunk *chunk) noexcept
    {
        Link::set(chunk, slot.first);
        if (!slot.first)
            slot.last = chunk;
        slot.first = chunk;
    }

    // Links the batch's first \a count chunks, the newest first.
    static void linkAll(Slot &slot, std::uint32_t count) noexcept
    {
        for (std::uint32_t i = 0; i < count; ++i)
            link(slot, slot.batch->chunks[i]);
    }

    // The slot must not be empty.
    template <class Sent>
    void send(unsigned index, Sent &sent) noexcept
    {
        Slot &slot = m_slots[index];
        const std::uint32_t count = slot.count;
        Bin *bin = m_bins[index];
        slot.count = 0;
        m_bins[index] = nullptr;
        --m_open;
        RemoteBatch *batch = slot.batch;
        if (batch && count >= FewestInBatch && m_batches.letGo(slot.batch)) {
            batch->count = count;
            bin->backlog.push(batch);
        } else {
            if (batch)
                linkAll(slot, count);
            FreeChunk *first = slot.first;
            slot.first = nullptr;
            bin->backlog.push(first, slot.last, count);
        }
        ArenaBase &arena = *slot.arena;
        sent(arena, arena.noteBacklog(std::size_t(count) * slot.chunkSize));
    }

    // Null if the slot is empty.
    alignas(CacheLineSize) Bin *m_bins[Slots] = {};
    Slot m_slots[Slots];
    RemoteBatchRing m_batches;
    std::uint32_t m_open = 0; // slots that are not empty
    std::uint32_t m_refused = 0; // chunks that found their set full
};

QPOOL_END_NAMESPACE

#endif // QPOOLREMOTECACHE_H
