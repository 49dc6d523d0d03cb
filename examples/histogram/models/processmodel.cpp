// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "processmodel.h"

#include <algorithm>
#include <tuple>

namespace {

bool before(const PublishedProcess &a, const PublishedProcess &b)
{
    return std::tie(a.name, a.pid) < std::tie(b.name, b.pid);
}

} // namespace

ProcessModel::ProcessModel(std::unique_ptr<ProcessFinder> finder, QObject *parent)
    : QAbstractListModel(parent)
    , m_finder(std::move(finder))
{
}

void ProcessModel::refresh()
{
    QList<PublishedProcess> found = m_finder->find();
    std::sort(found.begin(), found.end(), before);

    // Row by row, so that a view keeps its selection.
    const qsizetype previous = m_rows.size();
    int row = 0;
    for (const PublishedProcess &process : std::as_const(found)) {
        while (row < m_rows.size() && before(m_rows.at(row), process)) {
            beginRemoveRows({}, row, row);
            m_rows.removeAt(row);
            endRemoveRows();
        }
        if (row == m_rows.size() || m_rows.at(row).pid != process.pid) {
            beginInsertRows({}, row, row);
            m_rows.insert(row, process);
            endInsertRows();
        } else {
            m_rows[row] = process;
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
    if (previous != m_rows.size())
        Q_EMIT countChanged();
}

int ProcessModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : count();
}

QVariant ProcessModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const PublishedProcess &process = m_rows.at(index.row());
    switch (role) {
    case PidRole:
        return process.pid;
    case NameRole:
        return process.name;
    case ProblemRole:
        return process.problem;
    case SinceRole:
        return process.since.isValid() ? process.since.time().toString(u"HH:mm") : QString();
    case LiveRole:
        return process.liveBytes;
    default:
        return {};
    }
}

QHash<int, QByteArray> ProcessModel::roleNames() const
{
    return { { PidRole, "pid" },
             { NameRole, "name" },
             { ProblemRole, "problem" },
             { SinceRole, "since" },
             { LiveRole, "liveBytes" } };
}
