// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef CLASSCENSUS_H
#define CLASSCENSUS_H

#include <qpoolsession.h>

#include <QtCore/qlist.h>
#include <QtCore/qstring.h>

using QPoolStatistics::ClassCount;

// The live objects of a process by class, at one moment.
struct ClassCensus
{
    QList<ClassCount> classes;
    qint64 uncertain = 0; // chunks of size classes that changed during the count
    QString error; // why there is no census, or what is wrong with it, without a full stop; empty on success
};

#endif // CLASSCENSUS_H
