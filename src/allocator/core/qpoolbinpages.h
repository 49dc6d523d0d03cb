// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLBINPAGES_H
#define QPOOLBINPAGES_H

#include "qpoolpagechunks.h"
#include "qpooltuning.h"

QPOOL_BEGIN_NAMESPACE

/*
    The pages behind a bin's magazine. Chunks are taken from pages and put back into them in
    batches, and only here. A page counts the chunks that are out. When the last comes back, the
    page leaves the bin: for the arena, which keeps a few, otherwise for the source. One empty page
    stays with its bin, so that a load that varies around a page's limit moves no page.

    A page is in the bin's list while it has chunks left to hand out. The first page's `previous` is
    the last page; otherwise the list is an ordinary one.

    Invariant: at most one page of the list is empty, and it is the last one. A page that becomes
    empty stays only if it is alone. All others are linked in front of it, and chunks are taken from
    the first page, so the empty page is used again only when it is alone. It is therefore found
    without a walk, whatever the number of pages.
*/
template <class Source>
class BinPages
{
public:
    // Adds at most \a wanted chunks to the magazine, as far as it has room. The last chunk of each page
    // comes first, so that a magazine, which is emptied from its end, hands out rising addresses.
    static void fill(ArenaBase &arena, Bin &bin, std::uint32_t wanted) noexcept
    {
        const std::uint32_t held = bin.held();
        if (held + wanted > bin.capacity)
            wanted = bin.capacity - held;
        std::uint32_t count = 0;
        while (count < wanted) {
            PageHeader *page = bin.pages;
            if (!page) {
                // Chunks that are there suffice before another page is used for the rest.
                if (count > 0)
                    break;
                page = addPage(arena, bin);
                if (!page)
                    break;
            }
            count += PageChunks<Source>::take(page, bin, bin.magazine + held + count, wanted - count);
            if (page->used == page->capacity)
                unlink(bin, page);
        }
        bin.countMoved(std::int32_t(count));
    }

    static void put(ArenaBase &arena, Bin &bin, FreeChunk *chunk) noexcept
    {
        put(arena, bin, Source::headerOf(chunk), chunk);
    }
    QPOOL_ALWAYS_INLINE static void put(ArenaBase &arena, Bin &bin, PageHeader *page, FreeChunk *chunk) noexcept
    {
        PageChunks<Source>::put(page, chunk);
        cameBack(arena, bin, page);
    }

    // Puts all that a magazine holds. Chunks that the program never had come first, the last one of the
    // page foremost.
    static void putAll(ArenaBase &arena, Bin &bin, void *const *magazine,
                       std::uint32_t count) noexcept
    {
        for (std::uint32_t i = 0; i < count; ++i) {
            auto *chunk = static_cast<FreeChunk *>(magazine[i]);
            PageHeader *page = Source::headerOf(chunk);
            PageChunks<Source>::putUnused(page, chunk);
            cameBack(arena, bin, page);
        }
    }

    // Puts the newest \a count chunks of the magazine: putting links them, and the newest are those
    // still in the cache.
    static void putNewest(ArenaBase &arena, Bin &bin, std::uint32_t count) noexcept
    {
        void **end = bin.magazine + bin.held();
        for (std::uint32_t i = 0; i < count; ++i)
            put(arena, bin, static_cast<FreeChunk *>(*--end));
        bin.countMoved(-std::int32_t(count));
        arena.returnedChunks += count;
    }

    // Whether releaseEmpty() would find a page.
    static bool hasEmpty(const Bin &bin) noexcept
    {
        return bin.pages && bin.pages->previous->used == 0;
    }

    // Releases the page that has no chunk out, if there is one.
    static void releaseEmpty(ArenaBase &arena, Bin &bin) noexcept
    {
        if (!hasEmpty(bin))
            return;
        PageHeader *page = bin.pages->previous;
        leave(bin, page);
        release(arena, page);
    }

    static void releaseKept(ArenaBase &arena) noexcept
    {
        while (PageHeader *page = arena.emptyPages) {
            arena.emptyPages = page->next;
            --arena.emptyCount;
            release(arena, page);
        }
    }

private:
    static PageHeader *addPage(ArenaBase &arena, Bin &bin) noexcept
    {
        PageHeader *page = arena.emptyPages;
        if (page) {
            arena.emptyPages = page->next;
            --arena.emptyCount;
        } else {
            page = Source::acquirePage();
            if (!page)
                return nullptr;
            arena.pageCount.store(arena.pageCount.load(std::memory_order_relaxed) + 1,
                                  std::memory_order_relaxed);
        }
        page->owner = &arena;
        page->setBin(&bin);
        page->free = nullptr;
        page->used = 0;
        page->fresh = 0;
        page->setChunkSize(bin.chunkSize.load(std::memory_order_relaxed));
        page->capacity = chunksPerPage<Source>(page->chunkSize);
        if constexpr (hardening == 2) {
            page->setGuard(Checks<Source>::guardOf(page));
            page->clear();
        }
        Track::pageTaken(Source::pageOf(page), Source::PageSize);
        link(bin, page);
        return page;
    }

    static void cameBack(ArenaBase &arena, Bin &bin, PageHeader *page) noexcept
    {
        if (page->used-- == page->capacity)
            link(bin, page);
        if (page->used == 0 && (page->next || page != bin.pages)) {
            leave(bin, page);
            keepOrRelease(arena, page);
        }
    }

    // An empty page belongs to no bin.
    static void leave(Bin &bin, PageHeader *page) noexcept
    {
        unlink(bin, page);
        PageChunks<Source>::noteTouched(page);
    }

    static void keepOrRelease(ArenaBase &arena, PageHeader *page) noexcept
    {
        if (arena.emptyCount >= Tuning::KeptEmptyPages) {
            release(arena, page);
            return;
        }
        page->next = arena.emptyPages;
        arena.emptyPages = page;
        ++arena.emptyCount;
    }

    static void release(ArenaBase &arena, PageHeader *page) noexcept
    {
        page->setBin(nullptr);
        page->owner = nullptr;
        arena.pageCount.store(arena.pageCount.load(std::memory_order_relaxed) - 1,
                              std::memory_order_relaxed);
        Track::pageLeft(Source::pageOf(page), Source::PageSize);
        Source::releasePage(page);
    }

    static void link(Bin &bin, PageHeader *page) noexcept
    {
        PageHeader *first = bin.pages;
        page->next = first;
        page->previous = first ? first->previous : page;
        if (first)
            first->previous = page;
        bin.pages = page;
    }

    static void unlink(Bin &bin, PageHeader *page) noexcept
    {
        PageHeader *next = page->next;
        PageHeader *previous = page->previous;
        if (page == bin.pages)
            bin.pages = next;
        else
            previous->next = next;
        // The page after the last one is the first, for this purpose.
        if (PageHeader *behind = next ? next : bin.pages)
            behind->previous = previous;
        page->next = nullptr;
        page->previous = nullptr;
    }
};

QPOOL_END_NAMESPACE

#endif // QPOOLBINPAGES_H
