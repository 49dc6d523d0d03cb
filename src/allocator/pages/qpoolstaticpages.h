// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSTATICPAGES_H
#define QPOOLSTATICPAGES_H

#include "../os/qpoollock.h"
#include "qpoolpagerange.h"

QPOOL_BEGIN_NAMESPACE

/*
    A page source with a static buffer of \a Bytes bytes: no heap, no system calls, no thread
    library, no exceptions; for machines without an MMU and for programs that must not grow. Returns
    null when exhausted. Several independent buffers differ in \a Tag. Not thread-safe, so only for
    the SingleThreaded model, unless \a LockType is a real lock; such a lock is not released in the
    child of a fork().

    \a PageSizeV is a power of two; small pages waste less when many size classes share the buffer.
    The headers are in the buffer too: 64 bytes per page in ordinary builds.
*/
template <std::size_t Bytes, class Tag = void, std::size_t PageSizeV = 1024,
          class LockType = NoLock>
class StaticPages
{
public:
    static constexpr std::size_t PageSize = PageSizeV;
    static constexpr bool GrowsMagazines = false;
    static constexpr bool HasHeap = false;
    static constexpr bool HasBlocks = false;
    static constexpr bool HasParts = false;
    static constexpr bool HasSamples = false;
    static constexpr std::size_t PageCount = Bytes / (PageSize + sizeof(PageHeader));
    static_assert(!haveSmallHeaders || PageSize < 64 * 1024, "the headers have numbers of 16 bits");
    static_assert(PageCount >= 1, "the buffer is too small for one page and its header");
    using Lock = LockType;

    StaticPages() = delete;

    static bool contains(const void *pointer) noexcept { return s_range.contains(pointer); }
    static PageHeader *headerOf(const void *chunk) noexcept { return s_range.headerOf(chunk); }
    static PageHeader *findHeader(const void *pointer) noexcept
    {
        return s_range.findHeader(pointer);
    }
    static PageHeader *findNear(const void *pointer) noexcept { return findHeader(pointer); }
    static PageHeader *findUsedHeader(const void *pointer) noexcept
    {
        return s_range.findUsedHeader(pointer);
    }
    static char *pageOf(const PageHeader *header) noexcept { return s_range.pageOf(header); }

    static PageHeader *acquirePage() noexcept
    {
        Locker locker(s_lock);
        if (!s_range.isInitialized())
            s_range.initialize(s_headers, s_pages, PageCount);
        if (PageHeader *page = s_free) {
            s_free = page->next;
            return page;
        }
        return s_range.freshIndex() < PageCount ? s_range.takeFresh(1) : nullptr;
    }

    static void releasePage(PageHeader *page) noexcept
    {
        Locker locker(s_lock);
        page->next = s_free;
        s_free = page;
    }

    // One page holds it, or the call fails: what a static buffer can serve is known in advance.
    static void *allocateMetadata(std::size_t bytes) noexcept
    {
        if (bytes > PageSize)
            return nullptr;
        PageHeader *page = acquirePage();
        if (!page)
            return nullptr;
        char *place = s_range.pageOf(page);
        for (std::size_t i = 0; i < PageSize; ++i)
            place[i] = 0;
        return place;
    }

    static void *allocateArena(std::size_t bytes) noexcept { return allocateMetadata(bytes); }

    static bool periodEnds(std::uint32_t &) noexcept { return false; }
    static void giveBackDue() noexcept { }
    static int untilOld(bool) noexcept { return -1; }
    static int idle() noexcept { return -1; }
    static void trim() noexcept { }

    static PageMemory memory() noexcept
    {
        Locker locker(s_lock);
        return { sizeof(s_pages) + sizeof(s_headers), sizeof(s_pages) + sizeof(s_headers), 0 };
    }
    static void surviveFork() noexcept { }
    static bool arenasSurviveFork() noexcept { return true; }

private:
    alignas(PageSize) static inline char s_pages[PageCount * PageSize];
    static inline PageHeader s_headers[PageCount];
    static inline PageRange<PageSize> s_range;
    static inline PageHeader *s_free = nullptr;
    static inline Lock s_lock;
};

QPOOL_END_NAMESPACE

#endif // QPOOLSTATICPAGES_H
