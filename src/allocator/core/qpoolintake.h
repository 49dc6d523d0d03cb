// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLINTAKE_H
#define QPOOLINTAKE_H

#include "qpoolbinpages.h"

QPOOL_BEGIN_NAMESPACE

// Chunks that come into a bin other than from its pages: its owner or a visitor takes them in.
template <class Source>
class Intake
{
public:
    Intake(ArenaBase &arena, Bin &bin) noexcept
        : m_arena(arena), m_bin(bin), m_held(bin.held())
    {
    }

    ~Intake()
    {
        if (m_taken == 0)
            return;
        const std::uint32_t kept = m_held - m_bin.held();
        m_bin.load(std::int32_t(kept));
        m_arena.returnedChunks += m_taken - kept;
        m_bin.backlog.countTaken(m_taken);
    }

    bool isFull() const noexcept { return m_held == m_bin.capacity; }

    // Parcels from \a first on. What does not fit goes to the pages, or stays in them.
    void unpack(Parcel *first, bool whole) noexcept
    {
        while (Parcel *parcel = first) {
            std::uint32_t left = parcel->count;
            if constexpr (hardening == 2) {
                for (std::uint32_t i = 0; i < left; ++i)
                    Checks<Source>::untouched(parcel->chunks[i], m_arena.model);
            }
            const std::uint32_t room = m_bin.capacity - m_held;
            const std::uint32_t rest = left > room ? left - room : 0;
            m_taken += left;
            void **magazine = m_bin.magazine + m_held;
            m_held += left - rest;
            while (left > rest)
                *magazine++ = parcel->chunks[--left];
            if (rest > 0 && !whole) {
                m_taken -= rest;
                parcel->count = rest;
                break;
            }
            while (left > 0)
                BinPages<Source>::give(m_arena, m_bin, parcel->chunks[--left]);
            first = parcel->next;
            parcel->giveBack();
        }
        m_bin.parcels = first;
    }

    // The same for single chunks.
    void take(FreeChunk *first, bool whole) noexcept
    {
        while (first && (whole || !isFull())) {
            FreeChunk *chunk = first;
            first = next(chunk);
            if (isFull()) {
                BinPages<Source>::give(m_arena, m_bin, chunk);
            } else {
                if constexpr (hardening == 2)
                    Link::set(chunk, nullptr);
                m_bin.magazine[m_held++] = chunk;
            }
            ++m_taken;
        }
        m_bin.chunks = first;
    }

    // A visitor's step: about as many chunks as a parcel holds, and only to the pages, so that the
    // magazine is what the owner left. The backlog's lists are taken whole all the same, and what
    // is left of them is kept.
    void giveSome() noexcept
    {
        if (!m_bin.parcels)
            m_bin.parcels = m_bin.backlog.takeParcels();
        if (Parcel *parcel = m_bin.parcels) {
            m_bin.parcels = parcel->next;
            for (std::uint32_t i = parcel->count; i > 0; --i) {
                if constexpr (hardening == 2)
                    Checks<Source>::untouched(parcel->chunks[i - 1], m_arena.model);
                BinPages<Source>::give(m_arena, m_bin, parcel->chunks[i - 1]);
            }
            m_taken += parcel->count;
            parcel->giveBack();
            return;
        }
        if (!m_bin.chunks)
            m_bin.chunks = m_bin.backlog.takeAll();
        for (std::uint32_t i = 0; i < Parcel::Capacity && m_bin.chunks; ++i) {
            FreeChunk *chunk = m_bin.chunks;
            m_bin.chunks = next(chunk);
            BinPages<Source>::give(m_arena, m_bin, chunk);
            ++m_taken;
        }
    }

    std::uint32_t taken() const noexcept { return m_taken; }

private:
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

#endif // QPOOLINTAKE_H
