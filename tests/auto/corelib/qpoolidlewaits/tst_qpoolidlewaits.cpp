// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "loggedpolls.h"
#include "waits.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QTimer>

#include <dlfcn.h>

// How an event loop polls while there is memory to give back. Run once with each event dispatcher.
class tst_QPoolIdleWaits : public QObject
{
    Q_OBJECT

private slots:
    void runsOnTheExpectedDispatcher();
    void init() { handleAllEvents(); }
    void looksForEventsBetweenSteps();
    void wakesUpForALimitedTime();
    void pollsAsStockIfNothingIsLeft_data();
    void pollsAsStockIfNothingIsLeft();
    void timersFireDuringSteps_data();
    void timersFireDuringSteps();
    void wakeUpEndsTheSteps();
    void interruptedPollsEndNoWait();
    void foreignPollFunctionIsKept();
};

void tst_QPoolIdleWaits::runsOnTheExpectedDispatcher()
{
    const QByteArray expected = qgetenv("QPOOL_EXPECTED_DISPATCHER");
    if (expected.isEmpty())
        QSKIP("Only the build says which dispatcher it is to be.");
    const QByteArray name = QAbstractEventDispatcher::instance()->metaObject()->className();
    QVERIFY2(name.contains(expected), name.constData());
}

void tst_QPoolIdleWaits::looksForEventsBetweenSteps()
{
    Receiver receiver;
    QByteArrayList log;
    ScriptedSteps steps(ScriptedSteps::MainThread, { 0, 0, 0, LongTime, LongTime, -1 },
                        [&](int number) {
                            if (number == 6)
                                post(&receiver);
                        });
    steps.log = [&](const char *name) { log += name; };
    int blocks = 0;
    int awakes = 0;
    connect(QAbstractEventDispatcher::instance(), &QAbstractEventDispatcher::aboutToBlock, &receiver,
            [&] { ++blocks; });
    connect(QAbstractEventDispatcher::instance(), &QAbstractEventDispatcher::awake, &receiver,
            [&] { ++awakes; });
    QVERIFY(wait());
    steps.log = {};
    QCOMPARE(log.join(' '), "step look step look step look step wait step wait step sleep");
    QCOMPARE(blocks, 1);
    QCOMPARE(awakes, 1);
    handleAllEvents(); // the UNIX dispatcher delivers it in the next turn
    QCOMPARE(receiver.received(), 1);
    QCOMPARE(steps.count(), 6);
}

// Other threads may go on for ever, and always leave something for later.
void tst_QPoolIdleWaits::wakesUpForALimitedTime()
{
    ScriptedSteps steps(ScriptedSteps::MainThread, { 1 });
    const auto sleep = [](QDeadlineTimer until) { return until.isForever() ? 1 : 0; };
    QCOMPARE(QPoolIdle::waitUntil(QDeadlineTimer(QDeadlineTimer::Forever), sleep), 1);
    QVERIFY(steps.count() > 1);
}

void tst_QPoolIdleWaits::pollsAsStockIfNothingIsLeft_data()
{
    QTest::addColumn<bool>("timer");
    QTest::addColumn<QList<int>>("results");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("for ever") << false << QList<int> { -1 } << QByteArray("step sleep");
    QTest::newRow("timer") << true << QList<int> { -1 } << QByteArray("step wait");
    QTest::newRow("timer, more later") << true << QList<int> { 2 * LongTime } << QByteArray("step wait");
}

void tst_QPoolIdleWaits::pollsAsStockIfNothingIsLeft()
{
    QFETCH(bool, timer);
    QFETCH(QList<int>, results);
    QFETCH(QByteArray, expected);
    Receiver receiver;
    QTimer longTimer;
    if (timer)
        longTimer.start(LongTime);
    QByteArrayList log;
    ScriptedSteps steps(ScriptedSteps::MainThread, results, [&](int) { post(&receiver); });
    steps.log = [&](const char *name) { log += name; };
    QVERIFY(wait());
    steps.log = {};
    QCOMPARE(log.join(' '), expected);
}

void tst_QPoolIdleWaits::timersFireDuringSteps_data()
{
    QTest::addColumn<int>("result");
    QTest::newRow("more to give back") << 0;
    QTest::newRow("more after a part of the wait") << 3;
    QTest::newRow("more after the wait") << LongTime;
    QTest::newRow("nothing left") << -1;
}

// Steps never end the wait before its time, and they do end.
void tst_QPoolIdleWaits::timersFireDuringSteps()
{
    QFETCH(int, result);
    ScriptedSteps steps(ScriptedSteps::MainThread, { result });
    bool fired = false;
    qint64 elapsed = 0;
    QElapsedTimer clock;
    clock.start();
    QTimer timer;
    connect(&timer, &QTimer::timeout, this, [&] {
        elapsed = clock.elapsed();
        fired = true;
    });
    timer.setSingleShot(true);
    timer.setTimerType(Qt::PreciseTimer);
    timer.start(20);
    QVERIFY(wait());
    QVERIFY(fired);
    QCOMPARE_GE(elapsed, 19); // Qt rounds
    QCOMPARE_GE(steps.count(), 1);
}

void tst_QPoolIdleWaits::wakeUpEndsTheSteps()
{
    for (void (QAbstractEventDispatcher::*call)() :
         { &QAbstractEventDispatcher::wakeUp, &QAbstractEventDispatcher::interrupt }) {
        ScriptedSteps steps(ScriptedSteps::MainThread, { 0 }, [&](int number) {
            if (number == 2)
                (QAbstractEventDispatcher::instance()->*call)();
        });
        QVERIFY(wait());
        QCOMPARE(steps.count(), 2);
    }
}

void tst_QPoolIdleWaits::interruptedPollsEndNoWait()
{
    Receiver receiver;
    ScriptedSteps steps(ScriptedSteps::MainThread, { 0, LongTime, -1 }, [&](int number) {
        if (number == 3)
            s_interruptions = 1;
        if (number == 3 || number == 4) // GLib then calls the poll function once more
            post(&receiver);
    });
    s_interruptions = 2;
    steps.log = [](const char *) { };
    QVERIFY(wait());
    steps.log = {};
    QCOMPARE_GE(steps.count(), 3);
    QCOMPARE(s_interruptions, 0);
}

// GLib's functions, without its headers: they may be missing where Qt's are installed.
void tst_QPoolIdleWaits::foreignPollFunctionIsKept()
{
    if (qgetenv("QPOOL_EXPECTED_DISPATCHER") != "Glib")
        QSKIP("The dispatcher is not GLib's.");
    using Poll = int (*)(void *, unsigned, int);
    const auto setPoll = reinterpret_cast<void (*)(void *, Poll)>(
            dlsym(RTLD_DEFAULT, "g_main_context_set_poll_func"));
    const auto currentPoll = reinterpret_cast<Poll (*)(void *)>(
            dlsym(RTLD_DEFAULT, "g_main_context_get_poll_func"));
    QVERIFY(setPoll && currentPoll);
    static Poll glibPoll = reinterpret_cast<Poll>(dlsym(RTLD_DEFAULT, "g_poll"));
    static int polls;
    polls = 0;
    const Poll own = [](void *descriptors, unsigned count, int timeout) {
        ++polls;
        return glibPoll(descriptors, count, timeout);
    };
    const Poll former = currentPoll(nullptr);
    QVERIFY(former != glibPoll);
    setPoll(nullptr, own);
    Receiver receiver;
    ScriptedSteps steps(ScriptedSteps::MainThread, { 0 });
    QTimer::singleShot(1, &receiver, [&] { post(&receiver); });
    while (receiver.received() == 0)
        wait();
    const bool kept = currentPoll(nullptr) == own;
    setPoll(nullptr, former);
    QVERIFY(kept);
    QCOMPARE_GE(polls, 1);
    QCOMPARE_GE(steps.count(), 1);
    QCOMPARE_LE(steps.count(), polls);
}

QTEST_GUILESS_MAIN(tst_QPoolIdleWaits)
#include "tst_qpoolidlewaits.moc"
