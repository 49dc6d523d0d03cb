// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "scriptedsteps.h"

#include <QtCore/QDeadlineTimer>
#include <QtCore/QSemaphore>
#include <QtCore/QThreadPool>
#include <QtTest/QTest>

#include <memory>

// How a worker of QThreadPool waits while there is memory to give back.
class tst_QPoolIdleWorkers : public QObject
{
    Q_OBJECT

private slots:
    void workThatArrivesDuringAStepIsStartedNext_data();
    void workThatArrivesDuringAStepIsStartedNext();
    void workEndsAPartOfTheWait_data();
    void workEndsAPartOfTheWait();
    void stepsDoNotHoldThePoolsLock();
    void expires_data();
    void expires();
    void doesNotExpireIfItMayNot();
    void poolCanBeDestroyedDuringSteps_data();
    void poolCanBeDestroyedDuringSteps();
};

namespace {

constexpr int LongTime = 1'000'000; // in milliseconds

// Of one worker, which waits for as long as it likes.
class Pool : public QThreadPool
{
public:
    explicit Pool(int expiryTimeout = -1)
    {
        setMaxThreadCount(1);
        setExpiryTimeout(expiryTimeout);
    }
};

} // namespace

void tst_QPoolIdleWorkers::workThatArrivesDuringAStepIsStartedNext_data()
{
    QTest::addColumn<QList<int>>("results");
    QTest::newRow("more to give back") << QList<int> { 0 };
    QTest::newRow("more later") << QList<int> { 0, 0, LongTime };
    QTest::newRow("nothing left") << QList<int> { 0, 0, -1 };
}

void tst_QPoolIdleWorkers::workThatArrivesDuringAStepIsStartedNext()
{
    QFETCH(QList<int>, results);
    QSemaphore stepping;
    QSemaphore started;
    QSemaphore done;
    ScriptedSteps steps(ScriptedSteps::OtherThreads, results, [&](int number) {
        if (number == 3) {
            stepping.release();
            started.acquire();
        }
    });
    Pool pool;
    pool.start([] { });
    stepping.acquire();
    int stepsBefore = 0;
    pool.start([&] {
        stepsBefore = steps.count();
        done.release();
    });
    started.release();
    done.acquire();
    QCOMPARE(stepsBefore, 3);
}

void tst_QPoolIdleWorkers::workEndsAPartOfTheWait_data()
{
    QTest::addColumn<QList<int>>("results");
    QTest::newRow("short parts") << QList<int> { 0, 1, 1, 0, 1 };
    QTest::newRow("long parts") << QList<int> { 0, 1, 1, 0, LongTime };
    QTest::newRow("nothing left") << QList<int> { 0, 1, 1, 0, -1 };
}

// It may arrive while the worker is about to wait, while it waits, and when a part of the wait has ended.
void tst_QPoolIdleWorkers::workEndsAPartOfTheWait()
{
    QFETCH(QList<int>, results);
    QSemaphore stepped;
    ScriptedSteps steps(ScriptedSteps::OtherThreads, results, [&](int number) {
        if (number % 5 == 0)
            stepped.release();
    });
    Pool pool;
    QSemaphore done;
    for (int i = 0; i < 100; ++i) {
        pool.start([&] { done.release(); });
        done.acquire();
        if (i == 0)
            stepped.acquire();
    }
    QCOMPARE_GE(steps.count(), 5);
}

void tst_QPoolIdleWorkers::stepsDoNotHoldThePoolsLock()
{
    QSemaphore stepping;
    QSemaphore looked;
    ScriptedSteps steps(ScriptedSteps::OtherThreads, { 0, -1 }, [&](int number) {
        if (number == 2) {
            stepping.release();
            looked.acquire();
        }
    });
    Pool pool;
    pool.start([] { });
    stepping.acquire();
    const int active = pool.activeThreadCount();
    looked.release();
    QCOMPARE(active, 0);
}

void tst_QPoolIdleWorkers::expires_data()
{
    QTest::addColumn<int>("timeout");
    QTest::addColumn<int>("result");
    for (int timeout : { 0, 20 }) {
        for (int result : { 0, 1, 7, LongTime, -1 })
            QTest::addRow("%d ms, %d", timeout, result) << timeout << result;
    }
}

// Never too early, and steps without an end do not prevent it.
void tst_QPoolIdleWorkers::expires()
{
    QFETCH(int, timeout);
    QFETCH(int, result);
    struct AtEnd
    {
        ~AtEnd() { ended->release(); }
        QSemaphore *ended;
    };
    ScriptedSteps steps(ScriptedSteps::OtherThreads, { result });
    Pool pool(timeout);
    QSemaphore ended;
    QDeadlineTimer earliest;
    pool.start([&] {
        static thread_local std::unique_ptr<AtEnd> atEnd;
        atEnd.reset(new AtEnd { &ended });
        earliest.setRemainingTime(timeout);
    });
    ended.acquire();
    QVERIFY(earliest.hasExpired());
    QCOMPARE_GE(steps.count(), 1);
}

void tst_QPoolIdleWorkers::doesNotExpireIfItMayNot()
{
    QSemaphore stepped;
    ScriptedSteps steps(ScriptedSteps::OtherThreads, { 0, 1, 2 }, [&](int number) {
        if (number == 20)
            stepped.release();
    });
    Pool pool;
    static thread_local bool isOld = false;
    pool.start([] { isOld = true; });
    stepped.acquire();
    bool wasOld = false;
    pool.start([&] { wasOld = isOld; });
    pool.waitForDone();
    QVERIFY(wasOld);
}

void tst_QPoolIdleWorkers::poolCanBeDestroyedDuringSteps_data()
{
    QTest::addColumn<int>("result");
    for (int result : { 0, 1, LongTime, -1 })
        QTest::addRow("%d", result) << result;
}

void tst_QPoolIdleWorkers::poolCanBeDestroyedDuringSteps()
{
    QFETCH(int, result);
    for (int i = 0; i < 20; ++i) {
        QSemaphore stepping;
        ScriptedSteps steps(ScriptedSteps::OtherThreads, { result }, [&](int number) {
            if (number == 1)
                stepping.release();
        });
        Pool pool;
        pool.start([] { });
        stepping.acquire();
    }
}

QTEST_GUILESS_MAIN(tst_QPoolIdleWorkers)
#include "tst_qpoolidleworkers.moc"
