// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef ARENAEVENT_H
#define ARENAEVENT_H

#include <QtCore/qglobal.h>

// A change of an arena between two snapshots.
struct ArenaEvent
{
    enum Kind { Created, Orphaned, Adopted };

    Kind kind = Created;
    qint64 arena = 0;
    qint64 thread = 0; // the owner, or the last owner of an orphaned arena
    qint64 times = 1;
    qint64 live = 0; // chunks
};

#endif // ARENAEVENT_H
