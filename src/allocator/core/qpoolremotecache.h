// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLREMOTECACHE_H
#define QPOOLREMOTECACHE_H

#include "qpoolarena.h"
#include "qpooltuning.h"

QPOOL_BEGIN_NAMESPACE

/*
    Chunks that a thread freed and does not own, gathered by the bin they belong to, so that a thousand
    remote frees cost a few dozen atomic operations. (Batching of remote frees: P. Liétar et al.,
    "snmalloc: A Message Passing Allocator", ISMM 2019.) A thread that only frees has one of these,
    and no arena.

    A bin may have its slot anywhere in one set of eight, found by a hash of its address: bins that
    collide share a set. Each bin searches the set in an order of its own, and takes the first free
    slot: with as many bins as half of the slots, nearly all are found in the first or the second
    look. A chunk whose bin finds its set full is sent alone; only every eighth such chunk evicts a
    slot for its bin. If one bin too many takes turns in a set, they would otherwise all evict each
    other. The slots' tags, the bins, lie apart from the slots, those of a set in one cache line.

    At most Slots batches are held back, each of fewer than BatchChunks chunks. The more of them are
    open, the sooner a new one is sent: the first 16 at BatchBytes bytes, the next 16 at half of
    that, the others at a quarter, 128 KiB a thread in all.

    Chunks are gathered in a RemoteBatch and sent in it; a thread has about as many of these as are open
    and on their way at once. When RemoteBatchRing::MostAway of them are with owners that do not look,
    the chunks of a slot are sent as a list, linked when they are sent, and the slot keeps its batch:
    the chunks are touched then, but side by side, none waiting for another, and the fast path stays
    the same.
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
    static_assert(RemoteBatch::Capacity == BatchChunks);

    constexpr RemoteCache() = default;

    // The fast path. Returns false, and has done nothing, if the chunk takes put().
    QPOOL_ALWAYS_INLINE bool tryPut(Bin *bin, FreeChunk *chunk) noexcept
    {
        const unsigned first = firstIndex(bin);
        unsigned index = first;
        // In the order of findSlot().
        for (unsigned way = 0; m_bins[index] != bin; index = first ^ way) {
            if (++way == Ways)
                return false;
        }
        Slot &slot = m_slots[index];
        const std::uint32_t count = slot.count;
        if (QPOOL_UNLIKELY(count >= slot.roomBeforeLast))
            return false;
        slot.batch->chunks[count] = chunk;
        slot.count = count + 1;
        return true;
    }

    // \a sent is called as sent(arena, pending) after each send, with the bytes that wait for the
    // arena's owner. Batches are allocated from \a Source.
    template <class Source, class Sent>
    void put(ArenaBase *arena, Bin *bin, FreeChunk *chunk, std::uint32_t chunkSize,
             Sent &&sent) noexcept
    {
        const unsigned index = findSlot(bin);
        if (index == Slots) {
            bin->backlog.push(chunk, chunk, 1);
            sent(*arena, arena->noteBacklog(chunkSize));
            return;
        }
        Slot &slot = m_slots[index];
        if (m_bins[index] != bin)
            begin<Source>(index, arena, bin, chunkSize, sent);
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

    // The chunks are in the batch, or linked if there is none. While the slot has no bin it is empty.
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

    // Bins lie at equal distances, so their addresses are hashed first
    // (D. Knuth, "The Art of Computer Programming" 3, 6.4: multiplicative hashing).
    static unsigned firstIndex(const Bin *bin) noexcept
    {
        const auto line = std::uint32_t(reinterpret_cast<std::uintptr_t>(bin) / CacheLineSize);
        return line * 0x9E3779B1u >> 26;
    }
    static_assert(Slots == 64, "firstIndex() yields six bits");

    // The index of the bin's slot, wherever in its set, or of one for it: a free slot, or one that is
    // evicted; Slots if there is none. The search begins at the bin's own slot. The next index is an
    // exclusive or of the first, which visits each slot of the set once and never leaves it.
    unsigned findSlot(const Bin *bin) noexcept
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
        if (free == Slots && ++m_refused % Ways == 0)
            free = first ^ (m_refused / Ways % Ways);
        return free;
    }

    template <class Source, class Sent>
    void begin(unsigned index, ArenaBase *arena, Bin *bin, std::uint32_t chunkSize,
               Sent &sent) noexcept
    {
        if (m_bins[index])
            send(index, sent);
        Slot &slot = m_slots[index];
        const std::uint32_t bytes = BatchBytes >> (m_open < 16 ? 0 : m_open < 32 ? 1 : 2);
        ++m_open;
        const std::uint32_t fit = (bytes + chunkSize - 1) / chunkSize;
        slot.limit = fit < BatchChunks ? fit : BatchChunks;
        slot.arena = arena;
        m_bins[index] = bin;
        slot.chunkSize = chunkSize;
        if (!slot.batch && slot.limit >= FewestInBatch)
            slot.batch = m_batches.take<Source>();
        slot.roomBeforeLast = slot.batch ? slot.limit - 1 : 0;
    }

    static void link(Slot &slot, FreeChunk *chunk) noexcept
    {
        Link::set(chunk, slot.first);
        if (!slot.first)
            slot.last = chunk;
        slot.first = chunk;
    }

    // The chunks of the batch, the newest first.
    static void linkAll(Slot &slot, std::uint32_t count) noexcept
    {
        for (std::uint32_t i = 0; i < count; ++i)
            link(slot, slot.batch->chunks[i]);
    }

    // Of a slot that is not empty.
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
        if (batch && count >= FewestInBatch && m_batches.maySend(slot.batch)) {
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

    // Null: the slot is empty.
    alignas(CacheLineSize) Bin *m_bins[Slots] = {};
    Slot m_slots[Slots];
    RemoteBatchRing m_batches;
    std::uint32_t m_open = 0; // slots that are not empty
    std::uint32_t m_refused = 0; // chunks whose set was full
};

QPOOL_END_NAMESPACE

#endif // QPOOLREMOTECACHE_H
