// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef HEADLESSRUN_H
#define HEADLESSRUN_H

#include <QtCore/qelapsedtimer.h>
#include <QtCore/qtimer.h>

class HistogramWindow;
class PoolMonitor;
class WorkloadSet;
struct CommandLine;

// A run without a display: the workloads for some seconds, then the reports.
class HeadlessRun : public QObject
{
    Q_OBJECT

public:
    HeadlessRun(PoolMonitor *monitor, WorkloadSet *workloads, HistogramWindow *window,
                const CommandLine &options);

    int run(); // the program's exit code

private:
    bool canWrite(const QString &fileName) const;
    bool write(const QString &fileName, const QByteArray &content) const;
    bool report();
    void progress();

    PoolMonitor *m_monitor;
    WorkloadSet *m_workloads;
    HistogramWindow *m_window;
    const CommandLine &m_options;
    QTimer m_timer;
    int m_second = 0;
};

#endif // HEADLESSRUN_H
