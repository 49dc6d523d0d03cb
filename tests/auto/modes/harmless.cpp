// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "classes.h"

#include <QtGui/QImage>
#include <QtGui/QMouseEvent>

#include <cstdio>
#include <memory>

#include <dlfcn.h>

namespace {

// The deleting destructor is this program's.
class Press : public QMouseEvent
{
public:
    Press() : QMouseEvent(MouseButtonPress, QPointF(), QPointF(), Qt::LeftButton, Qt::LeftButton,
                          Qt::NoModifier) { }
};

} // namespace

// Uses libraries compiled without the pool, and only in safe ways: values, its own classes derived
// from theirs, objects that the library creates, classes that do not use the pool. Also loads the
// libraries that its arguments name.
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; ++i) {
        if (!dlopen(argv[i], RTLD_NOW)) {
            std::puts(dlerror());
            return 1;
        }
    }
    const QImage image(3, 3, QImage::Format_RGB32);
    const std::unique_ptr<QEvent> event(new Press);
    const std::unique_ptr<QEvent> copy(event->clone());
    const std::unique_ptr<QEvent> theirs(makeHeaderOnly());
    const std::unique_ptr<QObject> object(new QObject);
    const std::unique_ptr<Unrelated> unrelated(new Unrelated);
    if (image.width() == 3 && qt_pool_allocator_owns(event.get())
            && qt_pool_allocator_owns(object.get())) {
        std::puts("ran");
    }
    return 0;
}
