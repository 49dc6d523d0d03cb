// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SNAPSHOTSOURCE_H
#define SNAPSHOTSOURCE_H

#include "classcensus.h"

#include <QtCore/qbytearray.h>
#include <QtCore/qstring.h>

// Where the figures come from: this process, another one, a file. Whatever it
// is, what it gives is the JSON text that the allocator writes.
class SnapshotSource
{
public:
    enum class Kind { Own, Process, File };
    enum class Status {
        Ready, // there is a text
        Waiting, // not yet, but there may be
        Missing, // there can be none
        Gone, // there will be no more; the text is the last, if it can be had
        Incompatible, // written in a form that this program does not know
        Damaged
    };

    struct Reading
    {
        Status status = Status::Missing;
        QByteArray json;
        QString message; // what is wrong, in a clause, unless Ready
    };

    SnapshotSource() = default;
    virtual ~SnapshotSource() = default;

    virtual Kind kind() const = 0;
    virtual QString title() const = 0; // the program's name, the file's name
    virtual Reading read() = 0;

    // A source whose statistics never change is read once.
    bool isStill() const { return kind() == Kind::File; }

    // What is alive by class.
    virtual ClassCensus census()
    {
        return { {}, 0, QStringLiteral("A saved snapshot does not tell classes") };
    }

    virtual bool canTrim() const { return false; }
    virtual void trim() { } // asks for unused memory to go back to the system

private:
    Q_DISABLE_COPY_MOVE(SnapshotSource)
};

#endif // SNAPSHOTSOURCE_H
