// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include <kernel/qpostedeventlock_p.h>

#include <QtTest/QTest>

// How long the poster and the deliverer try and wait for the lock of a list of events, counted with
// a mutex and a clock of the test.
class tst_PostedEventLock : public QObject
{
    Q_OBJECT

private slots:
    void delivererWaitsOnlyIfFewAreLeft_data();
    void delivererWaitsOnlyIfFewAreLeft();
    void posterSleepsAfterAllTries_data();
    void posterSleepsAfterAllTries();
};

namespace {

struct Clock : std::chrono::steady_clock
{
    static time_point now()
    {
        ++asked;
        return time_point(std::chrono::microseconds(asked));
    }

    static inline int asked = 0;
};

struct Mutex
{
    bool try_lock()
    {
        ++tries;
        return tries > refusals;
    }
    void lock() { ++sleeps; }
    void unlock() { }

    int refusals;
    int tries = 0;
    int sleeps = 0;
};

constexpr int Tries = 7; // with pauses in between
constexpr int Forever = 1000;

} // namespace

void tst_PostedEventLock::delivererWaitsOnlyIfFewAreLeft_data()
{
    QTest::addColumn<int>("refusals");
    QTest::addColumn<qsizetype>("behind");
    QTest::addColumn<int>("microseconds");
    QTest::addColumn<int>("tries");
    QTest::addColumn<int>("sleeps");
    QTest::newRow("free") << 0 << qsizetype(0) << 0 << 1 << 0;
    QTest::newRow("taken, nothing left") << 1 << qsizetype(0) << 10 << 2 << 0;
    QTest::newRow("taken, few left") << 1 << qsizetype(1023) << 10 << 2 << 0;
    QTest::newRow("taken, many left") << 1 << qsizetype(1024) << 0 << 2 << 0;
    QTest::newRow("again, few left") << Tries << qsizetype(1023) << 10 << 1 + Tries << 0;
    QTest::newRow("for long, few left") << Forever << qsizetype(1) << 10 << 1 + Tries << 1;
    QTest::newRow("for long, many left") << Forever << qsizetype(5000) << 0 << 1 + Tries << 1;
}

// At most once for each delivered event, whatever others do.
void tst_PostedEventLock::delivererWaitsOnlyIfFewAreLeft()
{
    QFETCH(int, refusals);
    QFETCH(qsizetype, behind);
    QFETCH(int, microseconds);
    QFETCH(int, tries);
    QFETCH(int, sleeps);
    Mutex mutex { refusals };
    std::unique_lock lock(mutex, std::defer_lock);
    Clock::asked = 0;
    QPostedEventLock::lockToDeliver<Clock>(lock, behind);
    QVERIFY(lock.owns_lock());
    QCOMPARE(Clock::asked, microseconds ? microseconds + 1 : 0);
    QCOMPARE(mutex.tries, tries);
    QCOMPARE(mutex.sleeps, sleeps);
}

void tst_PostedEventLock::posterSleepsAfterAllTries_data()
{
    QTest::addColumn<int>("refusals");
    QTest::addColumn<int>("tries");
    QTest::addColumn<int>("sleeps");
    QTest::newRow("free") << 0 << 1 << 0;
    QTest::newRow("taken") << 3 << 4 << 0;
    QTest::newRow("for long") << Forever << Tries << 1;
}

// Never waits for the clock.
void tst_PostedEventLock::posterSleepsAfterAllTries()
{
    QFETCH(int, refusals);
    QFETCH(int, tries);
    QFETCH(int, sleeps);
    Mutex mutex { refusals };
    std::unique_lock lock(mutex, std::defer_lock);
    QPostedEventLock::lock(lock);
    QVERIFY(lock.owns_lock());
    QCOMPARE(mutex.tries, tries);
    QCOMPARE(mutex.sleeps, sleeps);
}

QTEST_APPLESS_MAIN(tst_PostedEventLock)
#include "tst_postedeventlock.moc"
