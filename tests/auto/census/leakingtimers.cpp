// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Leaks a number of timers without a parent, in its event loop, for each line on standard input,
// and prints "ready" when its loop is about to sleep again; until the input ends. In addition it
// creates and deletes ten times as many other objects.

#include <QtCore/QCoreApplication>
#include <QtCore/QSocketNotifier>
#include <QtCore/QTimer>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    QSocketNotifier input(0, QSocketNotifier::Read);
    const auto say = [] {
        std::puts("ready");
        std::fflush(stdout);
    };
    QObject::connect(&input, &QSocketNotifier::activated, &app, [&] {
        char line[64];
        if (!std::fgets(line, sizeof(line), stdin)) {
            QCoreApplication::quit();
            return;
        }
        const int count = std::atoi(line);
        for (int i = 0; i < count; ++i)
            new QTimer;
        std::vector<std::unique_ptr<QObject>> others;
        for (int i = 0; i < 10 * count; ++i)
            others.emplace_back(new QObject);
        others.clear();
        QMetaObject::invokeMethod(&app, say, Qt::QueuedConnection);
    });
    QMetaObject::invokeMethod(&app, say, Qt::QueuedConnection);
    std::setvbuf(stdin, nullptr, _IONBF, 0);
    return app.exec();
}
