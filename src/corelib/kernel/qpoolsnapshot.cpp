// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpooldomains_p.h"
#include "qpoolfiguresjson_p.h"
#include "qpooloperators.h"

#include <QtCore/qcoreapplication.h>
#include <QtCore/qjsondocument.h>

#include <algorithm>
#include <cstring>

QT_USE_NAMESPACE

namespace {

QPool::DomainFigures domainFigures(const QPool::PublishedDomain &domain)
{
    QPool::DomainFigures figures;
    figures.name = domain.name;
    for (unsigned index = 0; index < domain.binCount; ++index) {
        QPool::ClassFigures entry;
        static_cast<QPool::BinStatistics &>(entry) =
                QPoolDomains::Pools::statistics(domain.firstBin + index);
        if (entry.allocated == 0)
            continue;
        entry.size = std::uint32_t(QPoolDomains::Layout::chunkSize(domain.firstBin + index));
        figures.classes.push_back(entry);
    }
    return figures;
}

QPool::Figures currentFigures()
{
    QPool::Figures figures;
    figures.pid = std::uint64_t(QCoreApplication::applicationPid());
    figures.library = qVersion();
    figures.enabled = !QPoolDomains::Pools::isDisabled();
    for (unsigned domain = 0; domain < QPool::processDomainCount(); ++domain)
        figures.domains.push_back(domainFigures(QPool::ProcessDomains[domain]));
    QPoolDomains::Pools::forEachArena([&](const QPool::ArenaStatistics &arena) {
        figures.arenas.push_back(arena);
    });
    std::reverse(figures.arenas.begin(), figures.arenas.end());
    figures.memory = QPool::SystemPages::memory();
    return figures;
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
    const QJsonObject object = QPoolFiguresJson::toJson(currentFigures());
    const QByteArray json = QJsonDocument(object).toJson(QJsonDocument::Compact);
    const std::size_t length = std::size_t(json.size());
    if (length < size)
        std::memcpy(buffer, json.constData(), length + 1);
    return length;
}
