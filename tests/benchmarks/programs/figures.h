// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef FIGURES_H
#define FIGURES_H

#include <QtCore/qglobal.h>

// The resources that this process has used so far.
struct Figures
{
    qint64 processorNs; // in the system, too
    qint64 wallNs; // since some time or other
    qint64 faults; // page faults for which nothing was read from a disk

    static Figures now();
};

struct Memory
{
    qint64 resident; // bytes
    qint64 peak;

    static Memory now();
};

#endif // FIGURES_H
