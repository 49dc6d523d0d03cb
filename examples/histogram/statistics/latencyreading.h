// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef LATENCYREADING_H
#define LATENCYREADING_H

#include <QtCore/qbytearray.h>
#include <QtCore/qstring.h>

// The event latency of a process, as its source reports it.
struct LatencyReading
{
    enum class Status {
        Ready, // json is set, or nothing was recorded yet
        NotRecorded, // the process was not asked to
        Impossible, // the source has none
        Incompatible, // another version of the format
        Damaged
    };

    Status status = Status::Impossible;
    QByteArray json; // as qt_pool_allocator_latency() writes it
    QString message; // the problem, as a clause, unless Ready
};

#endif // LATENCYREADING_H
