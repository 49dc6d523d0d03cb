// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef CENSUSSCREEN_H
#define CENSUSSCREEN_H

#include "census/qpoolcensus.h"
#include "screenparts.h"

// The state of the screen of live objects by class.
struct CensusView : MarkedView
{
    QPool::CensusOrder order = QPool::CensusOrder::Bytes;
    std::optional<QPool::Census> mark; // the census to compare with

    // Selects the next order; growth only with a mark.
    void changeOrder();
    // Stores \a census as the mark, or removes the mark.
    void toggleMark(const QPool::Census &census);
};

// The census of the program \a name, in form.rows lines (any number if that is 0) of at most
// form.columns columns. Bounds view.scroll.
ScreenLines censusScreen(const QString &name, const QPool::Census &census, CensusView &view,
                         const ScreenForm &form);

#endif // CENSUSSCREEN_H
