// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../shared/pool.h"
#include "../shared/threads.h"

#include <QtCore/QRunnable>
#include <QtCore/QThreadPool>
#include <QtCore/QVariantAnimation>

#include <memory>
#include <thread>
#include <vector>

// Memory that one thread takes and another frees, and the arenas of threads that end.
class tst_QPoolThreads : public QObject
{
    Q_OBJECT

signals:
    void sent(const QString &text, int number);

private slots:
    void eventsOfQueuedCallsComeHome();
    void freesQueuedSignalsRemotely();
    void freesBlockingCallsRemotely();
    void mainThreadFreesPostedEvents();
    void freesObjectsMovedToAThread();
    void deleteLaterWorksAcrossThreads();
    void eventsOutliveTheirThread_data();
    void eventsOutliveTheirThread();
    void nextThreadAdopts();
    void shortThreadsShareOneArena();
    void threadPoolsLoseNothing();
    void animationTimersLoseNothing();

private:
    void compareRemote(const PoolSnapshot &before, const char *domain, int count);
};

constexpr int Count = 1000;

// All of \a count were allocated here and freed over there.
void tst_QPoolThreads::compareRemote(const PoolSnapshot &before, const char *domain, int count)
{
    QCOMPARE(snapshot().total(domain) - before.total(domain),
             (ClassStatistics { count, count, count, 0 }));
}

void tst_QPoolThreads::eventsOfQueuedCallsComeHome()
{
    EventThread thread;
    thread.waitForIdle();
    const PoolSnapshot before = snapshot();
    std::atomic<int> calls { 0 };
    for (int i = 0; i < Count; ++i)
        QMetaObject::invokeMethod(thread.receiver(), [&] { ++calls; }, Qt::QueuedConnection);
    thread.waitForIdle();
    QCOMPARE(calls.load(), Count);
    compareRemote(before, "event", Count + 1);

    // They were sent back: into this thread's backlog, which it then takes in.
    QCOMPARE_GE(snapshot().arenaOf(threadId()).backlog, 1);
    qt_pool_allocator_idle();
    QCOMPARE(snapshot().arenaOf(threadId()).backlog, 0);
    compareRemote(before, "event", Count + 1);
}

void tst_QPoolThreads::freesQueuedSignalsRemotely()
{
    EventThread thread;
    std::atomic<int> sum { 0 };
    connect(this, &tst_QPoolThreads::sent, thread.receiver(),
            [&](const QString &text, int number) { sum += number + int(text.size()); });
    thread.waitForIdle();
    const PoolSnapshot before = snapshot();
    for (int i = 0; i < Count; ++i)
        emit sent("abc", 1);
    thread.waitForIdle();
    QCOMPARE(sum.load(), 4 * Count);
    compareRemote(before, "event", Count + 1);
}

void tst_QPoolThreads::freesBlockingCallsRemotely()
{
    EventThread thread;
    thread.waitForIdle();
    const PoolSnapshot before = snapshot();
    int sum = 0; // no two threads run at once
    for (int i = 0; i < 100; ++i) {
        QMetaObject::invokeMethod(thread.receiver(), [&] { ++sum; },
                                  Qt::BlockingQueuedConnection);
    }
    QCOMPARE(sum, 100);
    thread.waitForIdle();
    compareRemote(before, "event", 100 + 1);
}

void tst_QPoolThreads::mainThreadFreesPostedEvents()
{
    using Event = SizedEvent<104>;
    Receiver receiver;
    EventThread thread;
    const ClassStatistics before = snapshot().statistics("event", sizeof(Event));
    auto post = [&] {
        for (int i = 0; i < Count; ++i)
            QCoreApplication::postEvent(&receiver, new Event);
    };
    QMetaObject::invokeMethod(thread.receiver(), post, Qt::QueuedConnection);
    runUntilIdle([&] { return receiver.received() == Count; });
    QCOMPARE(snapshot().statistics("event", sizeof(Event)) - before,
             (ClassStatistics { Count, Count, Count, 0 }));
}

void tst_QPoolThreads::freesObjectsMovedToAThread()
{
    EventThread thread;
    thread.waitForIdle();
    const PoolSnapshot before = snapshot();
    std::vector<QObject *> objects;
    for (int i = 0; i < Count; ++i) {
        objects.push_back(new QObject);
        objects.back()->moveToThread(&thread);
    }
    QMetaObject::invokeMethod(thread.receiver(), [&] { qDeleteAll(objects); },
                              Qt::QueuedConnection);
    thread.waitForIdle();
    compareRemote(before, "object", Count);
    // This includes the connection by which the thread reports that it is idle. It always ends a
    // moment after the report: the first may be missing here, and the second may still exist.
    const auto privates = [&] { return snapshot().total("private") - before.total("private"); };
    QTRY_COMPARE_LE(privates().live, 0);
    QCOMPARE_GE(privates().remote, Count);
}

void tst_QPoolThreads::deleteLaterWorksAcrossThreads()
{
    EventThread thread;
    thread.waitForIdle();
    const PoolSnapshot before = snapshot();
    for (int i = 0; i < Count; ++i) {
        auto *object = new QObject;
        object->moveToThread(&thread);
        object->deleteLater();
    }
    thread.waitForIdle();
    compareRemote(before, "object", Count);
    compareRemote(before, "event", Count + 1); // QDeferredDeleteEvent, or what stands for it
}

void tst_QPoolThreads::eventsOutliveTheirThread_data()
{
    QTest::addColumn<bool>("adopted");
    QTest::newRow("QThread") << false;
    QTest::newRow("std::thread") << true;
}

// The events of a thread outlive it, in an orphaned arena.
void tst_QPoolThreads::eventsOutliveTheirThread()
{
    QFETCH(bool, adopted);
    using Event = SizedEvent<112>;
    Receiver receiver;
    const ClassStatistics before = snapshot().statistics("event", sizeof(Event));
    qint64 id = 0;
    auto run = [&] {
        id = threadId();
        for (int i = 0; i < Count; ++i)
            QCoreApplication::postEvent(&receiver, new Event);
    };
    if (adopted) {
        std::thread(run).join();
    } else {
        std::unique_ptr<QThread> thread(QThread::create(run));
        thread->start();
        thread->wait();
        // wait() returns a moment before the thread is gone.
        QTRY_VERIFY(snapshot().arenaOf(id).orphaned);
    }
    const ArenaStatistics orphan = snapshot().arenaOf(id);
    QVERIFY(orphan.orphaned);
    QCOMPARE_GE(orphan.live, Count - receiver.received());

    runUntilIdle([&] { return receiver.received() == Count; });
    QCOMPARE(snapshot().statistics("event", sizeof(Event)) - before,
             (ClassStatistics { Count, Count, Count, 0 }));
}

void tst_QPoolThreads::nextThreadAdopts()
{
    using Event = SizedEvent<120>;
    const ClassStatistics before = snapshot().statistics("event", sizeof(Event));
    std::vector<QEvent *> events;
    std::thread([&] {
        for (int i = 0; i < Count; ++i)
            events.push_back(new Event);
    }).join();

    const PoolSnapshot between = snapshot();
    ArenaStatistics mine;
    QEvent *last = nullptr;
    qint64 adoptions = 0;
    std::thread([&] {
        last = new Event;
        mine = snapshot().arenaOf(threadId());
        adoptions = snapshot().adoptions();
        qDeleteAll(events); // were another thread's, and are this one's now, or an orphan's
    }).join();
    QVERIFY(!mine.orphaned);
    QCOMPARE(adoptions, between.adoptions() + 1);
    bool wasOrphan = false;
    for (const ArenaStatistics &arena : between.arenas())
        wasOrphan = wasOrphan || (arena.id == mine.id && arena.orphaned
                                  && arena.adoptions + 1 == mine.adoptions);
    QVERIFY(wasOrphan);
    QCOMPARE(snapshot().arenas().size(), between.arenas().size());

    delete last;
    qt_pool_allocator_idle();
    const ClassStatistics after = snapshot().statistics("event", sizeof(Event)) - before;
    QCOMPARE(after.allocated, Count + 1);
    QCOMPARE(after.live, 0);
}

void tst_QPoolThreads::shortThreadsShareOneArena()
{
    using Event = SizedEvent<128>;
    // One orphan exists before, so that all further threads find one.
    std::thread([] { delete new Event; }).join();
    const PoolSnapshot before = snapshot();
    Receiver receiver;
    for (int i = 0; i < 100; ++i) {
        std::thread([&] {
            for (int j = 0; j < 10; ++j)
                QCoreApplication::postEvent(&receiver, new Event);
        }).join();
    }
    QCOMPARE(snapshot().arenas().size(), before.arenas().size());
    QCOMPARE(snapshot().adoptions(), before.adoptions() + 100);
    runUntilIdle([&] { return receiver.received() == Count; });
    QCOMPARE(snapshot().statistics("event", sizeof(Event))
                     - before.statistics("event", sizeof(Event)),
             (ClassStatistics { Count, Count, Count, 0 }));
}

void tst_QPoolThreads::threadPoolsLoseNothing()
{
    using Event = SizedEvent<136 + 24>;
    using Object = SizedObject<136 + 24>;
    const PoolSnapshot before = snapshot();
    {
        QThreadPool pool;
        pool.setMaxThreadCount(4);
        for (int i = 0; i < 200; ++i) {
            pool.start([] {
                Receiver receiver;
                for (int j = 0; j < 10; ++j)
                    QCoreApplication::postEvent(&receiver, new Event);
                QCoreApplication::sendPostedEvents(&receiver);
                delete new Object;
            });
        }
        QVERIFY(pool.waitForDone());
    }
    QCOMPARE(snapshot().statistics("event", sizeof(Event))
                     - before.statistics("event", sizeof(Event)),
             (ClassStatistics { 2000, 2000, 0, 0 }));
    QCOMPARE(snapshot().statistics("object", sizeof(Object))
                     - before.statistics("object", sizeof(Object)),
             (ClassStatistics { 200, 200, 0, 0 }));
}

// Qt keeps it in a thread_local pointer, whose destructor may run after the thread has left the arena.
void tst_QPoolThreads::animationTimersLoseNothing()
{
    const PoolSnapshot before = snapshot();
    for (int i = 0; i < 20; ++i) {
        std::unique_ptr<QThread> thread(QThread::create([] {
            QVariantAnimation animation;
            animation.setDuration(1);
            animation.setEndValue(1);
            QEventLoop loop;
            QObject::connect(&animation, &QAbstractAnimation::finished, &loop, &QEventLoop::quit);
            animation.start();
            loop.exec();
        }));
        thread->start();
        thread->wait();
    }
    QTRY_COMPARE(snapshot().total("object").live, before.total("object").live);
    QTRY_COMPARE(snapshot().total("private").live, before.total("private").live);
    QTRY_COMPARE(snapshot().total("event").live, before.total("event").live);
}

QTEST_GUILESS_MAIN(tst_QPoolThreads)
#include "tst_qpoolthreads.moc"
