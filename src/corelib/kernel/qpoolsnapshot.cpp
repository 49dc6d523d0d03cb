// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpooldomains_p.h"
#include "qpoolsnapshotjson_p.h"
#include "qpooloperators.h"

#include <QtCore/qcoreapplication.h>
#include <QtCore/qjsondocument.h>

#include <algorithm>
#include <cstring>

QT_USE_NAMESPACE

namespace {

QPool::DomainStatistics domainStatistics(const QPool::PublishedDomain &domain)
{
    QPool::DomainStatistics statistics;
    statistics.name = domain.name;
    for (unsigned index = 0; index < domain.binCount; ++index) {
        QPool::ClassStatistics entry;
        static_cast<QPool::BinStatistics &>(entry) =
                QPoolDomains::Pools::statistics(domain.firstBin + index);
        if (entry.allocated == 0)
            continue;
        entry.size = std::uint32_t(QPoolDomains::Layout::chunkSize(domain.firstBin + index));
        statistics.classes.push_back(entry);
    }
    return statistics;
}

QPool::ProcessStatistics currentStatistics()
{
    QPool::ProcessStatistics statistics;
    statistics.pid = std::uint64_t(QCoreApplication::applicationPid());
    statistics.library = qVersion();
    statistics.enabled = !QPoolDomains::Pools::isDisabled();
    for (unsigned domain = 0; domain < QPool::processDomainCount(); ++domain)
        statistics.domains.push_back(domainStatistics(QPool::ProcessDomains[domain]));
    QPoolDomains::Pools::forEachArena([&](const QPool::ArenaStatistics &arena) {
        statistics.arenas.push_back(arena);
    });
    std::reverse(statistics.arenas.begin(), statistics.arenas.end());
    statistics.memory = QPool::SystemPages::memory();
    return statistics;
}

} // namespace

/*!
    Writes the pool's statistics as one line of JSON in UTF-8 to \a buffer, and returns its length
    in bytes without the terminating null byte. If the length is not less than \a size, nothing was
    written, and a larger buffer is needed: add some room, because the statistics grow.

    \a buffer may be null if \a size is 0. Statistics of threads that allocate during the call are not of
    one moment; they are exact if all threads are idle.
*/
std::size_t qt_pool_allocator_snapshot(char *buffer, std::size_t size)
{
    const QJsonObject object = QPoolSnapshotJson::toJson(currentStatistics());
    const QByteArray json = QJsonDocument(object).toJson(QJsonDocument::Compact);
    const std::size_t length = std::size_t(json.size());
    if (length < size)
        std::memcpy(buffer, json.constData(), length + 1);
    return length;
}
