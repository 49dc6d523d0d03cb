// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "samplesnapshot.h"

#include "arenamodel.h"
#include "filesource.h"
#include "poolmonitor.h"
#include "sizeclassmodel.h"
#include "snapshot.h"

#include <QtCore/qcoreapplication.h>
#include <QtCore/qfile.h>
#include <QtCore/qjsondocument.h>
#include <QtCore/qjsonobject.h>
#include <QtCore/qtemporarydir.h>
#include <QtCore/qthread.h>
#include <QtTest/qsignalspy.h>
#include <QtTest/qtest.h>

#include <sys/syscall.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

class tst_HistogramSnapshot : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsEveryMember();
    void readsTheHeapOfAWholeProgram();
    void readsADisabledPool();
    void refusesDamagedSnapshots_data();
    void refusesDamagedSnapshots();
    void refusesTruncatedSnapshots();
    void takesNegativeLiveForZero();
    void keepsARowForEverySizeClass();
    void keepsARowForEveryClassOfTheHeap();
    void insertsUnusualSizeClasses();
    void changesArenasRowByRow();
    void rateIsThatOfTheLastSecond();
    void filesShowWhatWasSaved();
    void systemTellsNamesOfThreads();
    void monitorStateFollowsTheText();
    void heapComesAndGoes();
    void resetRestartsTheCounters();
};

static Snapshot sample()
{
    QString error;
    return Snapshot::fromJson(sampleSnapshot(), &error).value();
}

void tst_HistogramSnapshot::readsEveryMember()
{
    QString error;
    const auto snapshot = Snapshot::fromJson(sampleSnapshot(), &error);
    QVERIFY2(snapshot, qPrintable(error));
    QCOMPARE(snapshot->pid, 4242);
    QCOMPARE(snapshot->qtVersion, u"6.4.2"_s);
    QVERIFY(snapshot->enabled);
    const auto &events = snapshot->domain(Domain::Event);
    QCOMPARE(events.size(), 2);
    QCOMPARE(events.at(0).size, 24);
    QCOMPARE(events.at(0).allocated, 1000);
    QCOMPARE(events.at(0).freed, 900);
    QCOMPARE(events.at(0).remote, 800);
    QCOMPARE(events.at(0).live, 100);
    QCOMPARE(snapshot->domain(Domain::Object).size(), 1);
    QVERIFY(snapshot->domain(Domain::Private).isEmpty());
    QCOMPARE(snapshot->totalAllocated(), 1530);
    QCOMPARE(snapshot->arenas.size(), 3);
    QVERIFY(snapshot->arenas.at(2).orphaned);
    QCOMPARE(snapshot->arenas.at(1).adoptions, 2);
    QCOMPARE(snapshot->arenas.at(1).backlog, 5);
    QCOMPARE(snapshot->reservedBytes, 1073741824);
    QCOMPARE(snapshot->committedBytes, 393216);
    QCOMPARE(snapshot->liveBytes, 8160);
    QVERIFY(!snapshot->decommittedBytes);
    QCOMPARE(snapshot->allocated(Domain::Event), 1500);
    QCOMPARE(snapshot->totalLive(), 160);
    QCOMPARE(snapshot->liveBytesOf(Domain::Event), 100 * 24 + 50 * 112);
}

void tst_HistogramSnapshot::readsTheHeapOfAWholeProgram()
{
    QVERIFY(!sample().hasHeap);
    QString error;
    const auto snapshot = Snapshot::fromJson(wholeSnapshot(), &error);
    QVERIFY2(snapshot, qPrintable(error));
    QVERIFY(snapshot->hasHeap);
    QCOMPARE(snapshot->domain(Domain::Heap).size(), 2);
    QCOMPARE(snapshot->domain(Domain::Heap).at(1).size, 1024);
    QCOMPARE(snapshot->allocated(Domain::Heap), 40007);
    QCOMPARE(snapshot->totalAllocated(), 1530 + 40007);
    QCOMPARE(snapshot->totalLive(), 160 + 1002);
    QCOMPARE(snapshot->liveBytesOf(Domain::Heap), 1000 * 32 + 2 * 1024);

    // Existing members are read as strictly as the others; they may be empty.
    QByteArray json = wholeSnapshot();
    QVERIFY(!Snapshot::fromJson(json.replace("\"size\": 1024", "\"size\": 32"), &error));
    QVERIFY2(error.contains(u"32 bytes is listed twice"_s), qPrintable(error));
    json = sampleSnapshot().replace("\"private\":", "\"heap\": { \"classes\": [] }, \"private\":");
    QVERIFY(Snapshot::fromJson(json, &error).value().hasHeap);
}

void tst_HistogramSnapshot::readsADisabledPool()
{
    QString error;
    const auto snapshot = Snapshot::fromJson(
            R"({"version":2,"pid":7,"qt":"6.8.2","enabled":false})", &error);
    QVERIFY2(snapshot, qPrintable(error));
    QVERIFY(!snapshot->enabled);
}

void tst_HistogramSnapshot::refusesDamagedSnapshots_data()
{
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QString>("complaint");

    const auto row = [](const char *name, const QByteArray &from, const QByteArray &to,
                        const QString &complaint) {
        QTest::newRow(name) << from << to << complaint;
    };
    row("version", "\"version\": 2", "\"version\": 1", u"version 1"_s);
    row("no version", "\"version\": 2,", "", u"'version'"_s);
    row("text for a count", "\"pid\": 4242", "\"pid\": \"4242\"", u"'pid'"_s);
    row("negative count", "\"freed\": 900", "\"freed\": -1", u"'freed'"_s);
    row("half a count", "\"freed\": 900", "\"freed\": 0.5", u"'freed'"_s);
    row("count too large", "\"freed\": 900", "\"freed\": 1e300", u"'freed'"_s);
    row("no size", "\"size\": 24", "\"size\": 0", u"out of range"_s);
    row("huge size", "\"size\": 24", "\"size\": 99999999999", u"out of range"_s);
    row("same size twice", "\"size\": 112", "\"size\": 24", u"24 bytes is listed twice"_s);
    row("same arena twice", "\"id\": 2", "\"id\": 1", u"arena 1 is listed twice"_s);
    row("no domain", "\"private\"", "\"public\"", u"'private'"_s);
    row("no arenas", "\"arenas\"", "\"arena\"", u"'arenas'"_s);
    row("arenas not a list", "\"classes\": []", "\"classes\": {}", u"'classes'"_s);
    row("class not an object", "{ \"size\": 16,", "[], { \"size\": 16,", u"'size'"_s);
    row("no bytes", "\"bytes\"", "\"octets\"", u"'bytes'"_s);
}

void tst_HistogramSnapshot::refusesDamagedSnapshots()
{
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QFETCH(QString, complaint);

    QByteArray json = sampleSnapshot();
    QVERIFY(json.contains(from));
    json.replace(from, to);
    QString error;
    QVERIFY(!Snapshot::fromJson(json, &error));
    QVERIFY2(error.contains(complaint), qPrintable(error));
}

void tst_HistogramSnapshot::refusesTruncatedSnapshots()
{
    const QByteArray json = sampleSnapshot();
    for (qsizetype size = 0; size < json.size(); ++size) {
        QString error;
        QVERIFY(!Snapshot::fromJson(json.left(size), &error));
        QVERIFY(!error.isEmpty());
    }
}

void tst_HistogramSnapshot::takesNegativeLiveForZero()
{
    QByteArray json = sampleSnapshot();
    json.replace("\"live\": 100", "\"live\": -3");
    QString error;
    const auto snapshot = Snapshot::fromJson(json, &error);
    QVERIFY2(snapshot, qPrintable(error));
    QCOMPARE(snapshot->domain(Domain::Event).at(0).live, 0);
}

void tst_HistogramSnapshot::keepsARowForEverySizeClass()
{
    SizeClassModel model;
    QCOMPARE(model.count(), 28);
    QCOMPARE(model.at(0).size, 8);
    QCOMPARE(model.at(2).size, 24);
    QCOMPARE(model.at(15).size, 128);
    QCOMPARE(model.at(16).size, 160);
    QCOMPARE(model.at(27).size, 1024);

    QSignalSpy changed(&model, &SizeClassModel::valuesChanged);
    model.setClasses(sample().domain(Domain::Event));
    QCOMPARE(changed.size(), 1);
    QCOMPARE(model.count(), 28);
    QCOMPARE(model.data(model.index(2), SizeClassModel::AllocatedRole).toLongLong(), 1000);
    QCOMPARE(model.data(model.index(13), SizeClassModel::LiveRole).toLongLong(), 50);
    QCOMPARE(model.allocated(), 1500);
    QCOMPARE(model.remote(), 810);
    QCOMPARE(model.live(), 150);
    QCOMPARE(model.usedRows(), QList<int>({ 2, 13 }));
    QCOMPARE(model.values(2).value(u"freed"_s).toLongLong(), 900);
    QVERIFY(model.values(-1).isEmpty());

    // A class that is no longer listed has no statistics any more.
    model.setClasses({});
    QCOMPARE(model.at(2).allocated, 0);
    QCOMPARE(model.allocated(), 0);
}

void tst_HistogramSnapshot::keepsARowForEveryClassOfTheHeap()
{
    SizeClassModel model(SizeClassModel::Heap);
    QCOMPARE(model.count(), 51);
    QCOMPARE(model.at(0).size, 16);
    QCOMPARE(model.at(15).size, 256);
    QCOMPARE(model.at(16).size, 288);
    QCOMPARE(model.at(23).size, 512);
    QCOMPARE(model.at(24).size, 576);
    QCOMPARE(model.at(31).size, 1024);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    QString error;
    model.setClasses(Snapshot::fromJson(wholeSnapshot(), &error)->domain(Domain::Heap));
    QCOMPARE(inserted.size(), 0);
    QCOMPARE(model.at(1).allocated, 40000);
    QCOMPARE(model.at(31).live, 2);
}

void tst_HistogramSnapshot::insertsUnusualSizeClasses()
{
    SizeClassModel model;
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    model.setClasses({ { 20, 5, 1, 0, 4 }, { 4096, 1, 0, 0, 1 } });
    QCOMPARE(inserted.size(), 2);
    QCOMPARE(model.count(), 30);
    QCOMPARE(model.at(2).size, 20);
    QCOMPARE(model.at(2).live, 4);
    QCOMPARE(model.at(29).size, 4096);
}

void tst_HistogramSnapshot::changesArenasRowByRow()
{
    ArenaModel model;
    model.setArenas(sample().arenas, 4242, 0);
    QCOMPARE(model.count(), 3);
    QCOMPARE(model.orphanedCount(), 1);
    QVERIFY(model.data(model.index(0), ArenaModel::MainThreadRole).toBool());
    QVERIFY(!model.data(model.index(1), ArenaModel::MainThreadRole).toBool());
    QCOMPARE(model.data(model.index(2), ArenaModel::PagesRole).toInt(), 2);

    // Rows are inserted and removed one by one.
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    auto list = sample().arenas;
    list.removeAt(1);
    list.append(ArenaStatistics { 9, 5000, false, 0, 1, 1, 0 });
    model.setArenas(list, 4242, 0);
    QCOMPARE(model.count(), 3);
    QCOMPARE(inserted.size(), 1);
    QCOMPARE(removed.size(), 1);
    QCOMPARE(reset.size(), 0);
    QCOMPARE(model.data(model.index(2), ArenaModel::IdRole).toInt(), 9);
    model.setArenas({}, 4242, 0);
    QCOMPARE(model.count(), 0);
}

static QByteArray withAllocated(int allocated)
{
    QByteArray json = sampleSnapshot();
    return json.replace("\"allocated\": 1000", "\"allocated\": " + QByteArray::number(allocated));
}

void tst_HistogramSnapshot::rateIsThatOfTheLastSecond()
{
    PoolMonitor monitor;
    monitor.setPaused(true);
    constexpr qint64 Start = 1'000'000'000; // past any sample of its own
    monitor.apply(withAllocated(1000), Start);
    monitor.apply(withAllocated(1500), Start + 500);
    monitor.apply(withAllocated(2000), Start + 1000);
    monitor.apply(withAllocated(6000), Start + 1500);
    // Over the last second, not since the start.
    QCOMPARE(monitor.allocationsPerSecond(), 4500.0);
    // Lower counters belong to another process.
    monitor.apply(withAllocated(10), Start + 2000);
    QCOMPARE(monitor.allocationsPerSecond(), 0.0);
}

void tst_HistogramSnapshot::filesShowWhatWasSaved()
{
    Session session;
    session.time = QDateTime({ 2026, 3, 1 }, { 12, 0 }, Qt::UTC);
    session.command = { u"program"_s, u"--option"_s };
    session.threadNames = { { 4243, u"worker"_s }, { 4244, u"has ended"_s } };
    session.classes = { { u"object"_s, u"QTimer"_s, u"libQt6Core.so.6"_s, 10, 160 } };
    session.uncertain = 2;
    session.history = { { -2000, { 0, 0, 0, 0 }, 1000, 500'000, 1 }, { -1000, { 500, 0, 0, 0 }, 2000, 400'000, 2 },
                        { 0, { 1500, 30, 0, 0 }, 8160, 393'216, 12 } };
    QJsonObject object = QJsonDocument::fromJson(sampleSnapshot()).object();
    session.insertInto(&object);
    QTemporaryDir folder;
    const auto open = [&](PoolMonitor *monitor, const QJsonObject &json) {
        QFile file(folder.filePath(u"saved.json"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QJsonDocument(json).toJson());
        file.close();
        monitor->setSource(std::make_unique<FileSource>(file.fileName()));
    };
    PoolMonitor monitor;
    open(&monitor, object);
    QCOMPARE(monitor.state(), PoolMonitor::Ready);
    QCOMPARE(monitor.sessionTitle(), u"program --option, 2026-03-01 12:00:00 UTC"_s);
    QVERIFY(monitor.knowsRate());
    QCOMPARE(monitor.allocationsPerSecond(), 1030.0);
    QCOMPARE(monitor.highestCommitted(), 500'000);
    QCOMPARE(monitor.history().points().size(), 3);
    QCOMPARE(monitor.history().points().at(1).liveBytes, 2000);
    QCOMPARE(monitor.history().points().at(1).milliseconds, -1000);
    const qint64 now = monitor.history().now();
    QCOMPARE(*monitor.history().mean(History::EventRate, now - 1000, now), 1000.0);
    QCOMPARE(*monitor.history().mean(History::EventRate, now - 2000, now - 1000), 500.0);
    QCOMPARE(monitor.classes()->total(), 1);
    QCOMPARE(monitor.classes()->uncertain(), 2);
    QVERIFY(monitor.classes()->error().isEmpty());
    const auto threadName = [&monitor](int row) {
        return monitor.arenas()->data(monitor.arenas()->index(row), ArenaModel::ThreadNameRole).toString();
    };
    QCOMPARE(threadName(1), u"worker"_s);
    QCOMPARE(threadName(2), QString()); // orphaned: another thread may have its number

    // Nothing has happened since.
    monitor.sample();
    QCOMPARE(monitor.allocationsPerSecond(), 1030.0);
    QCOMPARE(monitor.history().points().size(), 3);

    // An older file has none of it.
    open(&monitor, QJsonDocument::fromJson(sampleSnapshot()).object());
    QCOMPARE(monitor.state(), PoolMonitor::Ready);
    QVERIFY(!monitor.knowsRate());
    QCOMPARE(monitor.sessionTitle(), QString());
    QCOMPARE(monitor.classes()->error(), u"This snapshot has no classes"_s);

    object["history"] = 5;
    open(&monitor, object);
    QCOMPARE(monitor.state(), PoolMonitor::Damaged);
    QVERIFY(monitor.error().contains(u"'history'"_s));
}

void tst_HistogramSnapshot::systemTellsNamesOfThreads()
{
    QThread thread;
    thread.setObjectName(u"named-by-test"_s);
    thread.start();
    QObject inThread;
    inThread.moveToThread(&thread);
    qint64 number = 0;
    QMetaObject::invokeMethod(&inThread, [&] { number = qint64(syscall(SYS_gettid)); }, Qt::BlockingQueuedConnection);
    const auto names = Session::threadNamesOf(QCoreApplication::applicationPid());
    thread.quit();
    thread.wait();
    QCOMPARE(names.value(number), u"named-by-test"_s);
    QVERIFY(names.contains(QCoreApplication::applicationPid()));
    QVERIFY(Session::threadNamesOf(0).isEmpty());
}

void tst_HistogramSnapshot::monitorStateFollowsTheText()
{
    PoolMonitor monitor;
    monitor.setPaused(true);
    monitor.apply(sampleSnapshot(), 0);
    QCOMPARE(monitor.state(), PoolMonitor::Ready);
    QCOMPARE(monitor.json(), sampleSnapshot());
    monitor.apply(R"({"version":1})", 1);
    QCOMPARE(monitor.state(), PoolMonitor::Incompatible);
    monitor.apply("{", 1);
    QCOMPARE(monitor.state(), PoolMonitor::Damaged);
    QVERIFY(!monitor.error().isEmpty());
    // The last valid statistics stay.
    QCOMPARE(monitor.pid(), 4242);
    monitor.apply(R"({"version":2,"pid":7,"qt":"6.8.2","enabled":false})", 2);
    QCOMPARE(monitor.state(), PoolMonitor::Disabled);
    QVERIFY(monitor.error().isEmpty());
}

void tst_HistogramSnapshot::heapComesAndGoes()
{
    PoolMonitor monitor;
    QSignalSpy changed(&monitor, &PoolMonitor::domainsChanged);
    monitor.apply(sampleSnapshot(), 0);
    QVERIFY(!monitor.hasHeap());
    QCOMPARE(changed.size(), 0);
    monitor.apply(wholeSnapshot(), 200);
    QVERIFY(monitor.hasHeap());
    QCOMPARE(changed.size(), 1);
    QCOMPARE(monitor.heap()->live(), 1002);
    QCOMPARE(monitor.liveChunks(), 1162);
    QCOMPARE(monitor.liveBytesByDomain().at(3), 34048.0);
    monitor.apply(wholeSnapshot(), 400);
    QCOMPARE(changed.size(), 1);
    monitor.setSource(nullptr);
    QVERIFY(!monitor.hasHeap());
    QCOMPARE(changed.size(), 2);
    QCOMPARE(monitor.heap()->live(), 0);
}

void tst_HistogramSnapshot::resetRestartsTheCounters()
{
    PoolMonitor monitor;
    monitor.reset(); // no effect without a snapshot
    QVERIFY(monitor.resetTime().isEmpty());
    monitor.apply(withAllocated(1000), 0);
    monitor.reset();
    QVERIFY(!monitor.resetTime().isEmpty());
    QCOMPARE(monitor.events()->allocated(), 0);
    QCOMPARE(monitor.events()->freed(), 0);
    QCOMPARE(monitor.events()->live(), 150); // live chunks remain
    monitor.apply(withAllocated(1600), 200);
    QCOMPARE(monitor.events()->allocated(), 600);
    // The saved text is the one that the process wrote.
    QCOMPARE(monitor.json(), withAllocated(1600));
    QCOMPARE(monitor.snapshot().allocated(Domain::Event), 2100);
}

QTEST_GUILESS_MAIN(tst_HistogramSnapshot)

#include "tst_histogramsnapshot.moc"
