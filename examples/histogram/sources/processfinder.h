// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef PROCESSFINDER_H
#define PROCESSFINDER_H

#include "snapshotsource.h"

#include <QtCore/qdatetime.h>
#include <QtCore/qlist.h>

#include <memory>

// A process that publishes statistics.
struct PublishedProcess
{
    qint64 pid = 0;
    QString name;
    QString problem; // why the statistics cannot be read, otherwise empty
    QDateTime since; // invalid if unknown
    qint64 liveBytes = 0;
};

// Finds and opens processes that publish statistics.
class ProcessFinder
{
public:
    ProcessFinder() = default;
    virtual ~ProcessFinder() = default;

    virtual QList<PublishedProcess> find() = 0;

    // Never null: if a process cannot be read, read() of its source returns the reason.
    virtual std::unique_ptr<SnapshotSource> open(qint64 pid) = 0;

private:
    Q_DISABLE_COPY_MOVE(ProcessFinder)
};

#endif // PROCESSFINDER_H
