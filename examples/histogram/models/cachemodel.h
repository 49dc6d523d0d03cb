// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef CACHEMODEL_H
#define CACHEMODEL_H

#include "rowmodel.h"
#include "snapshot.h"

#include <utility>

// The object caches of a process: one row per cache, followed by one row per category if the cache
// has named categories.
class CacheModel : public RowModel
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("created by PoolMonitor")
    Q_PROPERTY(QString note READ note NOTIFY changed) // what is missing from the rows, or empty
    Q_PROPERTY(bool present READ isPresent NOTIFY changed) // whether there are rows or a note

public:
    enum Role {
        TitleRole = Qt::UserRole,
        PartRole, // whether the row is a category of the cache above
        IncompleteRole, // some values could not be published for lack of room
        ObjectSizeRole, // in bytes; 0 for a part
        InUseRole,
        InStocksRole,
        InDepotRole,
        MadeRole,
        DestroyedRole,
        OwnHitsRole,
        DepotHitsRole,
        MissesRole,
        ResetsRole
    };

    using RowModel::RowModel;

    int count() const override { return int(m_rows.size()); }
    QString note() const { return m_note; }
    bool isPresent() const { return count() > 0 || !m_note.isEmpty(); }

    void setCaches(const QPool::CacheListing &caches);

    QHash<int, QByteArray> roleNames() const override;

Q_SIGNALS:
    void changed();

protected:
    QVariant value(int row, int role) const override;

private:
    struct Row
    {
        std::pair<qint64, int> id; // of the cache, and of the category, from 1; 0 for the cache itself
        QString title;
        qint64 objectSize = 0;
        QPool::CacheCounts counts;
        bool whole = true;
    };

    static QList<Row> rowsOf(const QPool::CacheStatistics &cache);

    QList<Row> m_rows;
    QString m_note;
};

#endif // CACHEMODEL_H
