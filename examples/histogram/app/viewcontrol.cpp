// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "viewcontrol.h"

#include "filesource.h"
#include "ownsource.h"
#include "poolmonitor.h"

ViewControl::ViewControl(PoolMonitor *monitor, std::unique_ptr<ProcessFinder> processes,
                         std::unique_ptr<SegmentFinder> segments, QObject *parent)
    : QObject(parent)
    , m_monitor(monitor)
    , m_processes(std::move(processes))
    , m_segments(std::move(segments))
{
    // Without a parent, QML would take ownership of an object returned by a property.
    m_processes.setParent(this);
    m_segments.setParent(this);
}

void ViewControl::watchThis()
{
    m_monitor->setSource(std::make_unique<OwnSource>());
}

void ViewControl::watch(qint64 pid)
{
    m_monitor->setSource(m_processes.open(pid));
}

void ViewControl::openFile(const QString &fileName)
{
    m_monitor->setSource(std::make_unique<FileSource>(fileName));
}

void ViewControl::openUrl(const QUrl &file)
{
    openFile(file.toLocalFile());
}
