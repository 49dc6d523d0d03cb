// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef PROCESSMODEL_H
#define PROCESSMODEL_H

#include "processfinder.h"
#include "rowmodel.h"

// The processes that publish statistics, sorted by name.
class ProcessModel : public RowModel
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("created by the program")

public:
    enum Role { PidRole = Qt::UserRole, NameRole, ProblemRole, SinceRole, LiveRole };

    explicit ProcessModel(std::unique_ptr<ProcessFinder> finder, QObject *parent = nullptr);

    int count() const override { return int(m_rows.size()); }
    std::unique_ptr<SnapshotSource> open(qint64 pid) { return m_finder->open(pid); }

    Q_INVOKABLE void refresh();

    QHash<int, QByteArray> roleNames() const override;

protected:
    QVariant value(int row, int role) const override;

private:
    std::unique_ptr<ProcessFinder> m_finder;
    QList<PublishedProcess> m_rows;
};

#endif // PROCESSMODEL_H
