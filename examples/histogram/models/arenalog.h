// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef ARENALOG_H
#define ARENALOG_H

#include "arenaevent.h"
#include "rowmodel.h"

#include <QtCore/qdatetime.h>

// The changes of arenas, latest first. Repeated changes of the same kind to the same arena are one
// entry with a count.
class ArenaLog : public RowModel
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("created by PoolMonitor")

public:
    enum Role { TimeRole = Qt::UserRole, KindRole, TextRole };

    using RowModel::RowModel;

    int count() const override { return int(m_entries.size()); }

    void add(const QList<ArenaEvent> &events, qint64 milliseconds, QTime time);
    void clear();

    QHash<int, QByteArray> roleNames() const override;

protected:
    QVariant value(int row, int role) const override;

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
