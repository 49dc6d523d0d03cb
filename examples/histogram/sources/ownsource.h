// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef OWNSOURCE_H
#define OWNSOURCE_H

#include "censustaker.h"
#include "snapshotsource.h"

#include <cstddef>

// This process, through functions that the pooled QtCore exports. They are resolved at run time
// because the program is built against the distribution's QtCore, which does not have them.
class OwnSource : public SnapshotSource
{
public:
    OwnSource();


    Kind kind() const override { return Kind::Own; }
    QString title() const override;
    Reading read() override;
    QStringList command() const override;
    QHash<qint64, QString> threadNames() const override;
    ClassCensus census() override { return m_census.take(); }
    LatencyReading latency() override;
    std::shared_ptr<Inspector> inspector() override { return m_inspector; }
    bool canTrim() const override { return m_trim != nullptr; }
    void trim() override;

private:
    using SnapshotFunction = std::size_t (*)(char *buffer, std::size_t size);
    using TrimFunction = void (*)();

    // \a room is the size of the buffer, and grows with the text.
    static QByteArray textOf(SnapshotFunction function, qsizetype *room);

    SnapshotFunction m_snapshot = nullptr;
    SnapshotFunction m_latency = nullptr;
    qsizetype m_snapshotRoom = 16 * 1024;
    qsizetype m_latencyRoom = 16 * 1024;
    TrimFunction m_trim = nullptr;
    CensusTaker m_census;
    std::shared_ptr<Inspector> m_inspector;
};

#endif // OWNSOURCE_H
