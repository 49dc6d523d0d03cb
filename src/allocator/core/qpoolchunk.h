// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLCHUNK_H
#define QPOOLCHUNK_H

#include "../track/qpooltrack.h"

QPOOL_BEGIN_NAMESPACE

// A chunk while it is free: its first word links it into a page's list, an outbox or a
// backlog. Hardened builds mix the word with the chunk's address and a key, so that a write
// after free is told from a link; there a chunk in a magazine or a parcel holds a link to
// nothing.
struct FreeChunk
{
    std::uintptr_t word;
};

namespace Link {

// An address of this process serves as the key: it differs from run to run where the system
// randomises addresses, and takes no initialisation.
inline constexpr char s_key = 0;

inline std::uintptr_t mix([[maybe_unused]] const FreeChunk *chunk) noexcept
{
    if constexpr (hardened)
        return reinterpret_cast<std::uintptr_t>(&s_key) * 0x9E3779B1u
                ^ reinterpret_cast<std::uintptr_t>(chunk) >> 4 ^ 0x5A5A;
    else
        return 0;
}

QPOOL_UNTRACKED FreeChunk *next(FreeChunk *chunk) noexcept
{
    Track::beginLink(chunk);
    auto *following = reinterpret_cast<FreeChunk *>(chunk->word ^ mix(chunk));
    Track::endLink(chunk);
    return following;
}

QPOOL_UNTRACKED void set(FreeChunk *chunk, FreeChunk *following) noexcept
{
    Track::beginLink(chunk);
    chunk->word = reinterpret_cast<std::uintptr_t>(following) ^ mix(chunk);
    Track::endLink(chunk);
}

} // namespace Link

QPOOL_END_NAMESPACE

#endif // QPOOLCHUNK_H
