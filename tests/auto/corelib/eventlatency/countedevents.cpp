// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// So many events, posted by the hundred and delivered, for callgrind to count the instructions of, or to
// be timed: with two arguments it prints the nanoseconds of each.

#include <QtCore/QCoreApplication>
#include <QtCore/QElapsedTimer>
#include <QtCore/QEvent>

#include <cstdio>
#include <cstdlib>

class Receiver : public QObject
{
public:
    bool event(QEvent *) override { return true; }
};

int main(int argc, char **argv)
{
    if (argc < 2) {
        std::fprintf(stderr, "usage: %s COUNT [time]\n", argv[0]);
        return 2;
    }
    QCoreApplication application(argc, argv);
    Receiver receiver;
    const long count = std::atol(argv[1]);
    QElapsedTimer timer;
    timer.start();
    for (long i = 0; i < count; i += 100) {
        for (int j = 0; j < 100; ++j)
            QCoreApplication::postEvent(&receiver, new QEvent(QEvent::User));
        QCoreApplication::sendPostedEvents(&receiver);
    }
    if (argc > 2)
        std::printf("%.1f\n", double(timer.nsecsElapsed()) / double(count));
    return 0;
}
