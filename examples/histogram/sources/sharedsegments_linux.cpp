// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "sharedsegments.h"

#include <sharedmemory/qpoolsharedsegment.h>

QList<ListedSegment> SharedSegments::find()
{
    QList<ListedSegment> result;
    for (const QPool::SharedListing &listed : QPool::SharedSegment::list()) {
        ListedSegment segment;
        segment.name = QString::fromStdString(listed.name);
        if (listed.error != QPool::SharedError::None)
            segment.problem = QString::fromUtf8(QPool::errorText(listed.error));
        segment.lock = QString::fromLatin1(QPool::lockName(listed.statistics.lock));
        segment.bytes = qint64(listed.statistics.bytes);
        segment.usedBytes = qint64(listed.statistics.usedBytes);
        segment.usedBlocks = qint64(listed.statistics.usedBlocks);
        segment.deaths = qint64(listed.statistics.deaths);
        result.append(segment);
    }
    return result;
}
