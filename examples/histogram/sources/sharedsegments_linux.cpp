// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "sharedsegments.h"

#include <adapters/shared/qpoolsharedsegment.h>

using namespace Qt::StringLiterals;

namespace {

QString nameOf(QPool::SharedLockKind kind)
{
    switch (kind) {
    case QPool::SharedLockKind::None: return u"none"_s;
    case QPool::SharedLockKind::Spin: return u"spin"_s;
    case QPool::SharedLockKind::Futex: return u"futex"_s;
    case QPool::SharedLockKind::Robust: return u"robust"_s;
    }
    return u"?"_s;
}

} // namespace

QList<ListedSegment> SharedSegments::find()
{
    QList<ListedSegment> result;
    for (const QPool::SharedListing &listed : QPool::SharedSegment::list()) {
        ListedSegment segment;
        segment.name = QString::fromStdString(listed.name);
        if (listed.error != QPool::SharedError::None)
            segment.problem = QString::fromUtf8(QPool::errorText(listed.error));
        segment.lock = nameOf(listed.figures.lock);
        segment.bytes = qint64(listed.figures.bytes);
        segment.usedBytes = qint64(listed.figures.usedBytes);
        segment.usedBlocks = qint64(listed.figures.usedBlocks);
        segment.deaths = qint64(listed.figures.deaths);
        result.append(segment);
    }
    return result;
}
