// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef VIEWER_H
#define VIEWER_H

#include "censusviewer.h"
#include "heapviewer.h"
#include "latencyviewer.h"
#include "listscreen.h"
#include "processscreen.h"
#include "terminal.h"

#include <QtCore/qelapsedtimer.h>

// Shows the screens in the terminal and handles keys.
class Viewer
{
public:
    Viewer(Terminal &terminal, int interval); // milliseconds between samples

    // These return when a key or a signal ends the program.
    void showList();
    void follow(std::unique_ptr<QPool::MonitoredProcess> process);

private:
    Wish followUntilLeft(std::unique_ptr<QPool::MonitoredProcess> process);
    Wish handleKey(int key, ProcessView &view, FollowedProcess &process);
    // Shows the objects by class, or the call sites, whose viewer is \a viewer.
    template <class Kind>
    Wish showReadings(std::unique_ptr<Kind> &viewer, ProcessView &view, const FollowedProcess &process);
    Wish showLatency(FollowedProcess &process);
    void handlePromptKey(int key, ProcessView &view);
    Wish handleListKey(int key);
    void choose(qsizetype step);
    bool isDue(); // whether it is time for the next sample
    int waitForKey();

    Terminal &m_terminal;
    const int m_interval;
    QElapsedTimer m_clock;
    qint64 m_due = 0;

    // Of the followed process, created on first use.
    std::unique_ptr<CensusViewer> m_census;
    std::unique_ptr<HeapViewer> m_heap;
    std::unique_ptr<LatencyViewer> m_latency;
    ProcessList m_processes;
    SegmentList m_segments;
    qint64 m_selected = 0;
    QString m_notice;
};

#endif // VIEWER_H
