// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include <QtGui/QMouseEvent>

// Unsafe beside the distribution's QtGui.
extern "C" Q_DECL_EXPORT QEvent *makeEvent()
{
    return new QMouseEvent(QEvent::MouseMove, QPointF(), QPointF(), Qt::NoButton, Qt::NoButton,
                           Qt::NoModifier);
}
