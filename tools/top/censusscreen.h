// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef CENSUSSCREEN_H
#define CENSUSSCREEN_H

#include "census/qpoolcensus.h"
#include "screenline.h"

#include <QtCore/qstring.h>

#include <optional>

// How a user looks at what is alive, by class.
struct CensusView
{
    QPool::CensusOrder order = QPool::CensusOrder::Bytes;
    bool paused = false;
    bool help = false;
    int scroll = 0;
    QString filter; // part of a name
    std::optional<QPool::Census> mark; // what is compared with
    QString notice; // the answer to the last key, or why there is nothing new
    std::optional<QString> prompt; // what was typed of a filter so far

    // The next order; growth only after a mark.
    void changeOrder();
    // Remembers \a census, or forgets what was marked.
    void toggleMark(const QPool::Census &census);
};

// A census of the program \a name. Lines end at form.columns, and there are form.rows of them, unless
// that is 0. Scrolling is brought within its bounds.
ScreenLines censusScreen(const QString &name, const QPool::Census &census, CensusView &view,
                         const ScreenForm &form);

#endif // CENSUSSCREEN_H
