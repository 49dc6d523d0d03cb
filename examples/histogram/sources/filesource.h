// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef FILESOURCE_H
#define FILESOURCE_H

#include "snapshotsource.h"

#include <QtCore/qcoreapplication.h>

// A saved snapshot.
class FileSource : public SnapshotSource
{
    Q_DECLARE_TR_FUNCTIONS(FileSource)

public:
    explicit FileSource(const QString &fileName);

    Kind kind() const override { return Kind::File; }
    QString title() const override;
    Reading read() override;
    ClassCensus census() override;
    LatencyReading latency() override;

private:
    QString m_fileName;
};

#endif // FILESOURCE_H
