// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SNAPSHOTSOURCE_H
#define SNAPSHOTSOURCE_H

#include "classcensus.h"
#include "inspector.h"
#include "latencyreading.h"

#include <QtCore/qbytearray.h>
#include <QtCore/qstring.h>

// A source of statistics: this process, another process, or a file. All of them return the JSON text
// that the allocator writes.
class SnapshotSource
{
public:
    enum class Kind { Own, Process, File };
    enum class Status {
        Ready, // json is set
        Waiting, // no statistics yet
        Missing, // no statistics are possible
        Gone, // no more statistics; json is the last text, or empty
        Incompatible, // another version of the format
        Damaged
    };

    struct Reading
    {
        Status status = Status::Missing;
        QByteArray json;
        QString message; // the problem, as a clause, unless Ready
    };

    SnapshotSource() = default;
    virtual ~SnapshotSource() = default;

    virtual Kind kind() const = 0;
    virtual QString title() const = 0; // name of the program or file
    virtual Reading read() = 0;
    virtual QStringList command() const { return {}; } // of the process
    virtual QHash<qint64, QString> threadNames() const { return {}; } // by number

    // A source whose statistics never change is read once.
    bool isStill() const { return kind() == Kind::File; }

    // Live objects by class.
    virtual ClassCensus census() = 0;

    // How long events wait.
    virtual LatencyReading latency() { return {}; }

    // Of the process, the same each time; null if there is none.
    virtual std::shared_ptr<Inspector> inspector() { return nullptr; }

    virtual bool canTrim() const { return false; }
    virtual void trim() { } // releases unused memory to the system

private:
    Q_DISABLE_COPY_MOVE(SnapshotSource)
};

#endif // SNAPSHOTSOURCE_H
