// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include <QtGui/QMouseEvent>

#include <cstdio>

// Unsafe with a QtGui compiled without the pool, whose ~QMouseEvent() would free the chunk.
int main()
{
    QEvent *event = new QMouseEvent(QEvent::MouseMove, QPointF(), QPointF(), Qt::NoButton,
                                    Qt::NoButton, Qt::NoModifier);
    delete event;
    std::puts("ran");
    return 0;
}
