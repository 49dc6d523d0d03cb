// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef ONRETURN_H
#define ONRETURN_H

#include <QtCore/QCoreApplication>
#include <QtCore/QSocketNotifier>
#include <QtCore/QTimer>

#include <cstdio>

// Runs the program's event loop: each Return on standard input makes the program grow, and the end of the input ends
// it. Each time the program says "ready" when its loop is about to sleep again, so that nobody has to guess.
template<typename Grow>
int growOnReturn(Grow grow)
{
    std::setvbuf(stdin, nullptr, _IONBF, 0);
    QSocketNotifier input(0, QSocketNotifier::Read);
    const auto say = [] {
        std::puts("ready");
        std::fflush(stdout);
    };
    QObject::connect(&input, &QSocketNotifier::activated, qApp, [&] {
        int c = 0;
        while ((c = std::getchar()) != '\n') {
            if (c == EOF)
                return QCoreApplication::quit();
        }
        grow();
        QTimer::singleShot(0, qApp, say);
    });
    QTimer::singleShot(0, qApp, say);
    return QCoreApplication::exec();
}

#endif // ONRETURN_H
