// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "latencystatistics.h"
#include "qpoolmonitoredprocess.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDir>
#include <QtCore/QEvent>
#include <QtCore/QFile>
#include <QtCore/QProcess>
#include <QtTest/QTest>

#include <limits>
#include <memory>

#include <sys/wait.h>

using QPool::MonitoredProcess;
using QPool::PublishedLatency;

// The statistics of event latency that other processes can read.
class tst_LatencyPublication : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void publishesWhatTheProcessRecorded();
    void publishesTheWorstRowsAndASum();
    void publishesOnlyIfRequested_data();
    void publishesOnlyIfRequested();
    void childOfForkHoldsNoSegment();

private:
    QJsonObject read() const
    {
        const std::string json = m_process->readLatency().text.json;
        return QJsonDocument::fromJson(QByteArray(json.data(), qsizetype(json.size()))).object();
    }

    std::unique_ptr<MonitoredProcess> m_process;
};

class Seen : public QObject
{
    Q_OBJECT
};

static void post(QObject *receiver, int count, int type = QEvent::User)
{
    for (int i = 0; i < count; ++i)
        QCoreApplication::postEvent(receiver, new QEvent(QEvent::Type(type)));
    QCoreApplication::sendPostedEvents(receiver);
}

static qint64 delivered(const QJsonObject &statistics, const QString &className)
{
    qint64 sum = 0;
    const QJsonArray events = statistics["events"].toArray();
    for (const QJsonValue &row : events) {
        if (className.isEmpty() || row["class"].toString() == className)
            sum += row["delivered"].toInteger();
    }
    return sum;
}

static bool holdsSegment()
{
    const QDir folder("/proc/self/fd");
    const QStringList names = folder.entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot);
    for (const QString &name : names) {
        char target[256] = {};
        const QByteArray path = QFile::encodeName(folder.filePath(name));
        if (readlink(path.constData(), target, sizeof(target) - 1) > 0
            && QByteArray(target).startsWith("/memfd:qpool-latency-"))
            return true;
    }
    return false;
}

void tst_LatencyPublication::initTestCase()
{
    MonitoredProcess::Error error;
    std::string message;
    m_process = MonitoredProcess::attach(getpid(), &error, &message);
    QVERIFY2(m_process, message.c_str());
    QCOMPARE(m_process->readLatency().state, PublishedLatency::Recorded);
}

void tst_LatencyPublication::publishesWhatTheProcessRecorded()
{
    Seen receiver;
    post(&receiver, 1234);
    QTRY_COMPARE_WITH_TIMEOUT(delivered(read(), "Seen"), 1234, 60000);
    const QJsonObject outside = read();
    QCOMPARE(outside["version"].toInt(), 1);
    QCOMPARE(outside["pid"].toInteger(), getpid());
    QVERIFY(outside["enabled"].toBool());
    QVERIFY(!outside.contains("leftOut"));
    // As the process itself sees it, with the same histograms.
    const QJsonArray events = outside["events"].toArray();
    for (const QJsonValue &row : events) {
        if (row["class"].toString() == "Seen") {
            const QList<QJsonObject> inside = LatencyStatistics::take().events("Seen");
            QCOMPARE(inside.size(), 1);
            QCOMPARE(row.toObject(), inside.first());
        }
    }
    // Nothing new, and no new text.
    const auto number = m_process->readLatency().text.number;
    post(&receiver, 1);
    QTRY_COMPARE_WITH_TIMEOUT(delivered(read(), "Seen"), 1235, 60000);
    QVERIFY(m_process->readLatency().text.number > number);
}

// The worst rows are published by themselves, and the others as a sum.
void tst_LatencyPublication::publishesTheWorstRowsAndASum()
{
    constexpr int Types = 1500;
    Seen receiver;
    for (int i = 1; i <= Types; ++i)
        post(&receiver, 2, QEvent::User + i);
    const qint64 all = LatencyStatistics::take().sum("delivered", "Seen");
    QTRY_VERIFY_WITH_TIMEOUT(delivered(read(), "Seen") + delivered(read(), "(other classes)") >= all, 60000);
    const QJsonObject outside = read();
    QVERIFY(outside["leftOut"].toInteger() >= Types - 1000);
    QCOMPARE(outside["events"].toArray().size(), 1000 + 1);
    qint64 least = std::numeric_limits<qint64>::max(); // of the rows by themselves
    qint64 others = 0;
    const QJsonArray events = outside["events"].toArray();
    for (const QJsonValue &row : events) {
        const qint64 worst = qMax(row["wait"]["worst"].toInteger(), row["run"]["worst"].toInteger());
        if (row["class"].toString() == "(other classes)")
            others = worst;
        else
            least = qMin(least, worst);
    }
    QVERIFY(others > 0 && others <= least);
    QVERIFY(!LatencyStatistics::take().object().contains("leftOut")); // within the process, all
}

void tst_LatencyPublication::publishesOnlyIfRequested_data()
{
    QTest::addColumn<bool>("expected");
    QTest::newRow("monitor,latency") << true;
    QTest::newRow("latency,monitor,1") << true;
    QTest::newRow("latency") << false;
    QTest::newRow("monitor") << false;
    QTest::newRow("0") << false;
}

void tst_LatencyPublication::publishesOnlyIfRequested()
{
    QFETCH(bool, expected);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("QT_POOL_ALLOCATOR", QTest::currentDataTag());
    QProcess program;
    program.setProcessEnvironment(environment);
    program.start(QCoreApplication::applicationFilePath(), { "holds" });
    QVERIFY(program.waitForFinished(60000));
    QCOMPARE(program.exitStatus(), QProcess::NormalExit);
    QCOMPARE(program.exitCode(), expected ? 1 : 0);
}

void tst_LatencyPublication::childOfForkHoldsNoSegment()
{
    m_process.reset(); // it has the segment open, too, as a reader
    QVERIFY(holdsSegment());
    const pid_t child = fork();
    QVERIFY(child >= 0);
    if (child == 0) {
        Seen receiver;
        post(&receiver, 10);
        _exit(holdsSegment() ? 1 : 0);
    }
    int status = 0;
    QCOMPARE(waitpid(child, &status, 0), child);
    QVERIFY(WIFEXITED(status));
    QCOMPARE(WEXITSTATUS(status), 0);
    // The parent goes on.
    initTestCase();
    Seen receiver;
    const qint64 before = LatencyStatistics::take().sum("delivered", "Seen", "User+0");
    post(&receiver, 3);
    QCOMPARE(LatencyStatistics::take().sum("delivered", "Seen", "User+0"), before + 3);
    const qint64 all = LatencyStatistics::take().sum("delivered", "Seen");
    QTRY_VERIFY_WITH_TIMEOUT(delivered(read(), "Seen") + delivered(read(), "(other classes)") >= all, 60000);
}

int main(int argc, char **argv)
{
    if (argc == 2 && qstrcmp(argv[1], "holds") == 0) {
        QCoreApplication application(argc, argv);
        Seen receiver;
        post(&receiver, 1);
        return holdsSegment() ? 1 : 0;
    }
    restartWith("monitor,latency", argv);
    QCoreApplication application(argc, argv);
    tst_LatencyPublication test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_latencypublication.moc"
