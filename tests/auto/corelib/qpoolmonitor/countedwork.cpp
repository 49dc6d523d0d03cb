// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// So many events and objects, created and deleted, for callgrind to count the instructions of.

#include <QtCore/QEvent>
#include <QtCore/QObject>

#include <cstdio>
#include <cstdlib>

int main(int argc, char **argv)
{
    if (argc != 2) {
        std::fprintf(stderr, "usage: %s COUNT\n", argv[0]);
        return 2;
    }
    const long count = std::atol(argv[1]);
    for (long i = 0; i < count; ++i) {
        QEvent *event = new QEvent(QEvent::User);
        QObject *object = new QObject;
        delete event;
        delete object;
    }
    return 0;
}
