// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLOUTBOX_H
#define QPOOLOUTBOX_H

#include "qpoolarena.h"

QPOOL_BEGIN_NAMESPACE

/*
    Chunks that a thread freed and does not own, gathered by the bin they go home to, so that
    a thousand of them cost a few dozen atomic operations. (Batching of remote frees: P. Liétar
    et al., "snmalloc: A Message Passing Allocator", ISMM 2019.) A thread that only frees has
    one of these, and no arena.

    A bin may have its batch in any slot of one set of eight, found by a hash of its address: so
    bins that collide share a set. Each bin goes through the set in an order of its own, and takes
    the first free slot: with as many bins as half of the slots, nearly all are found in the first
    or the second. A chunk of a bin that finds its set full goes home alone, and only every eighth
    time a batch makes way for its bin: when bins take turns, and there is one too many, all would
    otherwise chase each other out. The slots' tags, the bins, stand apart from the batches, a set's
    in one cache line.

    Held back at most: Slots batches, each of fewer than BatchChunks chunks. The more of them are
    open the sooner a new one is sent: the first 16 at BatchBytes bytes, the next 16 at half of
    that, the others at a quarter, 128 KiB a thread in all.

    They are gathered in parcels, and travel in them, of which there are about as many as are open
    and on their way at once. When ParcelRing::MostAway of them are with owners that do not look, a
    batch goes as a list, linked when it is sent, and its parcel stays for the next: the chunks are
    touched then, but side by side and none waiting for another, and the fast path remains what it
    is.
*/
class Outbox
{
public:
    static constexpr unsigned Ways = 8;
    static constexpr unsigned Slots = 64;
    static constexpr std::uint32_t BatchChunks = 64;
    static constexpr std::uint32_t BatchBytes = 4 * 1024;
    // Fewer go as a list: the last ones a thread freed are in its cache still, and a parcel has a
    // cache line of its own to be sent.
    static constexpr std::uint32_t FewestInParcel = 4;
    static constexpr std::uint32_t MostBytes = 16 * BatchBytes + 16 * (BatchBytes / 2)
            + 32 * (BatchBytes / 4);
    static_assert(Parcel::Capacity == BatchChunks);

    constexpr Outbox() = default;

    // The fast path: false, and nothing has happened, if it takes more than that.
    QPOOL_ALWAYS_INLINE bool tryPut(Bin *bin, FreeChunk *chunk) noexcept
    {
        const unsigned first = slotOf(bin);
        unsigned slot = first;
        // In the order of findSlot().
        for (unsigned way = 0; m_bins[slot] != bin; slot = first ^ way) {
            if (++way == Ways)
                return false;
        }
        Batch &batch = m_batches[slot];
        const std::uint32_t count = batch.count;
        if (QPOOL_UNLIKELY(count >= batch.roomBeforeLast))
            return false;
        batch.parcel->chunks[count] = chunk;
        batch.count = count + 1;
        return true;
    }

    // \a sent is called as sent(arena, pending) after each batch that went, with the bytes that
    // wait for the arena's owner. \a Source is where parcels are made.
    template <class Source, class Sent>
    void put(ArenaBase *arena, Bin *bin, FreeChunk *chunk, std::uint32_t chunkSize,
             Sent &&sent) noexcept
    {
        const unsigned slot = findSlot(bin);
        if (slot == Slots) {
            bin->backlog.push(chunk, chunk, 1);
            sent(*arena, arena->noteBacklog(chunkSize));
            return;
        }
        Batch &batch = m_batches[slot];
        if (m_bins[slot] != bin)
            begin<Source>(slot, arena, bin, chunkSize, sent);
        if (batch.parcel)
            batch.parcel->chunks[batch.count] = chunk;
        else
            link(batch, chunk);
        if (++batch.count >= batch.limit)
            send(slot, sent);
    }

    template <class Sent>
    void flush(Sent &&sent) noexcept
    {
        for (unsigned slot = 0; m_open > 0; ++slot) {
            if (m_bins[slot])
                send(slot, sent);
        }
    }

    // Guarded by the registry's lock.
    Outbox *nextUnused = nullptr;
    Outbox *nextOutbox = nullptr;

private:
    friend struct Inspection;

    // The chunks are in the parcel, or, without one, linked. The slot has no bin: there are none.
    struct alignas(CacheLineSize) Batch
    {
        Parcel *parcel = nullptr;
        std::uint32_t count = 0;
        std::uint32_t roomBeforeLast = 0; // in the parcel, if there is one
        std::uint32_t limit = 0;
        FreeChunk *first = nullptr;
        FreeChunk *last = nullptr;
        ArenaBase *arena = nullptr;
        std::uint32_t chunkSize = 0;
    };

    // Bins stand at equal distances, so their addresses are mixed before they are cut short
    // (D. Knuth, "The Art of Computer Programming" 3, 6.4: multiplicative hashing).
    static unsigned slotOf(const Bin *bin) noexcept
    {
        const auto line = std::uint32_t(reinterpret_cast<std::uintptr_t>(bin) / CacheLineSize);
        return line * 0x9E3779B1u >> 26;
    }
    static_assert(Slots == 64, "slotOf() yields six bits");

    // The slot of the bin, wherever in its set, or one for it: a free one, or that of a batch that
    // has to make way; Slots if there is none. The set begins with the bin's own slot, and the way
    // to the others is an exclusive or, which leads to each once and never out of the set.
    unsigned findSlot(const Bin *bin) noexcept
    {
        static_assert((Ways & (Ways - 1)) == 0 && Slots % Ways == 0);
        const unsigned first = slotOf(bin);
        unsigned free = Slots;
        for (unsigned way = 0; way < Ways; ++way) {
            const unsigned slot = first ^ way;
            if (m_bins[slot] == bin)
                return slot;
            if (!m_bins[slot] && free == Slots)
                free = slot;
        }
        if (free == Slots && ++m_refused % Ways == 0)
            free = first ^ (m_refused / Ways % Ways);
        return free;
    }

    template <class Source, class Sent>
    void begin(unsigned slot, ArenaBase *arena, Bin *bin, std::uint32_t chunkSize,
               Sent &sent) noexcept
    {
        if (m_bins[slot])
            send(slot, sent);
        Batch &batch = m_batches[slot];
        const std::uint32_t bytes = BatchBytes >> (m_open < 16 ? 0 : m_open < 32 ? 1 : 2);
        ++m_open;
        const std::uint32_t fit = (bytes + chunkSize - 1) / chunkSize;
        batch.limit = fit < BatchChunks ? fit : BatchChunks;
        batch.arena = arena;
        m_bins[slot] = bin;
        batch.chunkSize = chunkSize;
        if (!batch.parcel && batch.limit >= FewestInParcel)
            batch.parcel = m_parcels.take<Source>();
        batch.roomBeforeLast = batch.parcel ? batch.limit - 1 : 0;
    }

    static void link(Batch &batch, FreeChunk *chunk) noexcept
    {
        Link::set(chunk, batch.first);
        if (!batch.first)
            batch.last = chunk;
        batch.first = chunk;
    }

    // What is in the parcel, the newest first.
    static void linkAll(Batch &batch, std::uint32_t count) noexcept
    {
        for (std::uint32_t i = 0; i < count; ++i)
            link(batch, batch.parcel->chunks[i]);
    }

    // What is in an open slot.
    template <class Sent>
    void send(unsigned slot, Sent &sent) noexcept
    {
        Batch &batch = m_batches[slot];
        const std::uint32_t count = batch.count;
        Bin *bin = m_bins[slot];
        batch.count = 0;
        m_bins[slot] = nullptr;
        --m_open;
        Parcel *parcel = batch.parcel;
        if (parcel && count >= FewestInParcel && m_parcels.maySend(batch.parcel)) {
            parcel->count = count;
            bin->backlog.push(parcel);
        } else {
            if (parcel)
                linkAll(batch, count);
            FreeChunk *first = batch.first;
            batch.first = nullptr;
            bin->backlog.push(first, batch.last, count);
        }
        ArenaBase &arena = *batch.arena;
        sent(arena, arena.noteBacklog(std::size_t(count) * batch.chunkSize));
    }

    // Null: the slot is free.
    alignas(CacheLineSize) Bin *m_bins[Slots] = {};
    Batch m_batches[Slots];
    ParcelRing m_parcels;
    std::uint32_t m_open = 0; // slots that are not free
    std::uint32_t m_refused = 0; // chunks whose set was full
};

QPOOL_END_NAMESPACE

#endif // QPOOLOUTBOX_H
