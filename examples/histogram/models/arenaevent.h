// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef ARENAEVENT_H
#define ARENAEVENT_H

#include <QtCore/qglobal.h>

// What happened to an arena between two snapshots.
struct ArenaEvent
{
    enum Kind { Taken, Orphaned, Adopted };

    Kind kind = Taken;
    qint64 arena = 0;
    qint64 thread = 0; // the owner's, or the last owner's of an orphan
    qint64 times = 1;
    qint64 live = 0; // chunks in it
};

#endif // ARENAEVENT_H
