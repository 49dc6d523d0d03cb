// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include <QtGui/QMouseEvent>

#include <cstdio>
#include <memory>

// Creates events of the distribution's QtGui only on the stack, and its own objects with new: no
// chunk of the pool is ever passed to QtGui.
int main()
{
    const QMouseEvent event(QEvent::MouseMove, QPointF(), QPointF(), Qt::NoButton, Qt::NoButton,
                            Qt::NoModifier);
    const std::unique_ptr<QObject> object(new QObject);
    if (event.type() == QEvent::MouseMove && qt_pool_allocator_owns(object.get()))
        std::puts("ran");
    return 0;
}
