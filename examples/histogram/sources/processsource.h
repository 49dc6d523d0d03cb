// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef PROCESSSOURCE_H
#define PROCESSSOURCE_H

#include "censustaker.h"
#include "snapshotsource.h"

#include <QtCore/qcoreapplication.h>

#include <memory>

namespace QPool {
class MonitoredProcess;
}

// Another process that publishes statistics. Reading them does not affect the process.
class ProcessSource : public SnapshotSource
{
    Q_DECLARE_TR_FUNCTIONS(ProcessSource)

public:
    explicit ProcessSource(qint64 pid);
    ~ProcessSource() override;

    Kind kind() const override { return Kind::Process; }
    QString title() const override;
    Reading read() override;
    QStringList command() const override { return m_command; }
    QHash<qint64, QString> threadNames() const override;
    ClassCensus census() override { return m_census.take(); }
    LatencyReading latency() override;
    std::shared_ptr<Inspector> inspector() override { return Inspector::of(m_pid); }

private:
    Reading attach();
    Reading readStatistics();

    const qint64 m_pid;
    QString m_name; // empty until attached
    QStringList m_command; // the same; kept when the process has ended
    std::unique_ptr<QPool::MonitoredProcess> m_process;
    CensusTaker m_census;
};

#endif // PROCESSSOURCE_H
