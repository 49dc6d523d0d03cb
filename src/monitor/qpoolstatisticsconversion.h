// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSTATISTICSCONVERSION_H
#define QPOOLSTATISTICSCONVERSION_H

#include "qpoolsession.h"

#include "census/qpoolcensus.h"
#include "stats/qpoolprocessstatistics.h"

// Converts the reader's types into those of QPoolStatistics. For programs that have the allocator's
// headers.
namespace QPoolStatistics {

inline SizeClassStatistics of(const QPool::ClassStatistics &statistics)
{
    return { int(statistics.size), qint64(statistics.allocated), qint64(statistics.freed),
             qint64(statistics.remote), qint64(statistics.live()) };
}

inline ArenaStatistics of(const QPool::ArenaStatistics &arena)
{
    return { qint64(arena.id),   qint64(arena.thread), arena.orphaned,       qint64(arena.adoptions),
             qint64(arena.live), qint64(arena.pages),  qint64(arena.backlog) };
}

inline QList<ClassCount> of(const std::vector<QPool::CensusRow> &rows)
{
    QList<ClassCount> result;
    for (const QPool::CensusRow &row : rows) {
        result.append({ QString::fromStdString(row.domain), QString::fromStdString(titleOf(row)),
                        QString::fromStdString(row.module), qint64(row.count), qint64(row.bytes) });
    }
    return result;
}

} // namespace QPoolStatistics

#endif // QPOOLSTATISTICSCONVERSION_H
