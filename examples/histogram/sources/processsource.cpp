// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "processsource.h"

#include <QtCore/qjsondocument.h>

#include <qpoolcachesjson_p.h>
#include <qpoolsnapshotjson_p.h>
#include <qpoolmonitoredprocess.h>
#include <qpoolsession.h>

using QPool::MonitoredProcess;
using QPool::PublishedLatency;

ProcessSource::ProcessSource(qint64 pid)
    : m_pid(pid)
    , m_census(pid)
{
    attach();
}

ProcessSource::~ProcessSource() = default;

QString ProcessSource::title() const
{
    return m_name.isEmpty() ? tr("Process %1").arg(m_pid) : m_name;
}

SnapshotSource::Reading ProcessSource::attach()
{
    MonitoredProcess::Error error = MonitoredProcess::NoError;
    std::string message;
    m_process = MonitoredProcess::attach(m_pid, &error, &message);
    if (m_process) {
        m_name = QString::fromStdString(m_process->name());
        m_command = QPoolStatistics::Session::commandOf(m_pid);
        return { Status::Ready, {}, {} };
    }
    const QString text = QString::fromStdString(message);
    switch (error) {
    case MonitoredProcess::NoProcess:
        return { Status::Gone, {}, text };
    case MonitoredProcess::NotPublishing: // it may start to
        return { Status::Waiting, {}, text };
    case MonitoredProcess::Incompatible:
        return { Status::Incompatible, {}, text };
    case MonitoredProcess::Damaged:
        return { Status::Damaged, {}, text };
    case MonitoredProcess::NotPermitted:
    case MonitoredProcess::NoError:
        break;
    }
    return { Status::Missing, {}, text };
}

SnapshotSource::Reading ProcessSource::read()
{
    if (!m_process) {
        const Reading reading = attach();
        if (reading.status != Status::Ready)
            return reading;
    }
    return readStatistics();
}

SnapshotSource::Reading ProcessSource::readStatistics()
{
    QJsonObject object = QPoolSnapshotJson::toJson(m_process->read());
    QPoolCachesJson::insertInto(&object, m_process->readCaches());
    const QByteArray json = QJsonDocument(object).toJson(QJsonDocument::Compact);
    switch (m_process->state()) {
    case MonitoredProcess::Publishing:
        break;
    case MonitoredProcess::Silent:
        // After exec(), another program of the same process may publish.
        m_process.reset();
        return { Status::Waiting,
                 {},
                 tr("%1 (process %2) has stopped publishing").arg(m_name).arg(m_pid) };
    case MonitoredProcess::Gone:
        return { Status::Gone, json, tr("%1 (process %2) has ended").arg(m_name).arg(m_pid) };
    }
    return { Status::Ready, json, {} };
}

QHash<qint64, QString> ProcessSource::threadNames() const
{
    return QPoolStatistics::Session::threadNamesOf(m_pid);
}

LatencyReading ProcessSource::latency()
{
    if (!m_process)
        return {};
    const PublishedLatency latency = m_process->readLatency();
    const QString message = QString::fromStdString(latency.problem);
    switch (latency.state) {
    case PublishedLatency::Recorded:
        return { LatencyReading::Status::Ready, QByteArray::fromStdString(latency.text.json), {} };
    case PublishedLatency::NotRecorded:
        return { LatencyReading::Status::NotRecorded, {}, message };
    case PublishedLatency::Incompatible:
        return { LatencyReading::Status::Incompatible, {}, message };
    case PublishedLatency::Damaged:
        break;
    }
    return { LatencyReading::Status::Damaged, {}, message };
}
