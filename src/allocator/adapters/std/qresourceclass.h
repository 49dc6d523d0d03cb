// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QRESOURCECLASS_H
#define QRESOURCECLASS_H

#include "../../core/qpoolchunk.h"
#include "../../os/qpoolpage.h"

#include <cstring>

QPOOL_BEGIN_NAMESPACE

/*
    One size class of a PoolResource: the chunks that came back, linked through their first words,
    the last one first; and what of its pages was not handed out yet, which a pointer walks through
    from the first page to the last. So what is filled for the first time costs what a bump pointer
    costs.

    When no block is in use any more, and they were freed in no order, the pointer begins anew, and the
    list is forgotten. Neighbours in it are nodes of a tree, for instance, from all over the memory, and
    what is built of them next would miss the caches at each step. The pointer begins with the page
    that it entered last, of which most may still be in the caches. What was freed in a row, as a
    list's nodes are, is as well taken from the list, which knows what was touched last.
*/
struct ResourceClass
{
    FreeChunk *free = nullptr;
    char *next = nullptr;
    char *end = nullptr; // next stops here
    std::size_t freed = 0; // how many are in the list
    std::size_t scattered = 0; // how many of them were no neighbour of the one before
    std::size_t asked = SIZE_MAX; // give() asks for a look when so many are
    std::size_t before = 0; // handed out of the pages before this one, since it began
    PageHeader *page = nullptr; // where next is
    PageHeader *first = nullptr; // all pages, linked by `next` in the order in which it goes
    std::uint32_t pages = 0;

    // Null if there is none. \a size is the chunk size. Neither way is the likelier one: a container is
    // filled by the pointer, or by the list, and whichever were moved out of line would take two jumps
    // more for each block.
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
        QPOOL_ASSUME(chunk != nullptr); // one test, and not two, in the caller
        return chunk;
    }

    // False if it may have been the last block in use: see isInDisorder(). How many are in use follows from
    // where the pointer is. To count them at each call would take a store more, and memory that is
    // written for the first time is as fast as the processor's queue of stores has room.
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

    // How many were handed out since it began. The page begins at \a start.
    std::size_t handedOut(const char *start, std::size_t size) const noexcept
    {
        return page ? before + std::size_t(next - start) / size : 0;
    }

    // Whether none is in use, and the list is in no order. give() need not ask again before as many
    // are free as are handed out now.
    bool isInDisorder(const char *start, std::size_t size) noexcept
    {
        asked = handedOut(start, size);
        if (freed != asked)
            return false;
        const bool disorder = scattered > freed / 8;
        scattered = 0;
        return disorder;
    }

    // Behind the last page, whose chunks are all handed out.
    void append(PageHeader *header) noexcept
    {
        header->next = nullptr;
        (page ? page->next : first) = header;
        ++pages;
    }

    // Turns the order of the pages that the pointer has been in around.
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

    // From now on the \a count chunks of \a size bytes of the page at \a start are handed out.
    void enter(PageHeader *header, char *start, std::size_t count, std::size_t size) noexcept
    {
        before = header == first ? 0 : before + count;
        // In one page alone there is no order to restore.
        asked = header == first ? SIZE_MAX : before;
        page = header;
        next = start;
        end = start + count * size;
    }

    // How much was handed out of the page that is left, which begins at \a start.
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
