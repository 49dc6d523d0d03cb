// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLINTAKE_H
#define QPOOLINTAKE_H

#include "qpoolbinpages.h"

namespace QPool {

// Chunks that come into a bin other than from its pages: its owner takes them in.
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

    void take(FreeChunk *first) noexcept
    {
        while (FreeChunk *chunk = first) {
            if constexpr (hardened)
                Checks<Source>::following(chunk, m_bin, m_arena.model);
            first = Link::next(chunk);
            if (isFull()) {
                BinPages<Source>::give(m_arena, m_bin, chunk);
            } else {
                if constexpr (hardening == 2)
                    Link::set(chunk, nullptr);
                m_bin.magazine[m_held++] = chunk;
            }
            ++m_taken;
        }
    }

private:
    ArenaBase &m_arena;
    Bin &m_bin;
    std::uint32_t m_held;
    std::uint32_t m_taken = 0;
};

} // namespace QPool

#endif // QPOOLINTAKE_H
