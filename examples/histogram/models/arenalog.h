// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef ARENALOG_H
#define ARENALOG_H

#include "arenaevent.h"

#include <QtCore/qabstractitemmodel.h>
#include <QtCore/qdatetime.h>
#include <QtQml/qqmlregistration.h>

// The changes of arenas, latest first. Repeated changes of the same kind to the same arena are one
// entry with a count.
class ArenaLog : public QAbstractListModel
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("created by PoolMonitor")
    Q_PROPERTY(int count READ count NOTIFY countChanged)

public:
    enum Role { TimeRole = Qt::UserRole, KindRole, TextRole };

    using QAbstractListModel::QAbstractListModel;

    int count() const { return int(m_entries.size()); }

    void add(const QList<ArenaEvent> &events, qint64 milliseconds, QTime time);
    void clear();

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

Q_SIGNALS:
    void countChanged();

private:
    struct Entry
    {
        ArenaEvent event;
        qint64 milliseconds = 0;
        QTime time;
    };

    void add(const ArenaEvent &event, qint64 milliseconds, QTime time);

    QList<Entry> m_entries;
};

#endif // ARENALOG_H
