// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSTATISTICSFIGURES_H
#define QPOOLSTATISTICSFIGURES_H

#include "qpoolstatisticssnapshot.h"

#include "stats/qpoolfigures.h"

// The reader's figures as the statistics have them. For programs that have the allocator's headers.
namespace QPoolStatistics {

inline SizeClassFigures of(const QPool::ClassFigures &figures)
{
    return { int(figures.size), qint64(figures.allocated), qint64(figures.freed),
             qint64(figures.remote), qint64(figures.live()) };
}

inline ArenaFigures of(const QPool::ArenaStatistics &arena)
{
    return { qint64(arena.id),   qint64(arena.thread), arena.orphaned,       qint64(arena.adoptions),
             qint64(arena.live), qint64(arena.pages),  qint64(arena.backlog) };
}

} // namespace QPoolStatistics

#endif // QPOOLSTATISTICSFIGURES_H
