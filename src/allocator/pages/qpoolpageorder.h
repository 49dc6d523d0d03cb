// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLPAGEORDER_H
#define QPOOLPAGEORDER_H

#include "qpoolpage.h"

QPOOL_BEGIN_NAMESPACE

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

#endif // QPOOLPAGEORDER_H
