// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLBACKLOGDRAIN_H
#define QPOOLBACKLOGDRAIN_H

#include "qpoolbinpages.h"
#include "qpoolmagazine.h"

QPOOL_BEGIN_NAMESPACE

// Moves the chunks that other threads freed from a bin's backlog to its magazine and pages. Only
// the arena's owner or its visitor uses it.
template <class Source>
class BacklogDrain
{
public:
    enum class Extent {
        All, // what does not fit into the magazine goes to the pages
        Fitting // stop when the magazine is full; the bin keeps the rest
    };

    // First what the bin kept the last time, then the backlog. What it keeps is needed next. The thread
    // that pushed it has noted it or is about to, so the next takeAll() takes it, too. In the child of a
    // fork() between the push and the note, that thread does not exist; hence the note here.
    static void take(ArenaBase &arena, Bin &bin, Extent extent) noexcept
    {
        BacklogDrain drain(arena, bin);
        drain.unpack(bin.batches, extent);
        if (!bin.batches)
            drain.unpack(bin.backlog.takeBatches(), extent);
        drain.takeSingly(bin.chunks, extent);
        if (!bin.chunks)
            drain.takeSingly(bin.backlog.takeAll(), extent);
        if (QPOOL_UNLIKELY((bin.batches || bin.chunks) && !arena.hasBacklog()))
            arena.askForCheck();
    }

    // Takes in what other threads freed to any bin, if they freed anything since the last call.
    static void takeAll(ArenaBase &arena) noexcept
    {
        if (!arena.takeBacklogNote())
            return;
        for (unsigned i = 0; Bin *bin = arena.usedBin(i); ++i) {
            if (!bin->hasBacklog())
                continue;
            if (bin->capacity > 0)
                Magazine<Source>::grow(arena, *bin, Bin::MostCapacity);
            take(arena, *bin, Extent::All);
        }
    }

    // One step of a visitor: takes in about as many chunks as a batch holds, and puts them only into
    // the pages, so that the magazine stays as the owner left it. Returns the number of chunks.
    static std::uint32_t putSome(ArenaBase &arena, Bin &bin) noexcept
    {
        BacklogDrain drain(arena, bin);
        drain.putSome();
        return drain.m_taken;
    }

private:
    BacklogDrain(ArenaBase &arena, Bin &bin) noexcept
        : m_arena(arena), m_bin(bin), m_held(bin.held())
    {
    }

    ~BacklogDrain()
    {
        if (m_taken == 0)
            return;
        const std::uint32_t kept = m_held - m_bin.held();
        m_bin.countMoved(std::int32_t(kept));
        m_arena.returnedChunks += m_taken - kept;
        m_bin.backlog.countTaken(m_taken);
    }

    // The backlog's lists are taken whole, and the bin keeps the rest.
    void putSome() noexcept
    {
        if (!m_bin.batches)
            m_bin.batches = m_bin.backlog.takeBatches();
        if (RemoteBatch *batch = m_bin.batches) {
            m_bin.batches = batch->next;
            for (std::uint32_t i = batch->count; i > 0; --i) {
                if constexpr (hardening == 2)
                    Checks<Source>::untouched(batch->chunks[i - 1], m_arena.model);
                BinPages<Source>::put(m_arena, m_bin, batch->chunks[i - 1]);
            }
            m_taken += batch->count;
            batch->returnToRing();
            return;
        }
        if (!m_bin.chunks)
            m_bin.chunks = m_bin.backlog.takeAll();
        for (std::uint32_t i = 0; i < RemoteBatch::Capacity && m_bin.chunks; ++i) {
            FreeChunk *chunk = m_bin.chunks;
            m_bin.chunks = next(chunk);
            BinPages<Source>::put(m_arena, m_bin, chunk);
            ++m_taken;
        }
    }

    // The magazine of a sampled bin holds more than its capacity, 0.
    bool isFull() const noexcept { return m_held >= m_bin.capacity; }

    // Unpacks the batches from \a first on.
    void unpack(RemoteBatch *first, Extent extent) noexcept
    {
        while (RemoteBatch *batch = first) {
            std::uint32_t left = batch->count;
            if constexpr (hardening == 2) {
                for (std::uint32_t i = 0; i < left; ++i)
                    Checks<Source>::untouched(batch->chunks[i], m_arena.model);
            }
            const std::uint32_t room = isFull() ? 0 : m_bin.capacity - m_held;
            const std::uint32_t rest = left > room ? left - room : 0;
            m_taken += left;
            void **magazine = m_bin.magazine + m_held;
            m_held += left - rest;
            while (left > rest)
                *magazine++ = batch->chunks[--left];
            if (rest > 0 && extent == Extent::Fitting) {
                m_taken -= rest;
                batch->count = rest;
                break;
            }
            while (left > 0)
                BinPages<Source>::put(m_arena, m_bin, batch->chunks[--left]);
            first = batch->next;
            batch->returnToRing();
        }
        m_bin.batches = first;
    }

    // Takes in the single chunks from \a first on.
    void takeSingly(FreeChunk *first, Extent extent) noexcept
    {
        while (first && (extent == Extent::All || !isFull())) {
            FreeChunk *chunk = first;
            first = next(chunk);
            if (isFull()) {
                BinPages<Source>::put(m_arena, m_bin, chunk);
            } else {
                if constexpr (hardening == 2)
                    Link::set(chunk, nullptr);
                m_bin.magazine[m_held++] = chunk;
            }
            ++m_taken;
        }
        m_bin.chunks = first;
    }

    FreeChunk *next(FreeChunk *chunk) const noexcept
    {
        if constexpr (hardened)
            Checks<Source>::following(chunk, m_bin, m_arena.model);
        return Link::next(chunk);
    }

    ArenaBase &m_arena;
    Bin &m_bin;
    std::uint32_t m_held;
    std::uint32_t m_taken = 0;
};

QPOOL_END_NAMESPACE

#endif // QPOOLBACKLOGDRAIN_H
