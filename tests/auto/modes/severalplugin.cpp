// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include <QtGui/QKeyEvent>
#include <QtGui/QMouseEvent>

// Unsafe beside the distribution's QtGui in two ways.
extern "C" Q_DECL_EXPORT QEvent *makeEvent(bool key)
{
    if (key)
        return new QKeyEvent(QEvent::KeyPress, Qt::Key_A, Qt::NoModifier);
    return new QMouseEvent(QEvent::MouseMove, QPointF(), QPointF(), Qt::NoButton, Qt::NoButton,
                           Qt::NoModifier);
}
