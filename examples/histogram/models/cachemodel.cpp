// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cachemodel.h"

QList<CacheModel::Row> CacheModel::rowsOf(const ObjectCacheFigures &cache)
{
    QList<Row> rows { { { cache.id, 0 }, cache.name, cache.objectSize, cache.counts() } };
    // One that was never asked to tell its parts apart has its own category alone.
    if (cache.categories.size() == 1 && cache.categories.first().name.isEmpty())
        return rows;
    int part = 0;
    for (const ObjectCategoryFigures &category : cache.categories) {
        ++part;
        // Its own is there in any case.
        if (category.name.isEmpty() && category.counts.takes() == 0)
            continue;
        rows.append({ { cache.id, part }, category.name.isEmpty() ? tr("no category") : category.name, 0,
                      category.counts });
    }
    return rows;
}

void CacheModel::setCaches(const ObjectCacheListing &listing)
{
    QList<Row> wanted;
    for (const ObjectCacheFigures &cache : listing.caches)
        wanted.append(rowsOf(cache));
    const qsizetype previous = m_rows.size();
    replaceRows(&m_rows, wanted, [](const Row &a, const Row &b) { return a.id < b.id; }, &Row::id);

    QString note;
    if (!listing.problem.isEmpty())
        note = tr("The object caches can't be read: %1").arg(listing.problem);
    else if (listing.missing > 0)
        note = tr("%n more, made before they were published or without room", nullptr,
                  int(qMin<qint64>(listing.missing, 1000000)));
    if (previous == m_rows.size() && m_note == note)
        return;
    m_note = note;
    Q_EMIT changed();
}

int CacheModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : count();
}

QVariant CacheModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row &row = m_rows.at(index.row());
    switch (role) {
    case TitleRole:
        return row.title;
    case PartRole:
        return row.id.second > 0;
    case IncompleteRole:
        return row.counts.missingStocks > 0;
    case ObjectSizeRole:
        return row.objectSize;
    case InUseRole:
        return row.counts.inUse;
    case InStocksRole:
        return row.counts.inStocks;
    case InDepotRole:
        return row.counts.inDepot;
    case MadeRole:
        return row.counts.made;
    case DestroyedRole:
        return row.counts.destroyed;
    case OwnHitsRole:
        return row.counts.ownHits;
    case DepotHitsRole:
        return row.counts.depotHits;
    case MissesRole:
        return row.counts.misses;
    case ResetsRole:
        return row.counts.resets;
    default:
        return {};
    }
}

QHash<int, QByteArray> CacheModel::roleNames() const
{
    return { { TitleRole, "title" },
             { PartRole, "part" },
             { IncompleteRole, "incomplete" },
             { ObjectSizeRole, "objectSize" },
             { InUseRole, "inUse" },
             { InStocksRole, "inStocks" },
             { InDepotRole, "inDepot" },
             { MadeRole, "made" },
             { DestroyedRole, "destroyed" },
             { OwnHitsRole, "ownHits" },
             { DepotHitsRole, "depotHits" },
             { MissesRole, "misses" },
             { ResetsRole, "resets" } };
}
