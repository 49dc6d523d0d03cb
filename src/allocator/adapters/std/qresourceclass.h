// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QRESOURCECLASS_H
#define QRESOURCECLASS_H

#include "../../core/qpoolchunk.h"
#include "../../os/qpoolpage.h"

#include <cstring>

QPOOL_BEGIN_NAMESPACE

// How many blocks are with the program; counted in hardened builds alone.
template <bool Counts>
struct LiveCount
{
    void allocated() noexcept { }
    void freed() noexcept { }
    std::size_t live() const noexcept { return 0; }
};

template <>
struct LiveCount<true>
{
    void allocated() noexcept { ++m_live; }
    void freed() noexcept { --m_live; }
    std::size_t live() const noexcept { return m_live; }

private:
    std::size_t m_live = 0;
};

/*
    One size class of a PoolResource: the chunks that came back, linked through their first words,
    the last one first; and what of its newest page was never handed out, which a pointer walks
    through. So what is filled for the first time costs what a bump pointer costs.
*/
struct ResourceClass : LiveCount<hardened>
{
    FreeChunk *free = nullptr;
    char *next = nullptr;
    char *end = nullptr; // next stops here
    PageHeader *page = nullptr; // the newest
    std::uint32_t pages = 0;

    // Null if there is none. \a size is the chunk size.
    QPOOL_ALWAYS_INLINE void *take(std::size_t size) noexcept
    {
        if (FreeChunk *chunk = free; QPOOL_LIKELY(chunk)) {
            free = following(chunk);
            return chunk;
        }
        if (QPOOL_UNLIKELY(next == end))
            return nullptr;
        char *chunk = next;
        next += size;
        QPOOL_ASSUME(chunk != nullptr); // one test, and not two, in the caller
        return chunk;
    }

    QPOOL_ALWAYS_INLINE void give(void *place) noexcept
    {
        auto *chunk = static_cast<FreeChunk *>(place);
        link(chunk, free);
        free = chunk;
    }

    // From now on the chunks of \a size bytes of the page at \a start are handed out.
    void begin(PageHeader *header, char *start, std::size_t pageBytes, std::size_t size) noexcept
    {
        if (page)
            page->touched = std::uint32_t(pageBytes);
        page = header;
        next = start;
        end = start + pageBytes / size * size;
        ++pages;
    }

    // How much of the newest page was handed out, for who takes it back.
    void noteTouched(char *start) noexcept
    {
        const auto touched = std::uint32_t(next - start);
        if (page->touched < touched)
            page->touched = touched;
    }

private:
    // Where a tool or a hardened build wants to know of each access, by its ways. Elsewhere as bytes:
    // the compiler sees the program use the same memory for objects of other types, and must not
    // move one access past the other.
#if QPOOL_TRACK_ASAN || QPOOL_TRACK_VALGRIND
    static constexpr bool Plain = false;
#else
    static constexpr bool Plain = !hardened;
#endif

    QPOOL_ALWAYS_INLINE static FreeChunk *following(FreeChunk *chunk) noexcept
    {
        if constexpr (Plain) {
            FreeChunk *after;
            std::memcpy(&after, static_cast<const void *>(chunk), sizeof(after));
            return after;
        } else {
            return Link::next(chunk);
        }
    }

    QPOOL_ALWAYS_INLINE static void link(FreeChunk *chunk, FreeChunk *after) noexcept
    {
        if constexpr (Plain)
            std::memcpy(static_cast<void *>(chunk), &after, sizeof(after));
        else
            Link::set(chunk, after);
    }
};

QPOOL_END_NAMESPACE

#endif // QRESOURCECLASS_H
