// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef PROCESSFINDER_H
#define PROCESSFINDER_H

#include "snapshotsource.h"

#include <QtCore/qdatetime.h>
#include <QtCore/qlist.h>

#include <memory>

// A process that lays its figures open.
struct PublishedProcess
{
    qint64 pid = 0;
    QString name;
    QString problem; // why its figures cannot be read, empty if they can
    QDateTime since; // invalid if not known
    qint64 liveBytes = 0;
};

// Finds such processes, and opens them.
class ProcessFinder
{
public:
    ProcessFinder() = default;
    virtual ~ProcessFinder() = default;

    virtual QList<PublishedProcess> find() = 0;

    // Never null: a process that cannot be read is a source that says so.
    virtual std::unique_ptr<SnapshotSource> open(qint64 pid) = 0;

private:
    Q_DISABLE_COPY_MOVE(ProcessFinder)
};

#endif // PROCESSFINDER_H
