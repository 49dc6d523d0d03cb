// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef PROCESSCOUNTERS_H
#define PROCESSCOUNTERS_H

#include <QtCore/qglobal.h>

// The resources that this process has used so far.
struct ProcessCounters
{
    qint64 processorNs; // in the system, too
    qint64 wallNs; // since some time or other
    qint64 faults; // page faults for which nothing was read from a disk

    static ProcessCounters now();
};

struct Memory
{
    qint64 resident; // bytes
    qint64 peak;

    static Memory now();
};

#endif // PROCESSCOUNTERS_H
