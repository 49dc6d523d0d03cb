// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../shared/pool.h"
#include "../shared/threads.h"

#include <QtCore/QDeadlineTimer>
#include <QtCore/QEventLoop>
#include <QtCore/QThreadPool>
#include <QtCore/QTimer>

#include <atomic>
#include <memory>
#include <vector>

// What a thread does with its memory before its event loop, or the worker of a thread pool, goes to
// sleep. Run once with each event dispatcher.
class tst_QPoolIdle : public QObject
{
    Q_OBJECT

private slots:
    void runsOnTheExpectedDispatcher();
    void nothingStaysBehind_data();
    void nothingStaysBehind();
    void backlogIsTakenIn();
    void givesBackABurstInOneThread();
    void givesBackABurstAcrossThreads();
    void repeatedBurstsKeepTheBound();
    void waitingWorkerHoldsNothing();
    void givesBackABurstOfAWaitingWorker();
    void workerStartsWorkThatArrivesWhileItGivesBack();
};

namespace {

using Event = SizedEvent<40>;
constexpr int Burst = 1'000'000;

// What may stay committed in addition to the memory before a burst: a megabyte, the step in which
// memory is taken, some pages that are kept, and the tables and magazines of a larger pool.
constexpr qint64 Bound = 2 * 1024 * 1024;

void post(Receiver *receiver, int count)
{
    for (int i = 0; i < count; ++i)
        QCoreApplication::postEvent(receiver, new Event);
}

ClassStatistics statistics()
{
    return snapshot().statistics("event", sizeof(Event));
}

// What is committed, once it is at most \a expected, or after half a minute. This thread sleeps meanwhile: while it
// only looked, as QTRY_COMPARE() does, it would keep what it has.
qint64 committedAsleep(qint64 expected)
{
    const QDeadlineTimer deadline(30'000);
    qint64 committed = snapshot().bytes("committed");
    while (committed > expected && !deadline.hasExpired()) {
        QEventLoop loop;
        QTimer::singleShot(50, &loop, &QEventLoop::quit);
        loop.exec();
        committed = snapshot().bytes("committed");
    }
    return committed;
}

// Has had its part in everything before anything is measured.
void warmUp(EventThread &thread)
{
    Receiver receiver;
    post(&receiver, 1000);
    post(thread.receiver(), 1000);
    runUntilIdle([&] { return receiver.received() == 1000; });
    thread.waitForIdle();
    qt_pool_allocator_trim();
}

} // namespace

void tst_QPoolIdle::runsOnTheExpectedDispatcher()
{
    const QByteArray expected = qgetenv("QPOOL_EXPECTED_DISPATCHER");
    if (expected.isEmpty())
        QSKIP("Only the build says which dispatcher it is to be.");
    const QByteArray name = QAbstractEventDispatcher::instance()->metaObject()->className();
    QVERIFY2(name.contains(expected), name.constData());
    EventThread thread;
    QByteArray other;
    auto look = [&] { other = QAbstractEventDispatcher::instance()->metaObject()->className(); };
    QMetaObject::invokeMethod(thread.receiver(), look, Qt::BlockingQueuedConnection);
    QVERIFY2(other.contains(expected), other.constData());
}

void tst_QPoolIdle::nothingStaysBehind_data()
{
    QTest::addColumn<int>("count");
    for (int count : { 1, 3, 63, 64, 65, 1001 }) // around the batches of a remote cache
        QTest::addRow("%d", count) << count;
}

void tst_QPoolIdle::nothingStaysBehind()
{
    QFETCH(int, count);
    EventThread thread;
    const ClassStatistics before = statistics();
    post(thread.receiver(), count);
    thread.waitForIdle();
    QCOMPARE(thread.receiver()->received(), count);
    QCOMPARE(statistics() - before, (ClassStatistics { count, count, count, 0 }));

    // And the other way round, to this thread.
    Receiver receiver;
    QMetaObject::invokeMethod(thread.receiver(), [&] { post(&receiver, count); },
                              Qt::QueuedConnection);
    runUntilIdle([&] { return receiver.received() == count; });
    QCOMPARE(statistics() - before, (ClassStatistics { 2 * count, 2 * count, 2 * count, 0 }));
}

void tst_QPoolIdle::backlogIsTakenIn()
{
    EventThread thread;
    post(thread.receiver(), 1000);
    thread.waitForIdle();
    runUntilIdle([] { return true; });
    QCOMPARE(snapshot().arenaOf(threadId()).backlog, 0);
}

void tst_QPoolIdle::givesBackABurstInOneThread()
{
    EventThread thread;
    warmUp(thread);
    Receiver receiver;
    const PoolSnapshot before = snapshot();
    post(&receiver, Burst);
    const PoolSnapshot between = snapshot();
    QCOMPARE_GE(between.bytes("committed"), qint64(Burst) * qint64(sizeof(Event)));
    runUntilIdle([&] { return receiver.received() == Burst; });
    QCOMPARE(snapshot().statistics("event", sizeof(Event)).live, 0);
    QCOMPARE_LE(committedAsleep(before.bytes("committed") + Bound), before.bytes("committed") + Bound);
}

void tst_QPoolIdle::givesBackABurstAcrossThreads()
{
    EventThread thread;
    warmUp(thread);
    const PoolSnapshot before = snapshot();
    QSemaphore go;
    QMetaObject::invokeMethod(thread.receiver(), [&] { go.acquire(); }, Qt::QueuedConnection);
    post(thread.receiver(), Burst);
    const PoolSnapshot between = snapshot();
    go.release();
    thread.waitForIdle();
    runUntilIdle([] { return true; });
    QCOMPARE(snapshot().statistics("event", sizeof(Event)).live, 0);
    QCOMPARE_GE(between.bytes("committed"), qint64(Burst) * qint64(sizeof(Event)));
    QCOMPARE_LE(committedAsleep(before.bytes("committed") + Bound), before.bytes("committed") + Bound);
}

void tst_QPoolIdle::repeatedBurstsKeepTheBound()
{
    // The bound is no matter of how often.
    EventThread thread;
    warmUp(thread);
    const PoolSnapshot before = snapshot();
    for (int i = 0; i < 20; ++i) {
        post(thread.receiver(), Burst / 20);
        thread.waitForIdle();
        runUntilIdle([] { return true; });
    }
    QCOMPARE_LE(committedAsleep(before.bytes("committed") + Bound), before.bytes("committed") + Bound);
}

// The worker ends only with the pool.
void tst_QPoolIdle::waitingWorkerHoldsNothing()
{
    QThreadPool pool;
    pool.setExpiryTimeout(-1);
    const ClassStatistics before = statistics();
    std::vector<std::unique_ptr<Event>> events(3); // fewer than a batch of a remote cache
    for (auto &event : events)
        event = std::make_unique<Event>();
    pool.start([&] { events.clear(); });
    QTRY_COMPARE(pool.activeThreadCount(), 0);
    QTRY_COMPARE(statistics() - before, (ClassStatistics { 3, 3, 3, 0 }));
}

// The thread that frees the burst gives back its pages. It keeps more of them than their owner would.
void tst_QPoolIdle::givesBackABurstOfAWaitingWorker()
{
    constexpr qint64 kept = qint64(Burst) * qint64(sizeof(Event)) / 8;
    QThreadPool pool;
    pool.setMaxThreadCount(1);
    pool.setExpiryTimeout(-1);
    Receiver receiver;
    qint64 worker = 0;
    pool.start([&] {
        worker = threadId();
        post(&receiver, 1000);
    });
    runUntilIdle([&] { return receiver.received() == 1000; });
    qt_pool_allocator_trim();
    const PoolSnapshot before = snapshot();

    pool.start([&] { post(&receiver, Burst); });
    QTRY_COMPARE_WITH_TIMEOUT(pool.activeThreadCount(), 0, 60'000);
    runUntilIdle([&] { return receiver.received() == 1000 + Burst; });
    QCOMPARE_LE(committedAsleep(before.bytes("committed") + kept), before.bytes("committed") + kept);
    const ArenaStatistics arena = snapshot().arenaOf(worker);
    QVERIFY(!arena.orphaned);
    QCOMPARE(arena.live, before.arenaOf(worker).live);
}

void tst_QPoolIdle::workerStartsWorkThatArrivesWhileItGivesBack()
{
    QThreadPool pool;
    pool.setMaxThreadCount(1);
    pool.setExpiryTimeout(-1);
    std::atomic<int> done { 0 };
    for (int i = 1; i <= 500; ++i) {
        pool.start([&] {
            std::vector<std::unique_ptr<Event>> events(10'000);
            for (auto &event : events)
                event = std::make_unique<Event>();
            events.clear(); // enough for idle() to give pages back
            ++done;
        });
        // A thread that slept here would wake too late to meet the worker in idle().
        const QDeadlineTimer deadline(60'000);
        while (done != i || pool.activeThreadCount() != 0) {
            QVERIFY2(!deadline.hasExpired(), qPrintable(QString::number(i)));
            QThread::yieldCurrentThread();
        }
    }
}

QTEST_GUILESS_MAIN(tst_QPoolIdle)
#include "tst_qpoolidle.moc"
