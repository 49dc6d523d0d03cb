// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef MEMORYREADING_H
#define MEMORYREADING_H

#include <QtCore/qlist.h>
#include <QtCore/qstring.h>

// The resident memory of a process by owner, at one moment, and what the process takes beyond it.
struct MemoryReading
{
    struct Part
    {
        QString key; // "pool.event"; of what is not resident: "swapped"
        QString title;
        qint64 bytes = 0;
        bool known = true; // false: at least that
    };

    QList<Part> owners; // their sum is what the system calls resident
    QList<Part> beyond;
    qint64 hidden = 0; // the bytes of it that no process shows
    bool hiddenKnown = true;
    QStringList notes; // what of it is not known, and why; each a sentence without a full stop
    QString error; // why there is no reading, the same; empty on success
};

#endif // MEMORYREADING_H
