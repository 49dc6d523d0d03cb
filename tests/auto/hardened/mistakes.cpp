// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include <QtCore/QCoreApplication>
#include <QtCore/QObject>
#include <QtCore/QTimer>
#include <QtCore/QTimerEvent>

#include <cstdio>
#include <cstring>

// Makes the error that its argument names. Built against the distribution's Qt: what it creates
// itself does not come from the pool, but what QtCore allocates for it does, such as copies of
// events and the private parts of objects.

namespace {

// The compiler must not see the error.
template <class T>
T *opaque(T *pointer)
{
    asm volatile("" : "+r"(pointer) : : "memory");
    return pointer;
}

QEvent *copiedEvent()
{
    return opaque(QTimerEvent(7).clone());
}

// On a sound program nothing is reported.
void nothing()
{
    QObject parent;
    for (int i = 0; i < 1000; ++i) {
        QCoreApplication::postEvent(&parent, copiedEvent());
        if (i % 10 == 0)
            QCoreApplication::sendPostedEvents();
        delete new QObject;
        (new QTimer(&parent))->start(1000);
    }
    QCoreApplication::sendPostedEvents();
    QTimer::singleShot(0, qApp, &QCoreApplication::quit);
    QCoreApplication::exec();
    std::printf("sound\n");
}

void secondDelete()
{
    QEvent *event = copiedEvent();
    delete event;
    delete opaque(event);
}

void useAfterFree()
{
    QEvent *event = copiedEvent();
    delete event;
    reinterpret_cast<char *>(opaque(event))[17] = 42;
    QObject receiver;
    for (int i = 0; i < 2000; ++i)
        QCoreApplication::postEvent(&receiver, copiedEvent());
}

void callAfterFree()
{
    QEvent *event = copiedEvent();
    delete event;
    delete opaque(event)->clone();
}

void overrun()
{
    QEvent *event = copiedEvent();
    reinterpret_cast<char *>(opaque(event))[sizeof(QTimerEvent)] = 42;
    delete event;
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    static const struct
    {
        const char *name;
        void (*make)();
    } mistakes[] = {
        { "nothing", nothing },
        { "second-delete", secondDelete },
        { "use-after-free", useAfterFree },
        { "call-after-free", callAfterFree },
        { "overrun", overrun },
    };
    for (const auto &mistake : mistakes) {
        if (argc > 1 && std::strcmp(argv[1], mistake.name) == 0)
            mistake.make();
    }
    return 0;
}
