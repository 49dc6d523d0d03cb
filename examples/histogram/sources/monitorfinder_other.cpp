// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "monitorfinder.h"

#include <QtCore/qcoreapplication.h>

// For systems on which processes do not publish statistics.

namespace {

class NoSource : public SnapshotSource
{
public:
    explicit NoSource(qint64 pid)
        : m_title(QCoreApplication::translate("ProcessSource", "Process %1").arg(pid))
    {
    }

    Kind kind() const override { return Kind::Process; }
    QString title() const override { return m_title; }
    Reading read() override
    {
        return { Status::Missing,
                 {},
                 QCoreApplication::translate("MonitorFinder",
                                             "other processes can only be shown on Linux") };
    }
    ClassCensus census() override { return { {}, 0, read().message }; }

private:
    QString m_title;
};

} // namespace

QList<PublishedProcess> MonitorFinder::find()
{
    return {};
}

std::unique_ptr<SnapshotSource> MonitorFinder::open(qint64 pid)
{
    return std::make_unique<NoSource>(pid);
}
