// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "monitorfinder.h"

#include "processsource.h"

#include <QtCore/qcoreapplication.h>

#include <qpoolmonitoredprocess.h>

QList<PublishedProcess> MonitorFinder::find()
{
    QList<PublishedProcess> result;
    for (const QPool::ListedProcess &listed : QPool::listProcesses()) {
        if (listed.pid == QCoreApplication::applicationPid())
            continue; // the window has a button for this program
        PublishedProcess process;
        process.pid = listed.pid;
        process.name = QString::fromStdString(listed.name);
        if (listed.error != QPool::MonitoredProcess::NoError)
            process.problem = QString::fromStdString(listed.message);
        if (listed.since > 0)
            process.since = QDateTime::fromMSecsSinceEpoch(qint64(listed.since));
        process.liveBytes = qint64(listed.statistics.liveBytes());
        result.append(process);
    }
    return result;
}

std::unique_ptr<SnapshotSource> MonitorFinder::open(qint64 pid)
{
    return std::make_unique<ProcessSource>(pid);
}
