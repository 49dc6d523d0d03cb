// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// So many events, posted by the hundred and delivered, for callgrind to count the instructions of, or to
// be timed: with a second argument it prints the processor's time that each took of this thread, in
// nanoseconds.

#include <QtCore/QCoreApplication>
#include <QtCore/QEvent>

#include <cstdio>
#include <cstdlib>
#include <ctime>

class Receiver : public QObject
{
public:
    bool event(QEvent *) override { return true; }
};

static double threadTime()
{
    timespec now {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e9 + double(now.tv_nsec);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        std::fprintf(stderr, "usage: %s COUNT [time]\n", argv[0]);
        return 2;
    }
    QCoreApplication application(argc, argv);
    Receiver receiver;
    const long count = std::atol(argv[1]);
    const double begin = threadTime();
    for (long i = 0; i < count; i += 100) {
        for (int j = 0; j < 100; ++j)
            QCoreApplication::postEvent(&receiver, new QEvent(QEvent::User));
        QCoreApplication::sendPostedEvents();
    }
    if (argc > 2)
        std::printf("%.1f\n", (threadTime() - begin) / double(count));
    return 0;
}
