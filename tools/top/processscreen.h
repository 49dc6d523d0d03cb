// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef PROCESSSCREEN_H
#define PROCESSSCREEN_H

#include "followedprocess.h"
#include "screenparts.h"

#include <qpoolstatisticsfilter.h>

// The state of the screen of a process.
struct ProcessView : ScreenView
{
    enum Page { Classes, Arenas, Caches };
    enum Measure { Live, Allocated, Rate };

    Page page = Classes;
    Measure measure = Live;
    bool logarithmic = true;
    QPoolStatistics::Filter filter;
};

// The page that Tab shows next; the page of caches only if the process has any.
ProcessView::Page pageAfter(ProcessView::Page page, const FollowedProcess &process);

// The statistics at \a now, in milliseconds since 1970, in form.rows lines (any number if that is 0) of
// at most form.columns columns. Bounds view.scroll.
ScreenLines processScreen(const FollowedProcess &process, ProcessView &view,
                          const ScreenForm &form, qint64 now);

#endif // PROCESSSCREEN_H
