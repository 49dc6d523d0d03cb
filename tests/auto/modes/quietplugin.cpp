// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include <QtGui/QMouseEvent>

// Unsafe beside the distribution's QtGui, and exports nothing.
static QEvent *makeEvent()
{
    return new QMouseEvent(QEvent::MouseMove, QPointF(), QPointF(), Qt::NoButton, Qt::NoButton,
                           Qt::NoModifier);
}

__attribute__((used)) static QEvent *(*const volatile maker)() = &makeEvent;
