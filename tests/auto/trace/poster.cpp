// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A program with events to record:
//   threads N  two threads get N events each
//   exit CODE  gets one event
//   crash N    gets N events, and is killed once they are in the trace
//   stay N     gets N events, and waits to be ended
//   parent N   gets N events, and starts itself with "exit 0"

#include <QtCore/QCoreApplication>
#include <QtCore/QEvent>
#include <QtCore/QProcess>
#include <QtCore/QThread>

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

class Receiver : public QObject
{
    Q_OBJECT

public:
    bool event(QEvent *event) override
    {
        return event->type() == QEvent::User || QObject::event(event);
    }
};

static void post(QObject *receiver, int count)
{
    for (int i = 0; i < count; ++i)
        QCoreApplication::postEvent(receiver, new QEvent(QEvent::User));
}

static void runThreads(int count)
{
    QThread threads[2];
    Receiver receivers[2];
    threads[0].setObjectName("one");
    threads[1].setObjectName("two");
    for (int i = 0; i < 2; ++i) {
        receivers[i].moveToThread(&threads[i]);
        threads[i].start();
    }
    for (int i = 0; i < count; ++i) {
        post(&receivers[0], 1);
        post(&receivers[1], 1);
    }
    for (int i = 0; i < 2; ++i) {
        QMetaObject::invokeMethod(&receivers[i], [] { }, Qt::BlockingQueuedConnection);
        threads[i].quit();
        threads[i].wait();
    }
}

// What is collected is sent when somebody asks for the figures.
static void collect()
{
    using Function = size_t (*)(char *, size_t);
    if (auto function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, "qt_pool_allocator_latency")))
        function(nullptr, 0);
}

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    const char *what = argc == 3 ? argv[1] : "";
    const int number = argc == 3 ? atoi(argv[2]) : 0;
    Receiver receiver;
    if (strcmp(what, "threads") == 0) {
        runThreads(number);
    } else if (strcmp(what, "exit") == 0) {
        post(&receiver, 1);
        QCoreApplication::sendPostedEvents();
    } else if (strcmp(what, "crash") == 0 || strcmp(what, "stay") == 0) {
        post(&receiver, number);
        QCoreApplication::sendPostedEvents();
        collect();
        if (strcmp(what, "crash") == 0)
            raise(SIGKILL);
        return application.exec();
    } else if (strcmp(what, "parent") == 0) {
        post(&receiver, number);
        QCoreApplication::sendPostedEvents();
        QProcess child;
        child.setProcessChannelMode(QProcess::ForwardedChannels);
        child.start(QCoreApplication::applicationFilePath(), { "exit", "0" });
        child.waitForFinished(-1);
    } else {
        fprintf(stderr, "usage: %s threads|exit|crash|stay|parent NUMBER\n", argv[0]);
        return 2;
    }
    puts("done");
    fflush(stdout);
    return strcmp(what, "exit") == 0 ? number : 0;
}

#include "poster.moc"
