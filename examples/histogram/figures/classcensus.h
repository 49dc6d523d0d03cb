// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef CLASSCENSUS_H
#define CLASSCENSUS_H

#include <QtCore/qlist.h>
#include <QtCore/qstring.h>

// What is alive of one class, in one domain; of events, of one type.
struct ClassCount
{
    QString domain; // event, object, private, heap
    QString title;
    QString module;
    qint64 count = 0;
    qint64 bytes = 0;
};

// What is alive in a process, by class, at one moment.
struct ClassCensus
{
    QList<ClassCount> classes;
    qint64 uncertain = 0; // chunks of size classes that never stood still
    QString error; // why there is none, in a sentence without a full stop; empty if there is one
};

#endif // CLASSCENSUS_H
