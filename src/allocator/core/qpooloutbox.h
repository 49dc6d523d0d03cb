// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLOUTBOX_H
#define QPOOLOUTBOX_H

#include "qpoolarena.h"

namespace QPool {

/*
    Chunks that a thread freed and does not own, gathered by the bin they go home to, so that
    a thousand of them cost a few dozen atomic operations. (Batching of remote frees: P. Liétar
    et al., "snmalloc: A Message Passing Allocator", ISMM 2019.) A thread that only frees has
    one of these, and no arena.

    Held back at most: Slots batches, each of fewer than BatchChunks chunks and of at most
    BatchBytes bytes: 32 KiB a thread.
*/
class Outbox
{
public:
    static constexpr unsigned Slots = 8;
    static constexpr std::uint32_t BatchChunks = 64;
    static constexpr std::uint32_t BatchBytes = 4 * 1024;

    constexpr Outbox() = default;

    // \a sent is called as sent(arena, bytes) after each batch that went.
    template <class Sent>
    void put(ArenaBase *arena, Bin *bin, FreeChunk *chunk, std::uint32_t chunkSize,
             Sent &&sent) noexcept
    {
        Batch &batch = m_batches[slotOf(bin)];
        if (batch.bin != bin) {
            send(batch, sent);
            batch.arena = arena;
            batch.bin = bin;
            batch.chunkSize = chunkSize;
        }
        Link::set(chunk, batch.first);
        if (!batch.first)
            batch.last = chunk;
        batch.first = chunk;
        m_used = true;
        if (++batch.count >= BatchChunks || batch.count * chunkSize >= BatchBytes)
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

    struct Batch
    {
        ArenaBase *arena = nullptr;
        Bin *bin = nullptr;
        FreeChunk *first = nullptr;
        FreeChunk *last = nullptr;
        std::uint32_t count = 0;
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

    template <class Sent>
    static void send(Batch &batch, Sent &sent) noexcept
    {
        if (batch.count == 0)
            return;
        const std::uint32_t count = batch.count;
        FreeChunk *first = batch.first;
        batch.first = nullptr;
        batch.count = 0;
        batch.bin->backlog.push(first, batch.last, count);
        batch.arena->noteBacklog();
        sent(*batch.arena, std::size_t(count) * batch.chunkSize);
    }

    Batch m_batches[Slots];
    bool m_used = false;
};

} // namespace QPool

#endif // QPOOLOUTBOX_H
