// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef CLASSCENSUS_H
#define CLASSCENSUS_H

#include <QtCore/qlist.h>
#include <QtCore/qstring.h>

// The live objects of one class in one domain; events are counted by type.
struct ClassCount
{
    QString domain; // event, object, private, heap
    QString title;
    QString module;
    qint64 count = 0;
    qint64 bytes = 0;
};

// The live objects of a process by class, at one moment.
struct ClassCensus
{
    QList<ClassCount> classes;
    qint64 uncertain = 0; // chunks of size classes that changed during the count
    QString error; // why there is no census, without a full stop; empty on success
};

#endif // CLASSCENSUS_H
