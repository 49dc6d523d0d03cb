// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef VIEWCONTROL_H
#define VIEWCONTROL_H

#include "processmodel.h"
#include "segmentmodel.h"

#include <QtCore/qurl.h>
#include <QtQml/qqmlregistration.h>

class PoolMonitor;

// Selects the source of the statistics that the window shows.
class ViewControl : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("created by the program")
    Q_PROPERTY(ProcessModel *processes READ processes CONSTANT)
    Q_PROPERTY(SegmentModel *segments READ segments CONSTANT)

public:
    ViewControl(PoolMonitor *monitor, std::unique_ptr<ProcessFinder> processes,
                std::unique_ptr<SegmentFinder> segments, QObject *parent = nullptr);

    ProcessModel *processes() { return &m_processes; }
    SegmentModel *segments() { return &m_segments; }

    void openFile(const QString &fileName);

public Q_SLOTS:
    void watchThis();
    void watch(qint64 pid);
    void openUrl(const QUrl &file);

private:
    PoolMonitor *m_monitor;
    ProcessModel m_processes;
    SegmentModel m_segments;
};

#endif // VIEWCONTROL_H
