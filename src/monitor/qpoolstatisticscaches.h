// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSTATISTICSCACHES_H
#define QPOOLSTATISTICSCACHES_H

#include <QtCore/qlist.h>
#include <QtCore/qstring.h>

namespace QPoolStatistics {

// Numbers of objects, of a cache or a category of one.
struct ObjectCacheCounts
{
    qint64 inUse = 0;
    qint64 inStocks = 0; // idle, at hand of threads
    qint64 inDepot = 0; // idle, for all
    qint64 made = 0;
    qint64 destroyed = 0;
    qint64 ownHits = 0; // taken from the thread's own stock
    qint64 depotHits = 0;
    qint64 misses = 0;
    qint64 resets = 0;
    qint64 missingStocks = 0; // of threads, whose figures are not in these

    qint64 takes() const { return ownHits + depotHits + misses; }
};

struct ObjectCategoryFigures
{
    QString name; // empty: the cache's own
    ObjectCacheCounts counts;
};

struct ObjectCacheFigures
{
    qint64 id = 0;
    QString name;
    qint64 objectSize = 0; // bytes
    QList<ObjectCategoryFigures> categories;

    ObjectCacheCounts counts() const
    {
        ObjectCacheCounts sum;
        for (const ObjectCategoryFigures &category : categories) {
            sum.inUse += category.counts.inUse;
            sum.inStocks += category.counts.inStocks;
            sum.inDepot += category.counts.inDepot;
            sum.made += category.counts.made;
            sum.destroyed += category.counts.destroyed;
            sum.ownHits += category.counts.ownHits;
            sum.depotHits += category.counts.depotHits;
            sum.misses += category.counts.misses;
            sum.resets += category.counts.resets;
            sum.missingStocks += category.counts.missingStocks;
        }
        return sum;
    }
};

struct ObjectCacheListing
{
    QList<ObjectCacheFigures> caches;
    qint64 missing = 0; // categories that are not in it
    QString problem; // why there is none that could be read
};

} // namespace QPoolStatistics

#endif // QPOOLSTATISTICSCACHES_H
