// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSNAPSHOTJSON_P_H
#define QPOOLSNAPSHOTJSON_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

// Writes the JSON format of a pool's statistics, for the process itself and for readers in other processes.
// QtCore uses it, and programs that read published segments. src/monitor/qpoolstatisticsjson.cpp reads it.

// Empty for other modules of Qt, which do not find the allocator's headers.
#if __has_include("stats/qpoolprocessstatistics.h")

#include "stats/qpoolprocessstatistics.h"

#include <QtCore/qjsonarray.h>
#include <QtCore/qjsonobject.h>
#include <QtCore/qstring.h>

QT_USE_NAMESPACE

namespace QPoolSnapshotJson {

// Raised when a reader of an older format would misread a newer one.
inline constexpr int FormatVersion = 2;

inline qint64 number(std::uint64_t value)
{
    return qint64(value);
}

inline QJsonObject domainToJson(const QPool::DomainStatistics &domain)
{
    QJsonArray classes;
    for (const QPool::ClassStatistics &statistics : domain.classes) {
        QJsonObject entry;
        entry.insert(QLatin1String("size"), number(statistics.size));
        entry.insert(QLatin1String("allocated"), number(statistics.allocated));
        entry.insert(QLatin1String("freed"), number(statistics.freed));
        entry.insert(QLatin1String("remote"), number(statistics.remote));
        entry.insert(QLatin1String("live"), number(statistics.live()));
        classes.append(entry);
    }
    return QJsonObject { { QLatin1String("classes"), classes } };
}

inline QJsonObject arenaToJson(const QPool::ArenaStatistics &statistics)
{
    QJsonObject arena;
    arena.insert(QLatin1String("id"), number(statistics.id));
    arena.insert(QLatin1String("thread"), number(statistics.thread));
    arena.insert(QLatin1String("orphaned"), statistics.orphaned);
    arena.insert(QLatin1String("adoptions"), number(statistics.adoptions));
    arena.insert(QLatin1String("live"), number(statistics.live));
    arena.insert(QLatin1String("pages"), number(statistics.pages));
    arena.insert(QLatin1String("backlog"), number(statistics.backlog));
    return arena;
}

inline QJsonObject toJson(const QPool::ProcessStatistics &statistics)
{
    QJsonObject domains;
    for (const QPool::DomainStatistics &domain : statistics.domains)
        domains.insert(QString::fromStdString(domain.name), domainToJson(domain));

    QJsonArray arenas;
    for (const QPool::ArenaStatistics &arena : statistics.arenas)
        arenas.append(arenaToJson(arena));

    QJsonObject bytes;
    bytes.insert(QLatin1String("reserved"), number(statistics.memory.reserved));
    bytes.insert(QLatin1String("committed"), number(statistics.memory.committed));
    bytes.insert(QLatin1String("decommitted"), number(statistics.memory.decommitted));
    bytes.insert(QLatin1String("live"), number(statistics.liveBytes()));

    QJsonObject result;
    result.insert(QLatin1String("version"), FormatVersion);
    result.insert(QLatin1String("pid"), number(statistics.pid));
    result.insert(QLatin1String("qt"), QString::fromStdString(statistics.library));
    result.insert(QLatin1String("enabled"), statistics.enabled);
    result.insert(QLatin1String("domains"), domains);
    result.insert(QLatin1String("arenas"), arenas);
    result.insert(QLatin1String("bytes"), bytes);
    return result;
}

} // namespace QPoolSnapshotJson

#endif // __has_include("stats/qpoolprocessstatistics.h")

#endif // QPOOLSNAPSHOTJSON_P_H
