// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpooldomains_p.h"
#include "qpooloperators.h"

#include <QtCore/qcoreapplication.h>
#include <QtCore/qjsonarray.h>
#include <QtCore/qjsondocument.h>
#include <QtCore/qjsonobject.h>

#include <cstring>

QT_USE_NAMESPACE

using namespace Qt::StringLiterals;

namespace {

// Raised when a reader of an older form would misread a newer one.
constexpr int FormatVersion = 1;

qint64 number(std::uint64_t value)
{
    return qint64(value);
}

QJsonObject domainToJson(QPoolDomains::Domain domain)
{
    QJsonArray classes;
    for (unsigned index = 0; index < QPool::SizeClasses::Count; ++index) {
        const unsigned bin = domain * QPool::SizeClasses::Count + index;
        const QPool::BinStatistics statistics = QPoolDomains::Pools::statistics(bin);
        if (statistics.allocated == 0)
            continue;
        QJsonObject entry;
        entry.insert("size"_L1, number(QPool::SizeClasses::sizeOf(index)));
        entry.insert("allocated"_L1, number(statistics.allocated));
        entry.insert("freed"_L1, number(statistics.freed));
        entry.insert("remote"_L1, number(statistics.remote));
        entry.insert("live"_L1, number(statistics.live()));
        classes.append(entry);
    }
    return QJsonObject { { "classes"_L1, classes } };
}

QJsonObject snapshot()
{
    QJsonObject domains;
    domains.insert("event"_L1, domainToJson(QPoolDomains::Event));
    domains.insert("object"_L1, domainToJson(QPoolDomains::Object));
    domains.insert("private"_L1, domainToJson(QPoolDomains::Private));

    QJsonArray arenas;
    std::uint64_t live = 0;
    QPoolDomains::Pools::forEachArena([&](const QPool::ArenaStatistics &statistics) {
        QJsonObject arena;
        arena.insert("id"_L1, number(statistics.id));
        arena.insert("thread"_L1, number(statistics.thread));
        arena.insert("orphaned"_L1, statistics.orphaned);
        arena.insert("adoptions"_L1, number(statistics.adoptions));
        arena.insert("live"_L1, number(statistics.live));
        arena.insert("pages"_L1, number(statistics.pages));
        arena.insert("backlog"_L1, number(statistics.backlog));
        arenas.prepend(arena); // the oldest first
        live += statistics.liveBytes;
    });

    const QPool::PageMemory memory = QPool::SystemPages::memory();
    QJsonObject bytes;
    bytes.insert("reserved"_L1, number(memory.reserved));
    bytes.insert("committed"_L1, number(memory.committed));
    bytes.insert("live"_L1, number(live));

    QJsonObject result;
    result.insert("version"_L1, FormatVersion);
    result.insert("pid"_L1, QCoreApplication::applicationPid());
    result.insert("qt"_L1, QLatin1StringView(qVersion()));
    result.insert("enabled"_L1, !QPoolDomains::Pools::isAside());
    result.insert("domains"_L1, domains);
    result.insert("arenas"_L1, arenas);
    result.insert("bytes"_L1, bytes);
    return result;
}

} // namespace

/*!
    Writes the pool's figures as one line of JSON in UTF-8 to \a buffer, and returns its length
    in bytes without the null byte that ends it. When that is not less than \a size nothing was
    written, and a larger buffer is needed: leave some room, for the figures grow.

    \a buffer may be null when \a size is 0. Figures of threads that are allocating meanwhile
    are not of one moment; they are exact when all are quiet.
*/
std::size_t qt_pool_allocator_snapshot(char *buffer, std::size_t size)
{
    const QByteArray json = QJsonDocument(snapshot()).toJson(QJsonDocument::Compact);
    const std::size_t length = std::size_t(json.size());
    if (length < size)
        std::memcpy(buffer, json.constData(), length + 1);
    return length;
}
