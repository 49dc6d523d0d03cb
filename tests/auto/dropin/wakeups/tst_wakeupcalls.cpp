// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../../corelib/shared/threads.h"
#include "../shared/watchdog.h"

#include <QtTest/QTest>

#include <sys/eventfd.h>

// How often a thread's loop is signalled, which takes a system call each time. This program defines
// the functions that do it: Qt's and GLib's calls come here first.

namespace {
std::atomic<int> s_signals { 0 };
}

extern "C" ssize_t write(int fd, const void *data, size_t size)
{
    // An eventfd takes eight bytes; nothing else that is written while this counts is so short.
    if (size == sizeof(eventfd_t))
        ++s_signals;
    return syscall(SYS_write, fd, data, size);
}

extern "C" int eventfd_write(int fd, eventfd_t value)
{
    ++s_signals;
    return syscall(SYS_write, fd, &value, sizeof(value)) == sizeof(value) ? 0 : -1;
}

class tst_WakeUpCalls : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void ownPostsNeedNoSignal();
    void postsToABusyLoopNeedNoSignal();
    void manyPostsShareOneSignal();
    void aSleepingLoopIsSignalled();
    void ownWakeUpsNeedNoSignal();
};

namespace {

void post(QObject *receiver, int count = 1)
{
    for (int i = 0; i < count; ++i)
        QCoreApplication::postEvent(receiver, new QEvent(QEvent::User));
}

// The number of signals that \a function causes.
template <class Function>
int signalsOf(Function &&function)
{
    const int before = s_signals;
    function();
    return s_signals - before;
}

} // namespace

void tst_WakeUpCalls::initTestCase()
{
    const QByteArray expected = qgetenv("QPOOL_EXPECTED_DISPATCHER");
    const QByteArray name = dispatcher()->metaObject()->className();
    QVERIFY2(name.contains(expected), name.constData());
    QCoreApplication::processEvents();
}

void tst_WakeUpCalls::ownPostsNeedNoSignal()
{
    Receiver receiver;
    const int calls = signalsOf([&] {
        for (int turn = 0; turn < 100; ++turn) {
            post(&receiver, 100);
            QCoreApplication::processEvents();
        }
    });
    QCOMPARE(receiver.received(), 10'000);
    QCOMPARE(calls, 0);
}

void tst_WakeUpCalls::postsToABusyLoopNeedNoSignal()
{
    Watchdog watchdog("a thread that was busy");
    EventThread thread;
    QSemaphore busy, go;
    QMetaObject::invokeMethod(
            thread.receiver(),
            [&] {
                busy.release();
                go.acquire();
            },
            Qt::QueuedConnection);
    busy.acquire();
    const int calls = signalsOf([&] { post(thread.receiver(), 10'000); });
    go.release();
    thread.waitForIdle();
    QCOMPARE(thread.receiver()->received(), 10'000);
    QCOMPARE(calls, 0);
}

void tst_WakeUpCalls::manyPostsShareOneSignal()
{
    // The first event keeps the loop busy until all are posted: one signal for all of them, or
    // none if the loop was on its way to sleep.
    Watchdog watchdog("a thread that slept");
    constexpr int posters = 4;
    EventThread thread;
    thread.waitForIdle();
    QSemaphore go;
    const int calls = signalsOf([&] {
        QMetaObject::invokeMethod(
                thread.receiver(), [&] { go.acquire(posters); }, Qt::QueuedConnection);
        for (int i = 0; i < posters; ++i) {
            Beside poster([&] {
                post(thread.receiver(), 1000);
                go.release();
            });
        }
        thread.waitForIdle();
    });
    QCOMPARE(thread.receiver()->received(), posters * 1000);
    // waitForIdle() posts once more.
    QVERIFY2(calls <= 2, qPrintable(QString::number(calls)));
}

void tst_WakeUpCalls::aSleepingLoopIsSignalled()
{
    // Shows that the counted calls are those that wake loops.
    Watchdog watchdog("a thread that slept");
    EventThread thread;
    int calls = 0;
    for (int i = 0; i < 10'000 && !calls; ++i)
        calls = signalsOf([&] { thread.waitForIdle(); });
    QVERIFY(calls > 0);
}

void tst_WakeUpCalls::ownWakeUpsNeedNoSignal()
{
    const int calls = signalsOf([&] {
        for (int i = 0; i < 100; ++i)
            dispatcher()->wakeUp();
    });
    QCOMPARE(calls, 0);
    Watchdog watchdog("a wait that was called off beforehand");
    dispatcher()->processEvents(QEventLoop::WaitForMoreEvents);
}

QTEST_GUILESS_MAIN(tst_WakeUpCalls)
#include "tst_wakeupcalls.moc"
