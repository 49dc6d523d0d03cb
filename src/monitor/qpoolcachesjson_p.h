// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLCACHESJSON_P_H
#define QPOOLCACHESJSON_P_H

// The JSON form of object caches, beside that of a pool's figures in qpoolfiguresjson_p.h. Header
// only, for programs that have a QtCore: QPool::MonitorJson. Empty without one.

#include "qpoolcachefigures.h"

#if __has_include(<QtCore/qjsonobject.h>)

#include <QtCore/qjsonarray.h>
#include <QtCore/qjsonobject.h>
#include <QtCore/qstring.h>

namespace QPoolCachesJson {

inline QJsonObject categoryToJson(const QPool::CategoryFigures &figures)
{
    QJsonObject category;
    category.insert(QLatin1String("name"), QString::fromStdString(figures.name));
    category.insert(QLatin1String("inUse"), qint64(figures.inUse));
    category.insert(QLatin1String("inStocks"), qint64(figures.inStocks));
    category.insert(QLatin1String("inDepot"), qint64(figures.inDepot));
    category.insert(QLatin1String("made"), qint64(figures.made));
    category.insert(QLatin1String("destroyed"), qint64(figures.destroyed));
    category.insert(QLatin1String("ownHits"), qint64(figures.ownHits));
    category.insert(QLatin1String("depotHits"), qint64(figures.depotHits));
    category.insert(QLatin1String("steals"), qint64(figures.steals));
    category.insert(QLatin1String("misses"), qint64(figures.misses));
    category.insert(QLatin1String("resets"), qint64(figures.resets));
    category.insert(QLatin1String("stocks"), qint64(figures.stocks));
    category.insert(QLatin1String("missingStocks"), qint64(figures.missingStocks));
    return category;
}

inline QJsonObject toJson(const QPool::CacheFigures &figures)
{
    QJsonArray categories;
    for (const QPool::CategoryFigures &category : figures.categories)
        categories.append(categoryToJson(category));
    QJsonObject cache;
    cache.insert(QLatin1String("name"), QString::fromStdString(figures.name));
    cache.insert(QLatin1String("id"), qint64(figures.number));
    cache.insert(QLatin1String("objectSize"), qint64(figures.objectSize));
    cache.insert(QLatin1String("categories"), categories);
    return cache;
}

// Into the JSON form of a process's figures; nothing where there are none.
inline void insertInto(QJsonObject *process, const QPool::CacheListing &listing)
{
    if (listing.isEmpty())
        return;
    QJsonArray caches;
    for (const QPool::CacheFigures &cache : listing.caches)
        caches.append(toJson(cache));
    process->insert(QLatin1String("caches"), caches);
    process->insert(QLatin1String("missingCategories"), qint64(listing.missing));
    if (!listing.problem.empty())
        process->insert(QLatin1String("cachesProblem"), QString::fromStdString(listing.problem));
}

} // namespace QPoolCachesJson

#endif // __has_include(<QtCore/qjsonobject.h>)

#endif // QPOOLCACHESJSON_P_H
