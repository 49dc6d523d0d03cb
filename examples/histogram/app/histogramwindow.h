// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef HISTOGRAMWINDOW_H
#define HISTOGRAMWINDOW_H

#include <QtCore/qobject.h>
#include <QtQml/qqmlapplicationengine.h>

class Exporter;
class PoolMonitor;
class ViewControl;
class WorkloadSet;
struct CommandLine;

QT_BEGIN_NAMESPACE
class QQuickWindow;
QT_END_NAMESPACE

// The objects that the window shows. It does not own them.
struct ViewParts
{
    PoolMonitor *monitor;
    WorkloadSet *workloads;
    ViewControl *control;
    Exporter *exporter;
};

// The QML scene and the engine behind it.
class HistogramWindow
{
public:
    HistogramWindow(const ViewParts &parts, const CommandLine &options);

    QQmlApplicationEngine &engine() { return m_engine; }
    QQuickWindow *window() const { return m_window; } // null if the scene did not load
    void showPage(int page);

private:
    QQmlApplicationEngine m_engine;
    QQuickWindow *m_window = nullptr;
};

#endif // HISTOGRAMWINDOW_H
