// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "scriptedsteps.h"
#include "waits.h"

#include <QtCore/QSocketNotifier>
#include <QtCore/QTimer>

#include <sys/socket.h>

// What an event loop handles while it gives memory back. Run once with each event dispatcher.
class tst_QPoolIdleLoops : public QObject
{
    Q_OBJECT

private slots:
    void init() { handleAllEvents(); }
    void givesNothingBackIfItNeedNotSleep();
    void eventPostedDuringAStepIsHandledNext_data();
    void eventPostedDuringAStepIsHandledNext();
    void readableSocketIsHandledNext();
    void nestedLoopsGiveBackToo();
    void loopWithinAboutToBlockLosesNoEvent();
    void threadsGiveBackToo();
};

void tst_QPoolIdleLoops::givesNothingBackIfItNeedNotSleep()
{
    Receiver receiver;
    ScriptedSteps steps(ScriptedSteps::MainThread, { 0 });
    QCoreApplication::processEvents();
    post(&receiver);
    while (receiver.received() == 0)
        wait();
    QTimer timer;
    timer.start(0);
    wait();
    QCOMPARE(steps.count(), 0);
}

void tst_QPoolIdleLoops::eventPostedDuringAStepIsHandledNext_data()
{
    QTest::addColumn<bool>("otherThread");
    QTest::addColumn<QList<int>>("results");
    for (bool otherThread : { false, true }) {
        const char *thread = otherThread ? "other thread" : "own thread";
        QTest::addRow("%s, more to give back", thread) << otherThread << QList<int> { 0 };
        QTest::addRow("%s, more later", thread) << otherThread << QList<int> { 0, LongTime };
        QTest::addRow("%s, nothing left", thread) << otherThread << QList<int> { 0, -1 };
    }
}

void tst_QPoolIdleLoops::eventPostedDuringAStepIsHandledNext()
{
    QFETCH(bool, otherThread);
    QFETCH(QList<int>, results);
    Receiver receiver;
    ScriptedSteps steps(ScriptedSteps::MainThread, results, [&](int number) {
        if (number == 2 && otherThread)
            std::thread([&] { post(&receiver); }).join();
        else if (number == 2)
            post(&receiver);
    });
    QVERIFY(wait());
    handleAllEvents(); // the UNIX dispatcher delivers it in the next turn
    QCOMPARE(receiver.received(), 1);
    QCOMPARE(steps.count(), 2);
}

void tst_QPoolIdleLoops::readableSocketIsHandledNext()
{
    int ends[2];
    QCOMPARE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    ScriptedSteps steps(ScriptedSteps::MainThread, { 0 }, [&](int number) {
        if (number == 3)
            QCOMPARE(::write(ends[1], "x", 1), 1);
    });
    QSocketNotifier notifier(ends[0], QSocketNotifier::Read);
    int stepsBefore = 0;
    connect(&notifier, &QSocketNotifier::activated, this, [&] {
        stepsBefore = steps.count();
        notifier.setEnabled(false);
    });
    QVERIFY(wait());
    QCOMPARE(stepsBefore, 3);
    ::close(ends[0]);
    ::close(ends[1]);
}

void tst_QPoolIdleLoops::nestedLoopsGiveBackToo()
{
    QEventLoop outer;
    int stepsInside = 0;
    std::function<void(int)> during;
    ScriptedSteps steps(ScriptedSteps::MainThread, { 0 }, [&](int number) { during(number); });
    QObject context;
    during = [&](int number) {
        if (number != 2)
            return;
        QMetaObject::invokeMethod(&context, [&] {
            QEventLoop inner;
            during = [&](int number) {
                if (number == 5)
                    inner.quit();
            };
            inner.exec();
            stepsInside = steps.count() - 2;
            outer.quit();
        }, Qt::QueuedConnection);
    };
    outer.exec();
    QCOMPARE(stepsInside, 3);
    QCOMPARE(steps.count(), 5);
}

// The loop within the slot sleeps, and gives back; then the outer one does.
void tst_QPoolIdleLoops::loopWithinAboutToBlockLosesNoEvent()
{
    Receiver receiver;
    std::function<void()> endInner;
    ScriptedSteps steps(ScriptedSteps::MainThread, { 0 }, [&](int number) {
        if (number == 3)
            endInner();
        else if (number == 6)
            post(&receiver);
    });
    connect(QAbstractEventDispatcher::instance(), &QAbstractEventDispatcher::aboutToBlock, &receiver, [&] {
        QEventLoop inner;
        endInner = [&] { inner.quit(); };
        inner.exec();
    }, Qt::ConnectionType(Qt::DirectConnection | Qt::SingleShotConnection));
    while (steps.count() < 6) // the UNIX dispatcher's turn ends with the inner loop
        wait();
    handleAllEvents();
    QCOMPARE(receiver.received(), 1);
    QCOMPARE(steps.count(), 6);
}

void tst_QPoolIdleLoops::threadsGiveBackToo()
{
    QSemaphore steppedTwice;
    QSemaphore posted;
    QSemaphore handled;
    int stepsBefore = 0;
    ScriptedSteps steps(ScriptedSteps::OtherThreads, { 0 }, [&](int number) {
        if (number == 2) {
            steppedTwice.release();
            posted.acquire();
        }
    });
    QThread thread;
    QObject receiver;
    receiver.moveToThread(&thread);
    thread.start();
    steppedTwice.acquire();
    QMetaObject::invokeMethod(&receiver, [&] {
        stepsBefore = steps.count();
        handled.release();
    }, Qt::QueuedConnection);
    posted.release();
    handled.acquire();
    thread.quit();
    thread.wait();
    QCOMPARE(stepsBefore, 2);
}

QTEST_GUILESS_MAIN(tst_QPoolIdleLoops)
#include "tst_qpoolidleloops.moc"
