// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef ARENAMODEL_H
#define ARENAMODEL_H

#include "snapshot.h"

#include <QtCore/qabstractitemmodel.h>
#include <QtQml/qqmlregistration.h>

// The arenas, one row each, ordered by id. Rows are inserted and removed one by
// one, so that a view keeps its place while threads come and go.
class ArenaModel : public QAbstractListModel
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by PoolMonitor")
    Q_PROPERTY(int count READ count NOTIFY countChanged)
    Q_PROPERTY(int orphanedCount READ orphanedCount NOTIFY countChanged)

public:
    enum Role {
        IdRole = Qt::UserRole,
        ThreadRole,
        MainThreadRole,
        OrphanedRole,
        AdoptionsRole,
        LiveRole,
        PagesRole,
        BacklogRole
    };

    using QAbstractListModel::QAbstractListModel;

    int count() const { return int(m_rows.size()); }
    int orphanedCount() const;

    void setArenas(const QList<ArenaFigures> &arenas, qint64 pid); // sorted by id

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

Q_SIGNALS:
    void countChanged();

private:
    QList<ArenaFigures> m_rows;
    qint64 m_pid = 0;
};

#endif // ARENAMODEL_H
