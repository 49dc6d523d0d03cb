// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cachemodel.h"

QList<CacheModel::Row> CacheModel::rowsOf(const QPool::CacheStatistics &cache)
{
    const auto id = qint64(cache.number);
    QList<Row> rows { { { id, 0 }, QString::fromStdString(cache.name), qint64(cache.objectSize), cache.counts(),
                        cache.isWhole() } };
    if (!cache.hasParts())
        return rows;
    int part = 0;
    for (const QPool::CategoryStatistics &category : cache.categories) {
        ++part;
        if (category.isUnused())
            continue;
        rows.append({ { id, part },
                      category.name.empty() ? tr("no category") : QString::fromStdString(category.name),
                      0, category, category.missingStocks == 0 });
    }
    return rows;
}

void CacheModel::setCaches(const QPool::CacheListing &listing)
{
    QList<Row> wanted;
    for (const QPool::CacheStatistics &cache : listing.caches)
        wanted.append(rowsOf(cache));
    const qsizetype previous = m_rows.size();
    replaceRows(&m_rows, wanted, [](const Row &a, const Row &b) { return a.id < b.id; }, &Row::id);

    QString note;
    if (!listing.problem.empty())
        note = tr("The object caches cannot be read: %1").arg(QString::fromStdString(listing.problem));
    else if (listing.missing > 0)
        note = tr("%n more: created before publishing was enabled, or without room", nullptr,
                  int(qMin<qint64>(listing.missing, 1000000)));
    if (previous == m_rows.size() && m_note == note)
        return;
    m_note = note;
    Q_EMIT changed();
}

QVariant CacheModel::value(int index, int role) const
{
    const Row &row = m_rows.at(index);
    switch (role) {
    case TitleRole:
        return row.title;
    case PartRole:
        return row.id.second > 0;
    case IncompleteRole:
        return !row.whole;
    case ObjectSizeRole:
        return row.objectSize;
    case InUseRole:
        return qint64(row.counts.inUse);
    case InStocksRole:
        return qint64(row.counts.inStocks);
    case InDepotRole:
        return qint64(row.counts.inDepot);
    case MadeRole:
        return qint64(row.counts.made);
    case DestroyedRole:
        return qint64(row.counts.destroyed);
    case OwnHitsRole:
        return qint64(row.counts.ownHits);
    case DepotHitsRole:
        return qint64(row.counts.depotHits);
    case MissesRole:
        return qint64(row.counts.misses);
    case ResetsRole:
        return qint64(row.counts.resets);
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
