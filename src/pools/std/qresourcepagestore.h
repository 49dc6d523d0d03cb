// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QRESOURCEPAGESTORE_H
#define QRESOURCEPAGESTORE_H

#include "../huge/qpoolhugememory.h"
#include "qresourcechecks.h"
#include "qresourceclass.h"

QPOOL_BEGIN_NAMESPACE

/*
    Where the classes of a PoolResource get their pages: first those that reserve() fetched, in the
    order in which they came, then one by one from the page source. The user provides the locking.
*/
template <class Source>
class ResourcePageStore
{
    using Guard = ResourceChecks<hardened>;
    static constexpr std::size_t PageSize = Source::PageSize;

public:
    // Adds a page to the class; returns null if there is none.
    PageHeader *add(ResourceClass &of, std::size_t size) noexcept
    {
        PageHeader *page = m_spare;
        if (page) {
            m_spare = page->next;
            --m_spareCount;
        } else {
            page = acquire();
            if (!page)
                return nullptr;
            // A class that fills page after page will use this one, too: one system call fetches it
            // for less than sixteen page faults cost.
            if (of.pages >= PagesBeforePopulating && page->touched < PageSize)
                populate(page, page);
        }
        page->setChunkSize(size);
        of.append(page);
        return page;
    }

    // Ensures that \a pages are spare. Returns false if there is not enough memory.
    bool reserve(std::size_t pages) noexcept
    {
        return pages <= m_spareCount || fetch(pages - m_spareCount);
    }

    // Releases all pages of a list, which are not in use any more.
    void release(PageHeader *&list) noexcept
    {
        while (PageHeader *page = list) {
            list = page->next;
            Guard::disown(page);
            Track::pageLeft(Source::pageOf(page), PageSize);
            Source::releasePage(page);
            Source::giveBackDue();
            --m_count;
        }
    }

    void releaseSpare() noexcept
    {
        release(m_spare);
        m_spareCount = 0;
    }

    std::size_t count() const noexcept { return m_count; } // of all classes, and spare
    Guard &guard() noexcept { return m_guard; }

private:
    // So that few pages are touched for a class that needs few.
    static constexpr std::uint32_t PagesBeforePopulating = 4;

    PageHeader *acquire() noexcept
    {
        PageHeader *page = Source::acquirePage();
        if (!page)
            return nullptr;
        page->setBin(nullptr);
        m_guard.own(page);
        Track::pageTaken(Source::pageOf(page), PageSize);
        ++m_count;
        return page;
    }

    // Fetches the pages from \a first to \a last, which are adjacent.
    static bool populate(PageHeader *first, PageHeader *last) noexcept
    {
        if constexpr (Source::HasHeap) {
            const std::size_t bytes =
                    std::size_t(Source::pageOf(last) - Source::pageOf(first)) + PageSize;
            if (!HugeMemory::populate(Source::pageOf(first), bytes))
                return false;
            for (char *at = Source::pageOf(first); bytes > std::size_t(at - Source::pageOf(first));
                 at += PageSize) {
                Source::headerOf(at)->touched = std::uint32_t(PageSize);
            }
        }
        return true;
    }

    // Appends \a count pages to the spare ones, in the order in which they come: adjacent pages are
    // fetched by one system call.
    bool fetch(std::size_t count) noexcept
    {
        PageHeader **end = &m_spare;
        while (*end)
            end = &(*end)->next;
        PageHeader *first = nullptr, *last = nullptr;
        bool fetched = true;
        for (; count > 0 && fetched; --count) {
            PageHeader *page = acquire();
            if (!page)
                break;
            page->next = nullptr;
            page->setChunkSize(PageSize);
            *end = page;
            end = &page->next;
            ++m_spareCount;
            if (!last || Source::pageOf(page) != Source::pageOf(last) + PageSize) {
                fetched = !first || populate(first, last);
                first = page;
            }
            last = page;
        }
        return fetched && count == 0 && (!first || populate(first, last));
    }

    PageHeader *m_spare = nullptr;
    std::size_t m_spareCount = 0;
    std::size_t m_count = 0;
    Guard m_guard;
};

QPOOL_END_NAMESPACE

#endif // QRESOURCEPAGESTORE_H
