// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef HEAPREADING_H
#define HEAPREADING_H

#include <QtCore/qlist.h>
#include <QtCore/qstring.h>

// Which code allocated what a process has in use, by samples: all bytes are estimates.
struct HeapReading
{
    struct Site
    {
        QString key; // the same for the same site in another reading
        QString function; // with file and line, or the module
        QString caller; // empty: none
        bool isDirect = true; // false: there are others between the caller and the function
        QString type; // the class of most of its blocks; empty: they have none
        qint64 samples = 0; // in use
        qreal inUse = 0;
        qreal allocated = 0; // since sampling began
    };

    // A function that some stacks go through.
    struct Node
    {
        QString name;
        int parent = -1; // its caller's index, which is lower; -1 for the first node, which is all
        qreal inUse = 0;
        qreal allocated = 0;
    };

    qint64 interval = 0; // bytes between two samples; 0: sampling is off
    qint64 samples = 0; // since sampling began
    qreal inUse = 0;
    qreal allocated = 0;
    QList<Site> sites;
    QList<Node> stacks; // as a tree; what is too small to be seen is left out
    QStringList notes; // what is missing; each a sentence without a full stop
    QString error; // why there is no reading, the same; empty on success
};

#endif // HEAPREADING_H
