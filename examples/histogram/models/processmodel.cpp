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
    replaceRows(&m_rows, found, before, &PublishedProcess::pid);
}

QVariant ProcessModel::value(int row, int role) const
{
    const PublishedProcess &process = m_rows.at(row);
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
