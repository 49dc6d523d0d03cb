// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SEGMENTFINDER_H
#define SEGMENTFINDER_H

#include <QtCore/qlist.h>
#include <QtCore/qstring.h>

// A shared memory segment created by SharedSegment.
struct ListedSegment
{
    QString name;
    QString problem; // why it cannot be attached, otherwise empty
    QString lock;
    qint64 bytes = 0;
    qint64 usedBytes = 0;
    qint64 usedBlocks = 0;
    qint64 deaths = 0; // of threads that held the lock
};

class SegmentFinder
{
public:
    SegmentFinder() = default;
    virtual ~SegmentFinder() = default;

    virtual QList<ListedSegment> find() = 0;

private:
    Q_DISABLE_COPY_MOVE(SegmentFinder)
};

#endif // SEGMENTFINDER_H
