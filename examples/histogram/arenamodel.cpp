// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "arenamodel.h"

#include <algorithm>

int ArenaModel::orphanedCount() const
{
    return int(std::count_if(m_rows.cbegin(), m_rows.cend(),
                             [](const ArenaFigures &arena) { return arena.orphaned; }));
}

void ArenaModel::setArenas(const QList<ArenaFigures> &arenas, qint64 pid)
{
    m_pid = pid;
    int row = 0;
    for (const ArenaFigures &arena : arenas) {
        while (row < m_rows.size() && m_rows.at(row).id < arena.id) {
            beginRemoveRows({}, row, row);
            m_rows.removeAt(row);
            endRemoveRows();
        }
        if (row == m_rows.size() || m_rows.at(row).id != arena.id) {
            beginInsertRows({}, row, row);
            m_rows.insert(row, arena);
            endInsertRows();
        } else {
            m_rows[row] = arena;
        }
        ++row;
    }
    if (row < m_rows.size()) {
        beginRemoveRows({}, row, int(m_rows.size()) - 1);
        m_rows.resize(row);
        endRemoveRows();
    }
    if (row > 0)
        Q_EMIT dataChanged(index(0), index(row - 1));
    Q_EMIT countChanged();
}

int ArenaModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : count();
}

QVariant ArenaModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const ArenaFigures &arena = m_rows.at(index.row());
    switch (role) {
    case IdRole:
        return arena.id;
    case ThreadRole:
        return arena.thread;
    case MainThreadRole:
        return arena.thread == m_pid && !arena.orphaned; // true on Linux only
    case OrphanedRole:
        return arena.orphaned;
    case AdoptionsRole:
        return arena.adoptions;
    case LiveRole:
        return arena.live;
    case PagesRole:
        return arena.pages;
    case BacklogRole:
        return arena.backlog;
    default:
        return {};
    }
}

QHash<int, QByteArray> ArenaModel::roleNames() const
{
    return { { IdRole, "arenaId" },
             { ThreadRole, "thread" },
             { MainThreadRole, "mainThread" },
             { OrphanedRole, "orphaned" },
             { AdoptionsRole, "adoptions" },
             { LiveRole, "live" },
             { PagesRole, "pages" },
             { BacklogRole, "backlog" } };
}
