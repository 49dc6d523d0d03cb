// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "workloadset.h"

#include <QtCore/qtimer.h>
#include <QtTest/qsignalspy.h>
#include <QtTest/qtest.h>

#include <chrono>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class tst_HistogramWorkloads : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void startsAndStopsAgain_data() { workloads(); }
    void startsAndStopsAgain();
    void doesNothingWhileHeld_data() { workloads(); }
    void doesNothingWhileHeld();
    void startsAgainAfterAHold_data() { workloads(); }
    void startsAgainAfterAHold();
    void stopsRightAfterTheStart_data() { workloads(); }
    void stopsRightAfterTheStart();
    void canBeDestroyedWhileRunning();
    void rateStaysWithinItsBounds_data() { workloads(); }
    void rateStaysWithinItsBounds();
    void setStartsAndStopsAll();

private:
    void workloads();
    Workload *workload(const WorkloadSet &set) const;
};

void tst_HistogramWorkloads::workloads()
{
    QTest::addColumn<int>("index");
    QTest::addColumn<int>("enough"); // operations, enough for a few rounds
    QTest::newRow("queued") << 0 << 2000;
    QTest::newRow("churn") << 1 << 2000;
    QTest::newRow("threads") << 2 << 50;
    QTest::newRow("timers") << 3 << 300;
    QTest::newRow("scene") << 4 << 100;
}

Workload *tst_HistogramWorkloads::workload(const WorkloadSet &set) const
{
    QFETCH(int, index);
    return set.list().at(index);
}

void tst_HistogramWorkloads::startsAndStopsAgain()
{
    QFETCH(int, enough);
    WorkloadSet set;
    Workload *w = workload(set);
    QSignalSpy running(w, &Workload::runningChanged);
    for (int round = 1; round <= 2; ++round) {
        const qint64 before = w->operations();
        w->setRunning(true);
        QVERIFY(w->isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(w->operations() - before >= enough, 30000);
        w->setRunning(false);
        QVERIFY(!w->isRunning());
        QCOMPARE(running.size(), 2 * round);
    }
    w->stop(); // no effect
    QCOMPARE(running.size(), 4);
}

void tst_HistogramWorkloads::doesNothingWhileHeld()
{
    WorkloadSet set;
    Workload *w = workload(set);
    w->start();
    QTRY_VERIFY(w->operations() > 0);
    w->hold();
    QVERIFY(w->isRunning()); // as shown in the window
    const qint64 operations = w->operations();
    // Pending operations become due in the meantime, and must not run afterwards.
    bool allIsDue = false;
    QTimer::singleShot(200ms, this, [&] { allIsDue = true; });
    QTRY_VERIFY(allIsDue);
    QCOMPARE(w->operations(), operations);
    w->hold();
    w->stop();
    QCOMPARE(w->operations(), operations);
}

void tst_HistogramWorkloads::startsAgainAfterAHold()
{
    WorkloadSet set;
    Workload *w = workload(set);
    w->start();
    w->hold();
    const qint64 operations = w->operations();
    w->start();
    QTRY_VERIFY(w->operations() > operations);
    w->stop();
}

void tst_HistogramWorkloads::stopsRightAfterTheStart()
{
    WorkloadSet set;
    Workload *w = workload(set);
    for (int i = 0; i < 20; ++i) {
        w->start();
        if (i % 2)
            QCoreApplication::processEvents();
        w->stop();
    }
    QVERIFY(!w->isRunning());
}

void tst_HistogramWorkloads::canBeDestroyedWhileRunning()
{
    WorkloadSet set;
    set.start(WorkloadSet::names());
    QTRY_VERIFY(set.list().at(2)->operations() > 0);
}

void tst_HistogramWorkloads::setStartsAndStopsAll()
{
    QCOMPARE(WorkloadSet::names(),
             QStringList({ u"queued"_s, u"churn"_s, u"threads"_s, u"timers"_s, u"scene"_s }));
    WorkloadSet set;
    set.start({ u"churn"_s });
    QVERIFY(!set.list().at(0)->isRunning());
    QVERIFY(set.list().at(1)->isRunning());
    set.start(WorkloadSet::names());
    for (Workload *w : set.list())
        QTRY_VERIFY(w->operations() > 0);
    set.hold();
    set.stop();
    for (Workload *w : set.list())
        QVERIFY(!w->isRunning());
}

void tst_HistogramWorkloads::rateStaysWithinItsBounds()
{
    WorkloadSet set;
    Workload *w = workload(set);
    QVERIFY(w->lowestRate() < w->rate() && w->rate() < w->highestRate());
    QSignalSpy changed(w, &Workload::rateChanged);
    w->setRate(0);
    QCOMPARE(w->rate(), w->lowestRate());
    w->setRate(w->highestRate() + 1);
    QCOMPARE(w->rate(), w->highestRate());
    w->setRate(w->highestRate());
    QCOMPARE(changed.size(), 2);
    // It starts and stops at the highest and at the lowest rate.
    w->start();
    QTRY_VERIFY(w->operations() > 0);
    w->setRate(w->lowestRate());
    w->stop();
    w->refresh();
    QVERIFY(!w->trail().isEmpty());
    QVERIFY(!w->unit().isEmpty());
}

QTEST_MAIN(tst_HistogramWorkloads)

#include "tst_histogramworkloads.moc"
