// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef ARENAMODEL_H
#define ARENAMODEL_H

#include "arenaevent.h"
#include "rowmodel.h"
#include "snapshot.h"

#include <qpoolstatisticsfilter.h>

#include <QtCore/qhash.h>

// One row per arena, ordered by ID.
class ArenaModel : public RowModel
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("created by PoolMonitor")
    Q_PROPERTY(int total READ total NOTIFY changed)
    Q_PROPERTY(int orphanedCount READ orphanedCount NOTIFY changed)
    Q_PROPERTY(qint64 adoptions READ adoptions NOTIFY changed)
    Q_PROPERTY(qint64 backlog READ backlog NOTIFY changed)
    Q_PROPERTY(qint64 pages READ pages NOTIFY changed)

public:
    enum Role {
        IdRole = Qt::UserRole,
        ThreadRole,
        ThreadNameRole,
        MainThreadRole,
        OrphanedRole,
        AdoptionsRole,
        LiveRole,
        PagesRole,
        BacklogRole,
        JustRole, // its last change, if recent: created, orphaned, adopted; otherwise empty
        TrailRole // live chunks in the last samples
    };

    using RowModel::RowModel;

    int count() const override { return int(m_rows.size()); }
    int total() const { return int(m_arenas.size()); }
    int orphanedCount() const;
    qint64 adoptions() const;
    qint64 backlog() const;
    qint64 pages() const;

    // arenas must be sorted by ID. Returns the changes since the last call; after clear(), none.
    QList<ArenaEvent> setArenas(const QList<ArenaStatistics> &arenas, qint64 pid, qint64 milliseconds);
    void setFilter(const QPoolStatistics::Filter &filter);
    void clear();

    QHash<int, QByteArray> roleNames() const override;

Q_SIGNALS:
    void changed();

protected:
    QVariant value(int row, int role) const override;

private:
    struct Track
    {
        ArenaStatistics last;
        QString just;
        qint64 justAt = 0;
        QVariantList trail;
    };

    void track(const ArenaStatistics &arena, bool known, QList<ArenaEvent> *events);
    void showRows();

    QList<ArenaStatistics> m_arenas;
    QList<ArenaStatistics> m_rows;
    QHash<qint64, Track> m_tracks;
    QPoolStatistics::Filter m_filter;
    qint64 m_pid = 0;
    qint64 m_now = 0;
};

#endif // ARENAMODEL_H
