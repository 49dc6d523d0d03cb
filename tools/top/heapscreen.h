// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef HEAPSCREEN_H
#define HEAPSCREEN_H

#include "screenparts.h"

#include <qpoolheapsites.h>

// The samples of a process's heap, with names.
struct ShownHeap
{
    QPool::HeapProfile profile;
    std::vector<QPool::NamedStack> stacks;
};

// The state of the screen of call sites.
struct HeapView : MarkedView
{
    enum Order { InUse, Allocated, Growth };

    Order order = InUse;
    std::optional<std::map<std::string, double>> mark; // bytes in use by site, to compare with

    // Selects the next order; growth only with a mark.
    void changeOrder();
    // Stores what is in use in \a heap as the mark, or removes the mark.
    void toggleMark(const ShownHeap &heap);
};

// Which code of the program \a name allocated what is in use, in form.rows lines (any number if that is 0) of at most
// form.columns columns. Bounds view.scroll.
ScreenLines heapScreen(const QString &name, const ShownHeap &heap, HeapView &view, const ScreenForm &form);

#endif // HEAPSCREEN_H
