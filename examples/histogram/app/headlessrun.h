// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef HEADLESSRUN_H
#define HEADLESSRUN_H

#include <QtCore/qelapsedtimer.h>
#include <QtCore/qtimer.h>

class HistogramWindow;
struct CommandLine;
struct ViewParts;

// A run without a display: collects statistics for some seconds, with the selected workloads, and
// writes the reports.
class HeadlessRun : public QObject
{
    Q_OBJECT

public:
    HeadlessRun(const ViewParts &parts, HistogramWindow *window, const CommandLine &options);

    int run(); // the program's exit code

private:
    bool canWriteAll();
    bool report();
    void progress();
    void takeFrame();
    void stopIfGone();

    const ViewParts &m_parts;
    HistogramWindow *m_window;
    const CommandLine &m_options;
    QTimer m_timer;
    QTimer m_frameTimer;
    int m_second = 0;
    int m_frames = 0;
    bool m_failed = false;
};

#endif // HEADLESSRUN_H
