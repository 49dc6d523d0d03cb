// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLCHUNK_H
#define QPOOLCHUNK_H

#include "../os/qpoolos.h"
#include "../track/qpooltrack.h"

#include <atomic>
#include <cstring>
#include <type_traits>

QPOOL_BEGIN_NAMESPACE

// A free chunk: a word links it into a page's list, a remote cache or a backlog. Hardened builds
// keep a mark in front of the link that distinguishes a free chunk from a live one, wherever the
// chunk is; their chunks have at least two words (see HardenedLayout).
struct LinkWord
{
    std::uintptr_t word;
};

struct MarkedLinkWord
{
    std::uintptr_t mark;
    std::uintptr_t word;
};

struct FreeChunk : std::conditional_t<hardened, MarkedLinkWord, LinkWord>
{
};

// Hardened builds mix the link with the chunk's address and a key, so that a write after free is
// distinguished from a link. At level 2, a chunk in a magazine or a batch has a null link.
namespace Link {

// At level 1 the key is an address in this process: it differs from run to run where the system
// randomises addresses, and needs no initialisation.
inline constexpr char s_key = 0;

// At level 2 the key is random: an attacker who can overwrite a free chunk cannot make its link
// point to a chosen address. Zero until the first link is made. Relaxed: it is written once, by the
// thread whose compare-exchange succeeds, and every link was made by a thread that had read the
// key, so that a thread that reads the link later reads the same key.
inline std::atomic<std::uintptr_t> s_secret { 0 };

QPOOL_NEVER_INLINE inline std::uintptr_t makeSecret() noexcept
{
    std::uintptr_t none = 0;
    const auto made = std::uintptr_t(Os::randomNumber()) | 1;
    return s_secret.compare_exchange_strong(none, made, std::memory_order_relaxed) ? made : none;
}

inline std::uintptr_t secret() noexcept
{
    const std::uintptr_t known = s_secret.load(std::memory_order_relaxed);
    return QPOOL_LIKELY(known) ? known : makeSecret();
}

inline const void *keyPlace() noexcept
{
    return hardening == 2 ? static_cast<const void *>(&s_secret) : &s_key;
}

inline std::uintptr_t mix([[maybe_unused]] const FreeChunk *chunk) noexcept
{
    if constexpr (hardening == 2)
        return secret() ^ reinterpret_cast<std::uintptr_t>(chunk) >> 4;
    else if constexpr (hardened)
        return reinterpret_cast<std::uintptr_t>(&s_key) * 0x9E3779B1u
                ^ reinterpret_cast<std::uintptr_t>(chunk) >> 4 ^ 0x5A5A;
    else
        return 0;
}

QPOOL_UNTRACKED FreeChunk *next(FreeChunk *chunk) noexcept
{
    Track::beginLink(&chunk->word);
    auto *following = reinterpret_cast<FreeChunk *>(chunk->word ^ mix(chunk));
    Track::endLink(&chunk->word);
    return following;
}

QPOOL_UNTRACKED void set(FreeChunk *chunk, FreeChunk *following) noexcept
{
    Track::beginLink(&chunk->word);
    chunk->word = reinterpret_cast<std::uintptr_t>(following) ^ mix(chunk);
    Track::endLink(&chunk->word);
}

} // namespace Link

// Level 1 marks a free chunk with the address of its page's header: programs do not store this
// address, and both sides of the comparison are already known. It is read and written as bytes,
// because the compiler may have seen the program use the memory as any type.
namespace Mark {

// Untracked, because the chunk may be free.
QPOOL_UNTRACKED std::uintptr_t word(const void *chunk) noexcept
{
    std::uintptr_t mark;
    std::memcpy(&mark, chunk, sizeof(mark));
    return mark;
}

QPOOL_ALWAYS_INLINE bool isSet(const void *chunk, const void *header) noexcept
{
    return word(chunk) == reinterpret_cast<std::uintptr_t>(header);
}

QPOOL_ALWAYS_INLINE void set(void *chunk, const void *header) noexcept
{
    std::memcpy(chunk, &header, sizeof(header));
}

// For a chunk that tools regard as free.
QPOOL_UNTRACKED void setInFree(FreeChunk *chunk, const void *header) noexcept
{
    Track::beginLink(chunk);
    *reinterpret_cast<std::uintptr_t *>(chunk) = reinterpret_cast<std::uintptr_t>(header);
    Track::endLink(chunk);
}

QPOOL_ALWAYS_INLINE void clear(void *chunk) noexcept
{
    std::memset(chunk, 0, sizeof(std::uintptr_t));
}

} // namespace Mark

QPOOL_END_NAMESPACE

#endif // QPOOLCHUNK_H
