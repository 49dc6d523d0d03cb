// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLCACHESJSON_P_H
#define QPOOLCACHESJSON_P_H

// The JSON format of object caches, beside that of a pool's statistics in qpoolsnapshotjson_p.h. Header
// only, for programs that have a QtCore: QPool::MonitorJson. Empty without one.

#include "qpoolcachestatistics.h"

#if __has_include(<QtCore/qjsonobject.h>)

#include <QtCore/qjsonarray.h>
#include <QtCore/qjsonobject.h>
#include <QtCore/qstring.h>

namespace QPoolCachesJson {

inline QJsonObject categoryToJson(const QPool::CategoryStatistics &statistics)
{
    QJsonObject category;
    category.insert(QLatin1String("name"), QString::fromStdString(statistics.name));
    for (const auto &[name, count] : QPool::AllCacheCounts)
        category.insert(QLatin1String(name), qint64(statistics.*count));
    category.insert(QLatin1String("stocks"), qint64(statistics.stocks));
    category.insert(QLatin1String("missingStocks"), qint64(statistics.missingStocks));
    return category;
}

inline QJsonObject toJson(const QPool::CacheStatistics &statistics)
{
    QJsonArray categories;
    for (const QPool::CategoryStatistics &category : statistics.categories)
        categories.append(categoryToJson(category));
    QJsonObject cache;
    cache.insert(QLatin1String("name"), QString::fromStdString(statistics.name));
    cache.insert(QLatin1String("id"), qint64(statistics.number));
    cache.insert(QLatin1String("objectSize"), qint64(statistics.objectSize));
    cache.insert(QLatin1String("categories"), categories);
    return cache;
}

// Adds the caches to the JSON of a process's statistics, if there are any.
inline void insertInto(QJsonObject *process, const QPool::CacheListing &listing)
{
    if (listing.isEmpty())
        return;
    QJsonArray caches;
    for (const QPool::CacheStatistics &cache : listing.caches)
        caches.append(toJson(cache));
    process->insert(QLatin1String("caches"), caches);
    process->insert(QLatin1String("missingCategories"), qint64(listing.missing));
    if (!listing.problem.empty())
        process->insert(QLatin1String("cachesProblem"), QString::fromStdString(listing.problem));
}

} // namespace QPoolCachesJson

#endif // __has_include(<QtCore/qjsonobject.h>)

#endif // QPOOLCACHESJSON_P_H
