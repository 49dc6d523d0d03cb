// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "fakesource.h"
#include "samplesnapshot.h"

#include "arenalog.h"
#include "arenamodel.h"
#include "history.h"
#include "poolmonitor.h"
#include "processmodel.h"
#include "segmentmodel.h"
#if defined(Q_OS_LINUX)
#  include "sharedsegments.h"

#  include <sharedmemory/qpoolsharedsegment.h>
#endif

#include <qpoolstatisticstable.h>
#include <qpoolwholefile.h>

#include <QtCore/qcoreapplication.h>
#include <QtCore/qfileinfo.h>
#include <QtCore/qscopeguard.h>
#include <QtCore/qtemporarydir.h>
#include <QtTest/qsignalspy.h>
#include <QtTest/qtest.h>

#include <optional>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

class tst_HistogramModels : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reportsWhatHappensToArenas();
    void logIsMergedAndBounded();
    void historyAveragesATimeSpan();
    void historyHasNoValuesInAGap();
    void writesALinePerClassAndArena();
    void updatesProcessesRowByRow();
    void listsSegmentsByName();
#if defined(Q_OS_LINUX)
    void findsSegmentsOfTheSystem();
#endif
    void monitorFollowsItsSource();
    void pausedMonitorKeepsItsValues();
    void anotherProgramStartsAnew();
    void sessionTellsOfWhenItsClassesAre();
    void writesToDevicesAndPipes();
};

using QPoolStatistics::toCsv;

static Snapshot sample()
{
    QString error;
    return Snapshot::fromJson(sampleSnapshot(), &error).value();
}

void tst_HistogramModels::reportsWhatHappensToArenas()
{
    ArenaModel model;
    auto arenas = sample().arenas;
    // Arenas of the first snapshot are not new.
    QVERIFY(model.setArenas(arenas, 4242, 0).isEmpty());
    QVERIFY(model.setArenas(arenas, 4242, 200).isEmpty());
    QCOMPARE(model.data(model.index(1), ArenaModel::JustRole).toString(), QString());

    arenas[1].orphaned = true;
    arenas[2].orphaned = false;
    arenas[2].adoptions += 1;
    arenas.append(ArenaStatistics { 9, 5000, false, 0, 1, 1, 0 });
    const auto events = model.setArenas(arenas, 4242, 400);
    QCOMPARE(events.size(), 3);
    QCOMPARE(events.at(0).kind, ArenaEvent::Orphaned);
    QCOMPARE(events.at(0).arena, 2);
    QCOMPARE(events.at(1).kind, ArenaEvent::Adopted);
    QCOMPARE(events.at(1).arena, 3);
    QCOMPARE(events.at(2).kind, ArenaEvent::Created);
    QCOMPARE(events.at(2).thread, 5000);
    QCOMPARE(model.data(model.index(1), ArenaModel::JustRole).toString(), u"orphaned"_s);
    QCOMPARE(model.data(model.index(2), ArenaModel::JustRole).toString(), u"adopted"_s);
    QCOMPARE(model.data(model.index(3), ArenaModel::JustRole).toString(), u"created"_s);
    QCOMPARE(model.data(model.index(0), ArenaModel::TrailRole).toList(),
             QVariantList({ 90.0, 90.0, 90.0 }));

    // An orphan adopted and orphaned three times between two samples.
    arenas[1].adoptions += 3;
    const auto more = model.setArenas(arenas, 4242, 600);
    QCOMPARE(more.size(), 2);
    QCOMPARE(more.at(0).times, 3);
    QCOMPARE(more.at(1).times, 3);
    // The mark fades.
    model.setArenas(arenas, 4242, 9000);
    QCOMPARE(model.data(model.index(2), ArenaModel::JustRole).toString(), QString());
}

void tst_HistogramModels::logIsMergedAndBounded()
{
    ArenaLog log;
    const QTime noon(12, 0);
    log.add({ { ArenaEvent::Adopted, 3, 4000, 1, 0 } }, 0, noon);
    log.add({ { ArenaEvent::Adopted, 3, 4001, 2, 0 }, { ArenaEvent::Created, 4, 4002, 1, 0 } }, 200,
            noon.addSecs(1));
    QCOMPARE(log.count(), 2);
    QCOMPARE(log.data(log.index(0), ArenaLog::TextRole).toString(),
             u"Arena 4 created by thread 4002"_s);
    QCOMPARE(log.data(log.index(1), ArenaLog::TextRole).toString(), u"Arena 3 adopted 3 times"_s);
    QCOMPARE(log.data(log.index(1), ArenaLog::TimeRole).toString(), u"12:00:01"_s);
    QCOMPARE(log.data(log.index(1), ArenaLog::KindRole).toString(), u"adopted"_s);
    log.add({ { ArenaEvent::Adopted, 3, 4003, 1, 0 } }, 60000, noon.addSecs(60)); // a new entry
    QCOMPARE(log.count(), 3);
    for (int i = 0; i < 1000; ++i)
        log.add({ { ArenaEvent::Created, i, 1, 1, 0 } }, 60000, noon);
    QCOMPARE(log.count(), 200);
    log.clear();
    QCOMPARE(log.count(), 0);
}

static Snapshot with(qint64 allocated, qint64 committed)
{
    Snapshot snapshot;
    snapshot.enabled = true;
    snapshot.domains[0] = { { 24, allocated, 0, 0, 0 } };
    snapshot.committedBytes = committed;
    return snapshot;
}

void tst_HistogramModels::historyAveragesATimeSpan()
{
    History history;
    QVERIFY(!history.mean(History::CommittedBytes, 0, 1000));
    history.add(with(100, 4096), 1000);
    history.add(with(300, 8192), 1200);
    history.add(with(400, 4096), 1400);
    QVERIFY(!history.mean(History::EventRate, 0, 1000)); // one sample gives no rate
    QCOMPARE(history.mean(History::EventRate, 1000, 1200).value(), 1000.0);
    QCOMPARE(history.mean(History::EventRate, 1000, 1400).value(), 750.0);
    QCOMPARE(history.mean(History::EventRate, 1050, 1100).value(), 1000.0); // between two
    QCOMPARE(history.mean(History::CommittedBytes, 900, 1000).value(), 4096.0);
    QVERIFY(!history.mean(History::CommittedBytes, 1400, 1600)); // not yet
    QVERIFY(!history.mean(History::CommittedBytes, 800, 900)); // before the first
    QCOMPARE(history.highestCommitted(), 8192);
    history.add(with(10, 4096), 1600); // counters that decreased
    QCOMPARE(history.mean(History::EventRate, 1400, 1600).value(), 0.0);
    Snapshot whole = with(10, 4096);
    whole.domains[3] = { { 32, 500, 0, 0, 0 } };
    history.add(whole, 1800);
    QCOMPARE(history.mean(History::HeapRate, 1600, 1800).value(), 2500.0);
    QCOMPARE(history.mean(History::EventRate, 1600, 1800).value(), 0.0);
    history.clear();
    QVERIFY(history.isEmpty());
}

void tst_HistogramModels::historyHasNoValuesInAGap()
{
    History history;
    history.add(with(0, 1), 0);
    history.add(with(100, 1), 200);
    history.add(with(900, 1), 60000); // the window was paused
    QVERIFY(!history.mean(History::EventRate, 30000, 30100));
    QVERIFY(!history.mean(History::EventRate, 200, 60000));
    // Ten minutes are kept, not more.
    for (int i = 0; i < 10000; ++i)
        history.add(with(900, 1), 60000 + i * 200);
    QVERIFY(!history.mean(History::CommittedBytes, 0, 60000));
    QVERIFY(history.mean(History::CommittedBytes, history.now() - History::Longest + 1000,
                         history.now() - History::Longest + 2000));
}

void tst_HistogramModels::writesALinePerClassAndArena()
{
    const QList<QByteArray> lines = toCsv(sample()).split('\n');
    QCOMPARE(lines.size(), 8); // the head, three classes, three arenas, the end
    QCOMPARE(lines.at(0), "time,pid,domain,size,allocated,freed,remote,live,arena,thread,orphaned,"
                          "adoptions,pages,backlog,version");
    QCOMPARE(lines.at(1), ",4242,event,24,1000,900,800,100,,,,,,,1");
    QCOMPARE(lines.at(3), ",4242,object,16,30,20,0,10,,,,,,,1");
    QCOMPARE(lines.at(6), ",4242,,,,,,50,3,4244,yes,1,2,7,1");
    for (const QByteArray &line : lines)
        QVERIFY(line.isEmpty() || line.count(',') == 14);

    QString error;
    const QList<QByteArray> whole =
            toCsv(Snapshot::fromJson(wholeSnapshot(), &error).value()).split('\n');
    QCOMPARE(whole.size(), 10);
    QCOMPARE(whole.at(4), ",4242,heap,32,40000,39000,500,1000,,,,,,,1");
    QCOMPARE(whole.at(5), ",4242,heap,1024,7,5,0,2,,,,,,,1");
}

void tst_HistogramModels::updatesProcessesRowByRow()
{
    FakeProcesses machine;
    machine.list = { { 30, u"linguist"_s, {}, {}, 10 }, { 20, u"designer"_s, {}, {}, 20 } };
    ProcessModel model(std::make_unique<FakeFinder>(&machine));
    QCOMPARE(model.count(), 0);
    model.refresh();
    QCOMPARE(model.count(), 2);
    QCOMPARE(model.data(model.index(0), ProcessModel::NameRole).toString(), u"designer"_s);
    // Rows are inserted and removed one by one.
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
    machine.list = { { 25, u"designer"_s, u"another version"_s, {}, 0 },
                     { 30, u"linguist"_s, {}, {}, 11 } };
    model.refresh();
    QCOMPARE(inserted.size(), 1);
    QCOMPARE(removed.size(), 1);
    QCOMPARE(model.data(model.index(0), ProcessModel::PidRole).toInt(), 25);
    QCOMPARE(model.data(model.index(0), ProcessModel::ProblemRole).toString(),
             u"another version"_s);
    QCOMPARE(model.data(model.index(1), ProcessModel::LiveRole).toInt(), 11);
    machine.list.clear();
    model.refresh();
    QCOMPARE(model.count(), 0);
}

void tst_HistogramModels::listsSegmentsByName()
{
    QList<ListedSegment> machine { { u"prices"_s, {}, u"futex"_s, 4096, 16, 1, 3 },
                                   { u"orders"_s, u"too short"_s, {}, 0, 0, 0, 0 } };
    SegmentModel model(std::make_unique<FakeSegments>(&machine));
    QCOMPARE(model.count(), 0);
    model.refresh();
    QCOMPARE(model.count(), 2);
    QCOMPARE(model.data(model.index(0), SegmentModel::NameRole).toString(), u"orders"_s);
    QCOMPARE(model.data(model.index(0), SegmentModel::ProblemRole).toString(), u"too short"_s);
    QCOMPARE(model.data(model.index(1), SegmentModel::LockRole).toString(), u"futex"_s);
    QCOMPARE(model.data(model.index(1), SegmentModel::BytesRole).toInt(), 4096);
    QCOMPARE(model.data(model.index(1), SegmentModel::UsedBytesRole).toInt(), 16);
    QCOMPARE(model.data(model.index(1), SegmentModel::UsedBlocksRole).toInt(), 1);
    QCOMPARE(model.data(model.index(1), SegmentModel::DeathsRole).toInt(), 3);
    QSignalSpy changed(&model, &SegmentModel::countChanged);
    machine.removeLast();
    model.refresh();
    QCOMPARE(changed.size(), 1);
    QCOMPARE(model.count(), 1);
}

#if defined(Q_OS_LINUX)
// All existing segments, whichever process created them.
void tst_HistogramModels::findsSegmentsOfTheSystem()
{
    const QString name = u"tst_histogrammodels.%1"_s.arg(QCoreApplication::applicationPid());
    const auto find = [&name]() -> std::optional<ListedSegment> {
        const QList<ListedSegment> all = SharedSegments().find();
        for (const ListedSegment &segment : all) {
            if (segment.name == name)
                return segment;
        }
        return {};
    };
    QVERIFY(!find());
    QPool::SharedSegment segment = QPool::SharedSegment::create(name.toStdString().c_str(), 1 << 20);
    QVERIFY2(segment, QPool::errorText(QPool::SharedSegment::lastError()));
    const auto cleanUp = qScopeGuard([&name] {
        QPool::SharedSegment::unlink(name.toStdString().c_str());
    });
    QVERIFY(segment.allocate(100));
    const std::optional<ListedSegment> found = find();
    QVERIFY(found);
    QCOMPARE(found->problem, QString());
    QCOMPARE(found->bytes, 1 << 20);
    QCOMPARE(found->usedBlocks, 1);
    QVERIFY(found->usedBytes >= 100);
}
#endif

void tst_HistogramModels::monitorFollowsItsSource()
{
    using Status = SnapshotSource::Status;
    auto answers = std::make_shared<FakeAnswers>();
    answers->become(Status::Waiting, u"nothing yet"_s);
    PoolMonitor monitor;
    QCOMPARE(monitor.state(), PoolMonitor::Nothing);
    monitor.setSource(
            std::make_unique<FakeSource>(SnapshotSource::Kind::Process, u"designer"_s, answers));
    QCOMPARE(monitor.state(), PoolMonitor::Waiting);
    QCOMPARE(monitor.origin(), PoolMonitor::OtherProcess);
    QCOMPARE(monitor.title(), u"designer"_s);
    QVERIFY(!monitor.canTrim());
    answers->become(Status::Ready, {}, sampleSnapshot());
    QTRY_COMPARE(monitor.state(), PoolMonitor::Ready); // by its own timer
    QVERIFY(monitor.hasStatistics());
    answers->become(Status::Waiting, u"has stopped"_s);
    QTRY_COMPARE(monitor.state(), PoolMonitor::Waiting);
    // The end, with the statistics of the last moment.
    QByteArray last = sampleSnapshot();
    last.replace("\"live\": 8160", "\"live\": 77");
    answers->become(Status::Gone, u"designer has ended"_s, last);
    QTRY_COMPARE(monitor.state(), PoolMonitor::Gone);
    QCOMPARE(monitor.error(), u"designer has ended"_s);
    QCOMPARE(monitor.liveBytes(), 77);
    QVERIFY(monitor.hasStatistics());
    const int reads = answers->reads;
    monitor.setPaused(true);
    monitor.setPaused(false);
    QCoreApplication::processEvents();
    QCOMPARE(answers->reads, reads); // no more reads after the end

    // Another source starts with nothing of the last one.
    answers->become(Status::Incompatible, u"of version 9"_s);
    monitor.setSource(std::make_unique<FakeSource>(SnapshotSource::Kind::Process, u"x"_s, answers));
    QCOMPARE(monitor.state(), PoolMonitor::Incompatible);
    QVERIFY(!monitor.hasStatistics());
    QCOMPARE(monitor.events()->allocated(), 0);
    QCOMPARE(monitor.arenas()->total(), 0);
    QVERIFY(monitor.history().isEmpty());
}

void tst_HistogramModels::pausedMonitorKeepsItsValues()
{
    auto answers = std::make_shared<FakeAnswers>();
    answers->become(SnapshotSource::Status::Ready, {}, sampleSnapshot());
    PoolMonitor monitor;
    monitor.setSource(
            std::make_unique<FakeSource>(SnapshotSource::Kind::Process, u"designer"_s, answers));
    monitor.setPaused(true);
    QByteArray last = sampleSnapshot();
    last.replace("\"live\": 8160", "\"live\": 77");
    answers->become(SnapshotSource::Status::Gone, u"designer has ended"_s, last);
    QTRY_COMPARE(monitor.state(), PoolMonitor::Gone);
    QCOMPARE(monitor.liveBytes(), 8160); // unchanged in the pause
}

// After exec() the process has other statistics.
void tst_HistogramModels::anotherProgramStartsAnew()
{
    using Status = SnapshotSource::Status;
    auto answers = std::make_shared<FakeAnswers>();
    answers->become(Status::Ready, {}, sampleSnapshot());
    PoolMonitor monitor;
    monitor.setSource(std::make_unique<FakeSource>(SnapshotSource::Kind::Process, u"restarts"_s, answers));
    monitor.takeCensus();
    monitor.classes()->toggleMark();
    monitor.reset();
    QVERIFY(!monitor.resetTime().isEmpty());
    answers->become(Status::Waiting, u"has stopped publishing"_s);
    monitor.sample();
    QCOMPARE(monitor.state(), PoolMonitor::Waiting);
    QVERIFY(!monitor.resetTime().isEmpty()); // it may go on
    answers->become(Status::Ready, {}, sampleSnapshot());
    monitor.sample();
    QCOMPARE(monitor.state(), PoolMonitor::Ready);
    QVERIFY(monitor.resetTime().isEmpty());
    QCOMPARE(monitor.events()->allocated(), 1500);
    QCOMPARE(monitor.history().points().size(), 1);
    QVERIFY(!monitor.classes()->isMarked());
    QCOMPARE(monitor.classes()->total(), 0);
}

void tst_HistogramModels::sessionTellsOfWhenItsClassesAre()
{
    auto answers = std::make_shared<FakeAnswers>();
    answers->become(SnapshotSource::Status::Ready, {}, sampleSnapshot());
    PoolMonitor monitor;
    monitor.setSource(std::make_unique<FakeSource>(SnapshotSource::Kind::Process, u"ends"_s, answers));
    monitor.takeCensus();
    monitor.apply(sampleSnapshot(), 600'000); // ten minutes later
    answers->census = { {}, 0, u"process 4242 has ended"_s };
    answers->become(SnapshotSource::Status::Gone, u"it has ended"_s);
    monitor.sample();
    QCOMPARE(monitor.state(), PoolMonitor::Gone);
    monitor.takeCensus();
    const QPoolStatistics::Session session = monitor.takeSession();
    QCOMPARE(session.classes->size(), sampleCensus().classes.size());
    QVERIFY(session.classesProblem.contains(u"s before the other numbers"_s));

    answers->census = sampleCensus();
    answers->become(SnapshotSource::Status::Ready, {}, sampleSnapshot());
    monitor.setSource(std::make_unique<FakeSource>(SnapshotSource::Kind::Process, u"ends"_s, answers));
    monitor.takeCensus();
    answers->become(SnapshotSource::Status::Gone, u"it has ended"_s);
    monitor.sample();
    QCOMPARE(monitor.takeSession().classesProblem, QString());
}

// The superuser may replace a device by a file.
void tst_HistogramModels::writesToDevicesAndPipes()
{
    using QPoolStatistics::writeWhole;
    QTemporaryDir folder;
    QString error;
    const QString pipe = folder.filePath(u"pipe"_s);
    QCOMPARE(mkfifo(pipe.toLocal8Bit().constData(), 0600), 0);
    const int reader = open(pipe.toLocal8Bit().constData(), O_RDWR); // so that opening it does not wait
    QVERIFY(reader >= 0);
    QVERIFY2(writeWhole(pipe, "text", &error), qPrintable(error));
    char text[5] = {};
    QCOMPARE(read(reader, text, sizeof(text)), ssize_t(4));
    close(reader);
    QVERIFY(QPoolStatistics::isSpecialFile(pipe));

    const QString file = folder.filePath(u"file"_s);
    QVERIFY(writeWhole(file, "older", &error));
    QVERIFY(writeWhole(file, "new", &error));
    QCOMPARE(QFileInfo(file).size(), 3);
    QVERIFY(!writeWhole(u"/dev/full"_s, "text", &error));
    QVERIFY(!writeWhole(folder.path(), "text", &error));
    QVERIFY(!error.isEmpty());
}

QTEST_GUILESS_MAIN(tst_HistogramModels)

#include "tst_histogrammodels.moc"
