// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSTATISTICSTABLE_H
#define QPOOLSTATISTICSTABLE_H

#include "qpoolstatisticssnapshot.h"

// A snapshot as one table of CSV: a line for each size class that was used, then one for each arena.
// Cells that do not apply are empty. doc/observe.md explains the columns.
namespace QPoolStatistics {

// In the last column of each line. Raised when a column gets another meaning or another place.
inline constexpr int TableVersion = 1;

QByteArray tableHeading();

// The first cells of each line: the process, and the time in milliseconds since 1970, which a snapshot
// does not contain.
struct TableMoment
{
    std::optional<qint64> time;
    qint64 pid = 0;
};
QByteArray tableLine(const TableMoment &moment, const QString &domain,
                     const SizeClassStatistics &statistics);
QByteArray tableLine(const TableMoment &moment, const ArenaStatistics &arena);

// The whole table, with its heading.
QByteArray toCsv(const Snapshot &snapshot);

// A time as it is written in JSON and CSV: UTC, ISO 8601, to the millisecond.
QString isoTime(qint64 milliseconds);

} // namespace QPoolStatistics

#endif // QPOOLSTATISTICSTABLE_H
