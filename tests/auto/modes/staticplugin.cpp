// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include <QtGui/QMouseEvent>

#include <cstdlib>
#include <memory>

// Unsafe beside the distribution's QtGui as soon as it is loaded: when it is unloaded, or at the exit,
// the heap is given a chunk of the pool.
static const std::unique_ptr<QEvent> event(new QMouseEvent(QEvent::MouseMove, QPointF(), QPointF(),
                                                           Qt::NoButton, Qt::NoButton,
                                                           Qt::NoModifier));

__attribute__((constructor(500))) static void early()
{
    setenv("QPOOL_PLUGIN_RAN", "1", 1);
}
