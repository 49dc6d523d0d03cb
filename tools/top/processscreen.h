// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef PROCESSSCREEN_H
#define PROCESSSCREEN_H

#include "followedprocess.h"
#include "screenline.h"

#include <qpoolstatisticsfilter.h>

// How a user looks at a process.
struct ProcessView
{
    enum Page { Classes, Arenas, Caches };
    enum Measure { Live, Allocated, Rate };

    Page page = Classes;
    Measure measure = Live;
    bool logarithmic = true;
    bool paused = false;
    bool help = false;
    int scroll = 0;
    QPoolStatistics::Filter filter;
    QString notice; // the answer to the last key, if it could not be done
    std::optional<QString> prompt; // what was typed of a filter so far
};

// What Tab leads to: each page in its turn, that of the caches if the process has any.
ProcessView::Page pageAfter(ProcessView::Page page, const FollowedProcess &process);

// The figures at \a now, in milliseconds since 1970. Lines end at form.columns, and there are
// form.rows of them, unless that is 0. Scrolling is brought within its bounds.
ScreenLines processScreen(const FollowedProcess &process, ProcessView &view,
                          const ScreenForm &form, qint64 now);

#endif // PROCESSSCREEN_H
