// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef CENSUSSCREEN_H
#define CENSUSSCREEN_H

#include "census/qpoolcensus.h"
#include "screenline.h"

#include <QtCore/qstring.h>

#include <optional>

// The state of the screen of live objects by class.
struct CensusView
{
    QPool::CensusOrder order = QPool::CensusOrder::Bytes;
    bool paused = false;
    bool help = false;
    int scroll = 0;
    QString filter; // part of a name
    std::optional<QPool::Census> mark; // the census to compare with
    QString notice; // the result of the last key, or the reason why there is no new census
    std::optional<QString> prompt; // the filter while it is typed

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
