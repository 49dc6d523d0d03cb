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

    Held back at most: Slots batches, each of fewer than BatchChunks chunks and of at most
    BatchBytes bytes: 32 KiB a thread. They travel in parcels, of which it makes about as many
    as are on their way at once, and no more than ParcelRing::Most.
*/
class Outbox
{
public:
    static constexpr unsigned Slots = 8;
    static constexpr std::uint32_t BatchChunks = 64;
    static constexpr std::uint32_t BatchBytes = 4 * 1024;
    // Fewer go as a list: the last ones a thread freed are in its cache still, and a parcel has a
    // cache line of its own to be sent.
    static constexpr std::uint32_t FewestInParcel = 4;
    static_assert(Parcel::Capacity == BatchChunks);

    constexpr Outbox() = default;

    // The way of most: false, and nothing has happened, if it takes more than that.
    QPOOL_ALWAYS_INLINE bool tryPut(Bin *bin, FreeChunk *chunk) noexcept
    {
        Batch &batch = m_batches[slotOf(bin)];
        const std::uint32_t count = batch.count;
        if (QPOOL_UNLIKELY(batch.bin != bin) || QPOOL_UNLIKELY(count >= batch.roomBeforeLast))
            return false;
        batch.parcel->chunks[count] = chunk;
        batch.count = count + 1;
        return true;
    }

    // \a sent is called as sent(arena, bytes) after each batch that went. \a Source is where
    // parcels are made.
    template <class Source, class Sent>
    void put(ArenaBase *arena, Bin *bin, FreeChunk *chunk, std::uint32_t chunkSize,
             Sent &&sent) noexcept
    {
        Batch &batch = m_batches[slotOf(bin)];
        if (batch.bin != bin)
            begin<Source>(batch, arena, bin, chunkSize, sent);
        if (batch.parcel)
            batch.parcel->chunks[batch.count] = chunk;
        else
            link(batch, chunk);
        if (++batch.count >= batch.limit)
            send(batch, sent);
    }

    template <class Sent>
    void flush(Sent &&sent) noexcept
    {
        if (!m_used)
            return;
        m_used = false;
        for (Batch &batch : m_batches)
            send(batch, sent);
    }

    // Guarded by the registry's lock.
    Outbox *nextUnused = nullptr;
    Outbox *nextOutbox = nullptr;

private:
    friend struct Inspection;

    // The chunks are in the parcel, or, without one, linked. No bin: there are none.
    struct alignas(CacheLineSize) Batch
    {
        Bin *bin = nullptr;
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
        return line * 0x9E3779B1u >> 29;
    }
    static_assert(Slots == 8, "slotOf() yields three bits");

    template <class Source, class Sent>
    void begin(Batch &batch, ArenaBase *arena, Bin *bin, std::uint32_t chunkSize,
               Sent &sent) noexcept
    {
        send(batch, sent);
        const std::uint32_t fit = (BatchBytes + chunkSize - 1) / chunkSize;
        batch.limit = fit < BatchChunks ? fit : BatchChunks;
        batch.arena = arena;
        batch.bin = bin;
        batch.chunkSize = chunkSize;
        if (!batch.parcel && batch.limit >= FewestInParcel)
            batch.parcel = m_parcels.take<Source>();
        batch.roomBeforeLast = batch.parcel ? batch.limit - 1 : 0;
        m_used = true;
    }

    static void link(Batch &batch, FreeChunk *chunk) noexcept
    {
        Link::set(chunk, batch.first);
        if (!batch.first)
            batch.last = chunk;
        batch.first = chunk;
    }

    template <class Sent>
    static void send(Batch &batch, Sent &sent) noexcept
    {
        if (batch.count == 0)
            return;
        const std::uint32_t count = batch.count;
        Bin *bin = batch.bin;
        batch.count = 0;
        batch.bin = nullptr;
        if (batch.parcel && count >= FewestInParcel) {
            Parcel *parcel = batch.parcel;
            batch.parcel = nullptr;
            parcel->count = count;
            bin->backlog.push(parcel);
        } else {
            if (batch.parcel) {
                for (std::uint32_t i = 0; i < count; ++i)
                    link(batch, batch.parcel->chunks[i]);
            }
            FreeChunk *first = batch.first;
            batch.first = nullptr;
            bin->backlog.push(first, batch.last, count);
        }
        batch.arena->noteBacklog();
        sent(*batch.arena, std::size_t(count) * batch.chunkSize);
    }

    Batch m_batches[Slots];
    ParcelRing m_parcels;
    bool m_used = false;
};

QPOOL_END_NAMESPACE

#endif // QPOOLOUTBOX_H
