// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QRESOURCECLASS_H
#define QRESOURCECLASS_H

#include "../../allocator/core/qpoolchunk.h"
#include "../../allocator/pages/qpoolpage.h"

#include <cstring>

QPOOL_BEGIN_NAMESPACE

/*
    One size class of a PoolResource: the chunks that came back, linked through their first words,
    the last one first; and the fresh chunks of its pages, through which a pointer walks from the
    first page to the last. The first filling therefore costs what a bump pointer costs.

    When no block is in use any more, and they were freed in random order, the pointer starts again
    and the list is dropped. Neighbours in such a list, for instance from the nodes of a tree, are
    all over the memory, and what is built from them next would miss the caches at each step. The
    pointer starts with the page that it entered last, most of which may still be in the caches.
    Blocks that were freed in a row, as a list's nodes are, are taken from the list instead, whose
    first chunks were touched last.
*/
struct ResourceClass
{
    FreeChunk *free = nullptr;
    char *next = nullptr;
    char *end = nullptr; // where next stops
    std::size_t freed = 0; // how many are in the list
    std::size_t scattered = 0; // how many of them were not adjacent to the previous one
    std::size_t asked = SIZE_MAX; // how many free chunks make give() return false
    std::size_t before = 0; // handed out from the pages before this one, since the start
    PageHeader *page = nullptr; // the page that contains next
    PageHeader *first = nullptr; // all pages, linked by `next` in the order of the pointer
    std::uint32_t pages = 0;

    // Returns null if there is no chunk. \a size is the chunk size. Neither branch is marked as
    // likely: a container is filled by the pointer or by the list, and the branch moved out of line
    // would take two more jumps for each block.
    QPOOL_ALWAYS_INLINE void *take(std::size_t size) noexcept
    {
        if (FreeChunk *chunk = free) {
            free = following(chunk);
            --freed;
            return chunk;
        }
        if (QPOOL_UNLIKELY(next == end))
            return nullptr;
        char *chunk = next;
        next += size;
        QPOOL_ASSUME(chunk != nullptr); // so that the caller's test is merged
        return chunk;
    }

    // Returns false if it may have been the last block in use: see isInDisorder(). How many are in
    // use follows from the position of the pointer. Counting them at each call would take another
    // store, and the first write to memory is only as fast as the processor's store queue has room.
    QPOOL_ALWAYS_INLINE bool give(void *place, std::size_t size) noexcept
    {
        auto *chunk = static_cast<FreeChunk *>(place);
        const std::uintptr_t distance = reinterpret_cast<std::uintptr_t>(chunk)
                - reinterpret_cast<std::uintptr_t>(free);
        if (distance != size && distance != std::uintptr_t(0) - size)
            ++scattered;
        link(chunk, free);
        free = chunk;
        return QPOOL_LIKELY(++freed < asked);
    }

    // How many were handed out since the start. The page begins at \a start.
    std::size_t handedOut(const char *start, std::size_t size) const noexcept
    {
        return page ? before + std::size_t(next - start) / size : 0;
    }

    // Whether no block is in use, and the list is in no order. give() need not return false again
    // before as many chunks are free as are handed out now.
    bool isInDisorder(const char *start, std::size_t size) noexcept
    {
        asked = handedOut(start, size);
        if (freed != asked)
            return false;
        const bool disorder = scattered > freed / 8;
        scattered = 0;
        return disorder;
    }

    // Appends a page after the last one, whose chunks are all handed out.
    void append(PageHeader *header) noexcept
    {
        header->next = nullptr;
        (page ? page->next : first) = header;
        ++pages;
    }

    // Reverses the order of the pages that the pointer has been in.
    void reverse() noexcept
    {
        PageHeader *rest = page->next, *all = rest;
        for (PageHeader *one = first; one != rest;) {
            PageHeader *following = one->next;
            one->next = all;
            all = one;
            one = following;
        }
        first = all;
    }

    // From now on, hands out the \a count chunks of \a size bytes of the page at \a start.
    void enter(PageHeader *header, char *start, std::size_t count, std::size_t size) noexcept
    {
        before = header == first ? 0 : before + count;
        // With a single page there is no order to restore.
        asked = header == first ? SIZE_MAX : before;
        page = header;
        next = start;
        end = start + count * size;
    }

    // Records how much was handed out of the page that the pointer leaves, which begins at
    // \a start.
    void noteTouched(char *start) noexcept
    {
        const auto touched = std::uint32_t(next - start);
        if (page->touched < touched)
            page->touched = touched;
    }

private:
    // If a tool or a hardened build tracks each access, use its functions. Otherwise access the
    // link as bytes: the compiler sees the program use the same memory for objects of other types,
    // and must not move one access past the other.
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
