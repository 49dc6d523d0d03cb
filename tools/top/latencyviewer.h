// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef LATENCYVIEWER_H
#define LATENCYVIEWER_H

#include "followedprocess.h"
#include "latencyscreen.h"
#include "terminal.h"

#include <QtCore/qelapsedtimer.h>

// Shows the screen of event latency and handles its keys. It exists as long as the process is followed, so
// that its order and filter are kept.
class LatencyViewer
{
public:
    LatencyViewer(Terminal &terminal, FollowedProcess &process, int interval);

    // Stay once a key goes back to the screen before, else Quit.
    Wish show();

private:
    void read();
    Wish handleKey(int key);
    Wish leave();

    Terminal &m_terminal;
    FollowedProcess &m_process;
    const int m_interval;
    ShownLatency m_latency;
    LatencyView m_view;
    std::uint32_t m_number = 0; // of the last text
    QElapsedTimer m_clock;
    qint64 m_due = 0;
};

#endif // LATENCYVIEWER_H
