// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A program with events to record:
//   threads N  two threads get N events each
//   exit CODE  gets one event
//   crash N    gets N events, and is killed once they are in the trace
//   stay N     gets N events, and waits to be ended
//   parent N   gets N events, and starts itself with "exit 0"
//   closing N  gets N events, has closed all descriptors then that it does not know, and gets N more

#include <QtCore/QCoreApplication>
#include <QtCore/QEvent>
#include <QtCore/QProcess>
#include <QtCore/QThread>

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

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

// The collected records are sent when the statistics are queried.
static void collect()
{
    using Function = size_t (*)(char *, size_t);
    if (auto function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, "qt_pool_allocator_latency")))
        function(nullptr, 0);
}

// The library must not write to sockets of the program that now have these numbers.
static int sockets[32][2];
static void closeUnknown()
{
    for (int file = 3; file < 64; ++file)
        close(file);
    for (auto &pair : sockets)
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair);
}

static bool gotSomething()
{
    char byte;
    for (auto &pair : sockets) {
        if (read(pair[0], &byte, 1) > 0 || read(pair[1], &byte, 1) > 0)
            return true;
    }
    return false;
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
    } else if (strcmp(what, "closing") == 0) {
        post(&receiver, number);
        QCoreApplication::sendPostedEvents();
        collect();
        closeUnknown();
        post(&receiver, number);
        QCoreApplication::sendPostedEvents();
        collect();
        if (gotSomething()) {
            puts("somebody wrote into the program's own socket");
            return 1;
        }
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
