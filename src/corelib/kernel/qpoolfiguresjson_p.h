// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLFIGURESJSON_P_H
#define QPOOLFIGURESJSON_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

// The JSON form of a pool's figures: the same, whether the process itself tells them or a
// reader outside of it. Used by QtCore and by what reads published segments.

// Empty to modules of Qt, which do not find the allocator's headers.
#if __has_include("stats/qpoolfigures.h")

#include "stats/qpoolfigures.h"

#include <QtCore/qjsonarray.h>
#include <QtCore/qjsonobject.h>
#include <QtCore/qstring.h>

namespace QPoolFiguresJson {

// Raised when a reader of an older form would misread a newer one.
inline constexpr int FormatVersion = 1;

inline qint64 number(std::uint64_t value)
{
    return qint64(value);
}

inline QJsonObject domainToJson(const QPool::DomainFigures &domain)
{
    QJsonArray classes;
    for (const QPool::ClassFigures &figures : domain.classes) {
        QJsonObject entry;
        entry.insert(QLatin1String("size"), number(figures.size));
        entry.insert(QLatin1String("allocated"), number(figures.allocated));
        entry.insert(QLatin1String("freed"), number(figures.freed));
        entry.insert(QLatin1String("remote"), number(figures.remote));
        entry.insert(QLatin1String("live"), number(figures.live()));
        classes.append(entry);
    }
    return QJsonObject { { QLatin1String("classes"), classes } };
}

inline QJsonObject arenaToJson(const QPool::ArenaStatistics &figures)
{
    QJsonObject arena;
    arena.insert(QLatin1String("id"), number(figures.id));
    arena.insert(QLatin1String("thread"), number(figures.thread));
    arena.insert(QLatin1String("orphaned"), figures.orphaned);
    arena.insert(QLatin1String("adoptions"), number(figures.adoptions));
    arena.insert(QLatin1String("live"), number(figures.live));
    arena.insert(QLatin1String("pages"), number(figures.pages));
    arena.insert(QLatin1String("backlog"), number(figures.backlog));
    return arena;
}

inline QJsonObject toJson(const QPool::Figures &figures)
{
    QJsonObject domains;
    for (const QPool::DomainFigures &domain : figures.domains)
        domains.insert(QString::fromStdString(domain.name), domainToJson(domain));

    QJsonArray arenas;
    for (const QPool::ArenaStatistics &arena : figures.arenas)
        arenas.append(arenaToJson(arena));

    QJsonObject bytes;
    bytes.insert(QLatin1String("reserved"), number(figures.memory.reserved));
    bytes.insert(QLatin1String("committed"), number(figures.memory.committed));
    bytes.insert(QLatin1String("returned"), number(figures.memory.returned));
    bytes.insert(QLatin1String("live"), number(figures.liveBytes()));

    QJsonObject result;
    result.insert(QLatin1String("version"), FormatVersion);
    result.insert(QLatin1String("pid"), number(figures.pid));
    result.insert(QLatin1String("qt"), QString::fromStdString(figures.library));
    result.insert(QLatin1String("enabled"), figures.enabled);
    result.insert(QLatin1String("domains"), domains);
    result.insert(QLatin1String("arenas"), arenas);
    result.insert(QLatin1String("bytes"), bytes);
    return result;
}

} // namespace QPoolFiguresJson

#endif // __has_include("stats/qpoolfigures.h")

#endif // QPOOLFIGURESJSON_P_H
