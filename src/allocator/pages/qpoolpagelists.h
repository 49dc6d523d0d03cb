// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLPAGELISTS_H
#define QPOOLPAGELISTS_H

#include "qpoolpage.h"
#include "../qpoolsizeclasses.h"

QPOOL_BEGIN_NAMESPACE

// How much address space and memory a page source holds, in bytes.
struct PageMemory
{
    std::size_t reserved = 0;
    std::size_t committed = 0; // of what was ever handed out; usable memory beyond takes none
    std::size_t decommitted = 0; // were committed, went back to the system; their addresses are kept
};

/*
    The pages of a source that are not in use, and the number of those that are. The user provides
    the locking.

    Cached pages keep their memory and wait for the size class that had them, in its pair of lists.
    A page that was touched as a whole serves any other class as well. One that was touched in part
    does not: the touched part is what its class needs. Another class would touch the rest, and
    leave a wholly touched page to this class, which needs only a corner of it.

    Decommitted pages have no memory. A page on its way from cached to decommitted is leaving: it is in no
    list but is counted, so that its memory is not forgotten during the system call.
*/
template <std::size_t PageSizeV>
class PageLists
{
public:
    static constexpr std::size_t PageSize = PageSizeV;
    static_assert((PageSize & (PageSize - 1)) == 0, "pages are powers of two");
    static_assert(!hardened || PageSize <= PageEvidence::PageSize,
                  "hardened builds know of pages of 64 KiB at most");

    constexpr PageLists() = default;

    std::size_t usedPages() const noexcept { return m_used; }
    std::size_t cachedPages() const noexcept { return m_cachedCount; }
    std::size_t wholeCached() const noexcept { return m_wholeCount; }
    std::size_t partialBytes() const noexcept { return m_partialBytes; }
    std::size_t leavingPages() const noexcept { return m_leaving; }
    std::size_t decommittedPages() const noexcept { return m_decommittedCount; }

    // Returns a page that had chunks of \a chunkSize, preferably touched as a whole, or a wholly
    // touched page of another class; null if there is none.
    PageHeader *takeCached(std::size_t chunkSize) noexcept
    {
        const unsigned index = classOf(chunkSize);
        PageHeader *page = takeFrom(m_whole[index]);
        if (!page)
            page = takeFrom(m_partial[index]);
        return used(page ? page : takeWidest(m_whole));
    }

    // Returns any cached page, preferably one that was touched as a whole.
    PageHeader *takeAnyCached() noexcept { return used(takeWhole(true)); }

    PageHeader *takeDecommitted() noexcept
    {
        PageHeader *page = pop(m_decommitted);
        if (page)
            --m_decommittedCount;
        return used(page);
    }

    static bool isWhole(const PageHeader *page) noexcept
    {
        return page->touched > PageSize / 8 * 7;
    }

    // How many bytes a free page counts that keeps its memory: what was touched of it. At least a
    // quarter, so that the number of pages is bounded.
    static std::size_t heldBytes(const PageHeader *page) noexcept
    {
        return page->touched > PageSize / 4 ? page->touched : PageSize / 4;
    }

    // How many cached pages were there all the time since the last call: they were not needed.
    std::size_t takeCachedLow() noexcept
    {
        const std::size_t low = m_cachedLow;
        m_cachedLow = m_cachedCount;
        return low;
    }

    // For a freed page that still has memory.
    void putCached(PageHeader *page) noexcept
    {
        --m_used;
        cache(page);
    }

    // For a freed page whose memory went back to the system.
    void putDecommitted(PageHeader *page) noexcept
    {
        --m_used;
        pushReturned(page);
    }

    // Returns a cached page whose memory is about to go; null if there is none. With \a wholeFirst
    // any page may be returned, otherwise only one that was touched in part.
    PageHeader *beginLeaving(bool wholeFirst) noexcept
    {
        PageHeader *page = takeWhole(wholeFirst);
        if (page)
            ++m_leaving;
        return page;
    }

    // The same for all cached pages at once, in this number of lists, of which some are null.
    // \a kept is how many of them will come back.
    static constexpr unsigned ListCount = 2 * SizeClasses::Count;
    void beginLeavingAll(PageHeader *(&lists)[ListCount], std::size_t kept) noexcept
    {
        for (unsigned index = 0; index < SizeClasses::Count; ++index) {
            lists[index] = take(m_partial[index]);
            lists[SizeClasses::Count + index] = take(m_whole[index]);
        }
        m_leaving += m_cachedCount;
        m_cachedCount = m_wholeCount = m_partialBytes = 0;
        if (kept < m_cachedLow)
            m_cachedLow = kept;
    }

    // The page's memory went back, or the system refused to take it.
    void endLeaving(PageHeader *page, bool gone) noexcept
    {
        --m_leaving;
        if (gone)
            pushReturned(page);
        else
            cache(page);
    }

    // The leaving page is needed after all.
    PageHeader *useLeaving(PageHeader *page) noexcept
    {
        --m_leaving;
        return used(page);
    }

protected:
    void countUsed(std::size_t count) noexcept { m_used += count; }

private:
    // Chunks larger than any size class share the last.
    static unsigned classOf(std::size_t chunkSize) noexcept
    {
        return chunkSize < SizeClasses::MaxSize ? SizeClasses::indexOf(chunkSize)
                                                : SizeClasses::Count - 1;
    }

    PageHeader *used(PageHeader *page) noexcept
    {
        if (page)
            ++m_used;
        return page;
    }

    PageHeader *takeWhole(bool wholeFirst) noexcept
    {
        PageHeader *page = wholeFirst ? takeWidest(m_whole) : nullptr;
        return page ? page : takeWidest(m_partial);
    }

    PageHeader *takeWidest(PageHeader *(&lists)[SizeClasses::Count]) noexcept
    {
        for (unsigned index = SizeClasses::Count; index-- > 0;) {
            if (PageHeader *page = takeFrom(lists[index]))
                return page;
        }
        return nullptr;
    }

    PageHeader *takeFrom(PageHeader *&list) noexcept
    {
        PageHeader *page = pop(list);
        if (page) {
            if (isWhole(page))
                --m_wholeCount;
            else
                m_partialBytes -= heldBytes(page);
            --m_cachedCount;
            if (m_cachedCount < m_cachedLow)
                m_cachedLow = m_cachedCount;
        }
        return page;
    }

    void cache(PageHeader *page) noexcept
    {
        const bool whole = isWhole(page);
        PageHeader *&list = (whole ? m_whole : m_partial)[classOf(page->chunkSize)];
        page->next = list;
        list = page;
        if (whole)
            ++m_wholeCount;
        else
            m_partialBytes += heldBytes(page);
        ++m_cachedCount;
    }

    void pushReturned(PageHeader *page) noexcept
    {
        page->touched = 0;
        page->next = m_decommitted;
        m_decommitted = page;
        ++m_decommittedCount;
    }

    static PageHeader *take(PageHeader *&list) noexcept
    {
        PageHeader *all = list;
        list = nullptr;
        return all;
    }

    static PageHeader *pop(PageHeader *&list) noexcept
    {
        PageHeader *page = list;
        if (page)
            list = page->next;
        return page;
    }

    std::size_t m_used = 0;
    std::size_t m_cachedCount = 0;
    std::size_t m_cachedLow = 0;
    std::size_t m_wholeCount = 0;
    std::size_t m_partialBytes = 0;
    std::size_t m_leaving = 0;
    std::size_t m_decommittedCount = 0;
    PageHeader *m_whole[SizeClasses::Count] = {};
    PageHeader *m_partial[SizeClasses::Count] = {};
    PageHeader *m_decommitted = nullptr;
};

// Lists of pages in the order of their addresses. Headers are in the same order as their pages.
namespace PageOrder {

inline PageHeader *merge(PageHeader *a, PageHeader *b) noexcept
{
    PageHeader *first = nullptr;
    PageHeader **end = &first;
    while (a && b) {
        PageHeader *&lower = a < b ? a : b;
        *end = lower;
        end = &lower->next;
        lower = lower->next;
    }
    *end = a ? a : b;
    return first;
}

// Bottom-up merge sort: runs[i] is sorted and has 2^i pages, or is empty. (D. Knuth, "The Art of
// Computer Programming" 3, 5.2.4.)
inline PageHeader *sort(PageHeader *list) noexcept
{
    constexpr unsigned most = sizeof(std::size_t) * 8;
    PageHeader *runs[most] = {};
    while (list) {
        PageHeader *run = list;
        list = list->next;
        run->next = nullptr;
        unsigned i = 0;
        for (; runs[i]; ++i) {
            run = merge(runs[i], run);
            runs[i] = nullptr;
        }
        runs[i] = run;
    }
    PageHeader *all = nullptr;
    for (PageHeader *run : runs)
        all = merge(run, all);
    return all;
}

// How many pages from \a first on, at most \a most, are adjacent in memory.
inline std::size_t runLength(const PageHeader *first, std::size_t most) noexcept
{
    std::size_t count = 1;
    for (const PageHeader *page = first; count < most && page->next == page + 1; page = page->next)
        ++count;
    return count;
}

} // namespace PageOrder

QPOOL_END_NAMESPACE

#endif // QPOOLPAGELISTS_H
