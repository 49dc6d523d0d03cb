// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolstatisticstable.h"
#include "qpoolstatisticscsv.h"

#include <QtCore/qdatetime.h>
#include <QtCore/qtimezone.h>

using namespace Qt::StringLiterals;

namespace QPoolStatistics {

static QString n(qint64 value)
{
    return QString::number(value);
}

static QStringList beginningOf(const TableMoment &moment)
{
    return { moment.time ? isoTime(*moment.time) : QString(), n(moment.pid) };
}

QString isoTime(qint64 milliseconds)
{
    return QDateTime::fromMSecsSinceEpoch(milliseconds, Qt::UTC).toString(Qt::ISODateWithMs);
}

QByteArray tableHeading()
{
    return csvLine({ u"time"_s, u"pid"_s, u"domain"_s, u"size"_s, u"allocated"_s, u"freed"_s,
                     u"remote"_s, u"live"_s, u"arena"_s, u"thread"_s, u"orphaned"_s,
                     u"adoptions"_s, u"pages"_s, u"backlog"_s, u"version"_s });
}

QByteArray tableLine(const TableMoment &moment, const QString &domain,
                     const SizeClassStatistics &statistics)
{
    return csvLine(beginningOf(moment)
                   + QStringList { domain, n(statistics.size), n(statistics.allocated),
                                   n(statistics.freed), n(statistics.remote), n(statistics.live),
                                   {}, {}, {}, {}, {}, {},
                                   n(TableVersion) });
}

QByteArray tableLine(const TableMoment &moment, const ArenaStatistics &arena)
{
    return csvLine(beginningOf(moment)
                   + QStringList { {}, {}, {}, {}, {}, n(arena.live), n(arena.id), n(arena.thread),
                                   arena.orphaned ? u"yes"_s : u"no"_s, n(arena.adoptions),
                                   n(arena.pages), n(arena.backlog), n(TableVersion) });
}

QByteArray toCsv(const Snapshot &snapshot)
{
    const TableMoment moment { std::nullopt, snapshot.pid };
    QByteArray csv = tableHeading();
    for (int d = 0; d < DomainCount; ++d) {
        for (const SizeClassStatistics &statistics : snapshot.domain(Domain(d)))
            csv += tableLine(moment, nameOf(Domain(d)), statistics);
    }
    for (const ArenaStatistics &arena : snapshot.arenas)
        csv += tableLine(moment, arena);
    return csv;
}

} // namespace QPoolStatistics
