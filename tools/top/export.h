// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef EXPORT_H
#define EXPORT_H

#include "listscreen.h"

#include <qpoolsession.h>

#include <QtCore/qbytearray.h>

// Statistics for other programs. JSON is one line; for a process it has the format of
// qt_pool_allocator_snapshot() and includes the object caches, the event latency and the session. CSV
// has the rows of QPoolStatistics::tableHeading().
namespace Export {

QByteArray json(const QPool::ProcessStatistics &statistics, const QPool::CacheListing &caches,
                const QPool::PublishedLatency &latency = {}, const QPoolStatistics::Session &session = {});
// The session of a single reading. Counts the process's objects by class if \a counts.
QPoolStatistics::Session sessionOf(qint64 pid, qint64 now, bool counts);
QByteArray json(const ProcessList &processes);

// \a now is in milliseconds since 1970.
QByteArray csv(const QPool::ProcessStatistics &statistics, qint64 now);
QByteArray csv(const ProcessList &processes); // with its heading

} // namespace Export

#endif // EXPORT_H
