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
    : RowModel(parent)
    , m_finder(std::move(finder))
{
}

void ProcessModel::refresh()
{
    QList<PublishedProcess> found = m_finder->find();
    std::sort(found.begin(), found.end(), before);

    const qsizetype previous = m_rows.size();
    replaceRows(&m_rows, found, before, &PublishedProcess::pid);
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
