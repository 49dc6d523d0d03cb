// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef LATENCYSCREEN_H
#define LATENCYSCREEN_H

#include "screenparts.h"

#include <qpoollatencystatistics.h>

// The event latency of a process, as the screen shows it.
struct ShownLatency
{
    QString name; // of the program
    qint64 pid = 0;
    bool isRecorded = true;
    QString problem; // why there are no statistics, or no new ones; empty if there are
    QPoolStatistics::LatencyStatistics statistics;
};

// The state of the screen of event latency.
struct LatencyView : ScreenView
{
    QPoolStatistics::LatencyOrder order;
    bool details = false; // the histograms of the selected row, instead of the list
    QString filter; // part of a class, a type or a thread
    QPoolStatistics::EventLatency selected; // only what identifies it

    // Selects the next measure.
    void changeMeasure();
    // Selects the row \a step rows further in the list.
    void select(const QPoolStatistics::LatencyStatistics &statistics, qsizetype step);
};

// The rows that the list shows, in its order.
QList<QPoolStatistics::EventLatency> rowsOf(const QPoolStatistics::LatencyStatistics &statistics,
                                            const LatencyView &view);

// The event latency in form.rows lines (any number if that is 0) of at most form.columns columns. Bounds
// view.scroll.
ScreenLines latencyScreen(const ShownLatency &latency, LatencyView &view, const ScreenForm &form);

#endif // LATENCYSCREEN_H
