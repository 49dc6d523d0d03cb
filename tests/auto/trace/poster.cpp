// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A program with events to record:
//   threads N  two threads get N events each
//   exit CODE  gets one event
//   crash N    gets N events, and is killed once they are in the trace
//   stay N     gets N events, and waits to be ended
//   parent N   gets N events, and starts itself with "exit 0"
//   flood N    gets N thousand events, forks, starts threads, and at its end prints the statistics as JSON;
//              with 0 it gets events until some are missing in the trace
//   stopping N the same, but first stops the program that started it, and prints its own number
//   rights 0   prints the number of the user whose rights it has
//   holding N  gets one event, and ends with N objects that nobody deletes, and N KiB of memory in use
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
#include <sys/wait.h>
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

// The statistics. All records are collected for them, and sent.
static const char *collect()
{
    using Function = size_t (*)(char *, size_t);
    static char text[1 << 20];
    const auto function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, "qt_pool_allocator_latency"));
    return function && function(text, sizeof(text)) < sizeof(text) ? text : "";
}

static bool isTraceWhole()
{
    return strstr(collect(), "\"untraced\":0,");
}

static void flood(QObject *receiver, int thousands)
{
    // Called before the recorder's function for the end of the process: no event comes in between.
    atexit([] { puts(collect()); });
    // The records of a thousand events always fit into a ring.
    for (int i = 0; thousands ? i < thousands : isTraceWhole(); ++i) {
        post(receiver, 1000);
        QCoreApplication::sendPostedEvents();
        collect();
    }
    const pid_t child = fork();
    if (child == 0)
        _exit(0);
    waitpid(child, nullptr, 0);
    runThreads(1);
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
    QCoreApplication::setSetuidAllowed(true);
    QCoreApplication application(argc, argv);
    const char *what = argc == 3 ? argv[1] : "";
    const int number = argc == 3 ? atoi(argv[2]) : 0;
    Receiver receiver;
    if (strcmp(what, "threads") == 0) {
        runThreads(number);
    } else if (strcmp(what, "rights") == 0) {
        printf("%u\n", unsigned(geteuid()));
        return 0;
    } else if (strcmp(what, "flood") == 0) {
        flood(&receiver, number);
    } else if (strcmp(what, "stopping") == 0) {
        kill(getppid(), SIGSTOP);
        printf("%ld\n", long(getpid()));
        fflush(stdout);
        flood(&receiver, number);
    } else if (strcmp(what, "exit") == 0) {
        post(&receiver, 1);
        QCoreApplication::sendPostedEvents();
    } else if (strcmp(what, "holding") == 0) {
        post(&receiver, 1);
        QCoreApplication::sendPostedEvents();
        static QList<QObject *> objects;
        for (int i = 0; i < number; ++i)
            objects.append(new QObject);
        static const auto *const memory = new QByteArray(qsizetype(number) * 1024, 'x');
        Q_UNUSED(memory);
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
        fprintf(stderr, "usage: %s WHAT NUMBER\n", argv[0]);
        return 2;
    }
    puts("done");
    fflush(stdout);
    return strcmp(what, "exit") == 0 ? number : 0;
}

#include "poster.moc"
