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
    std::size_t committed = 0;
    std::size_t returned = 0; // was committed, went back to the system, and is kept as addresses
};

/*
    The pages of a source that nobody uses, and how many are in use. Its user does the locking.

    Cached pages keep their memory and wait for the size class that had them, in its pair of lists.
    If all of a page was ever touched it serves any other class as well. Otherwise it does not: what
    is touched of it is what its class needs, and another one would touch the rest, and leave to this
    one a page that is touched as a whole, for its corner.

    Returned pages have no memory. A page on its way from the one state to the other is leaving: it
    is in no list, and counted, so that its memory is not forgotten while the system is asked.
*/
template <std::size_t PageSizeV>
class PageLists
{
public:
    static constexpr std::size_t PageSize = PageSizeV;
    static_assert((PageSize & (PageSize - 1)) == 0, "pages are powers of two");
    static_assert(!hardened || PageSize <= PageEvidence<2>::PageSize,
                  "hardened builds know of pages of 64 KiB at most");

    constexpr PageLists() = default;

    std::size_t usedPages() const noexcept { return m_used; }
    std::size_t cachedPages() const noexcept { return m_cachedCount; }
    std::size_t wholeCached() const noexcept { return m_wholeCount; }
    std::size_t partialBytes() const noexcept { return m_partialBytes; }
    std::size_t leavingPages() const noexcept { return m_leaving; }
    std::size_t returnedPages() const noexcept { return m_returnedCount; }

    // One that had chunks of \a chunkSize, if possible the whole of it, or one of which another
    // class had the whole; null if there is none.
    PageHeader *takeCached(std::size_t chunkSize) noexcept
    {
        const unsigned index = classOf(chunkSize);
        PageHeader *page = takeFrom(m_whole[index]);
        if (!page)
            page = takeFrom(m_partial[index]);
        return used(page ? page : takeWidest(m_whole));
    }

    // Any, and rather one that is touched as a whole.
    PageHeader *takeAnyCached() noexcept { return used(takeWhole(true)); }

    PageHeader *takeReturned() noexcept
    {
        PageHeader *page = pop(m_returned);
        if (page)
            --m_returnedCount;
        return used(page);
    }

    static bool isWhole(const PageHeader *page) noexcept
    {
        return page->touched > PageSize / 8 * 7;
    }

    // What a free page counts for that keeps its memory: that is what was touched of it. A quarter
    // at least, so that there is a bound on their number.
    static std::size_t heldBytes(const PageHeader *page) noexcept
    {
        return page->touched > PageSize / 4 ? page->touched : PageSize / 4;
    }

    // How many cached pages were there all the time since this was last asked: nobody needed
    // them.
    std::size_t takeCachedLow() noexcept
    {
        const std::size_t low = m_cachedLow;
        m_cachedLow = m_cachedCount;
        return low;
    }

    // Freed and still holding memory.
    void putCached(PageHeader *page) noexcept
    {
        --m_used;
        cache(page);
    }

    // Freed, its memory given back to the system.
    void putReturned(PageHeader *page) noexcept
    {
        --m_used;
        pushReturned(page);
    }

    // A cached page whose memory is about to go; null if there is none. With \a wholeFirst any will
    // do, otherwise only one that was touched in part.
    PageHeader *beginLeaving(bool wholeFirst) noexcept
    {
        PageHeader *page = takeWhole(wholeFirst);
        if (page)
            ++m_leaving;
        return page;
    }

    // The same for all cached pages at once, in as many lists, of which some are null. \a kept says
    // how many of them are to come back.
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

    // Its memory went back, or the system refused to take it.
    void endLeaving(PageHeader *page, bool gone) noexcept
    {
        --m_leaving;
        if (gone)
            pushReturned(page);
        else
            cache(page);
    }

    // It is needed after all.
    PageHeader *useLeaving(PageHeader *page) noexcept
    {
        --m_leaving;
        return used(page);
    }

protected:
    void countUsed(std::size_t count) noexcept { m_used += count; }

private:
    // What is wider than any size class shares the last.
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
        page->next = m_returned;
        m_returned = page;
        ++m_returnedCount;
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
    std::size_t m_returnedCount = 0;
    PageHeader *m_whole[SizeClasses::Count] = {};
    PageHeader *m_partial[SizeClasses::Count] = {};
    PageHeader *m_returned = nullptr;
};

QPOOL_END_NAMESPACE

#endif // QPOOLPAGELISTS_H
