// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "latencystatistics.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDir>
#include <QtCore/QEvent>
#include <QtTest/QTest>

// A process that does not ask for the recording records nothing, and has no thread for it.
class tst_EventLatencyOff : public QObject
{
    Q_OBJECT

private slots:
    void nothingIsRecorded();
};

void tst_EventLatencyOff::nothingIsRecorded()
{
    for (int i = 0; i < 10'000; ++i)
        QCoreApplication::postEvent(this, new QEvent(QEvent::User));
    QCoreApplication::sendPostedEvents(this);
    const LatencyStatistics statistics = LatencyStatistics::take();
    QCOMPARE(statistics.isOn(), false);
    QCOMPARE(statistics.object().keys(), QStringList({ "enabled", "pid", "qt", "version" }));

    const QStringList threads = QDir("/proc/self/task").entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const QString &thread : threads) {
        QFile name("/proc/self/task/" + thread + "/comm");
        QVERIFY(name.open(QIODevice::ReadOnly));
        QVERIFY(!name.readAll().startsWith("qpool-latency"));
    }
}

int main(int argc, char **argv)
{
    // Words that are like it, and the other one.
    restartWith("1,monitor,latency2", argv);
    QCoreApplication application(argc, argv);
    tst_EventLatencyOff test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_eventlatencyoff.moc"
