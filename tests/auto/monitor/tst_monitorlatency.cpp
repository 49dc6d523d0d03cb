// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../shared/samplelatency.h"

#include <qpoollatencyhistory.h>
#include <qpoolstatisticsnumber.h>

#include <QtTest/QTest>

using namespace QPoolStatistics;
using namespace Qt::StringLiterals;

// The statistics of event latency: their JSON, their order, and the differences between readings.
class tst_MonitorLatency : public QObject
{
    Q_OBJECT

private slots:
    void readsEveryMember();
    void titlesNameSlotAndSignal();
    void readsThatNothingIsRecorded();
    void refusesBadJson_data();
    void refusesBadJson();
    void sameRowsAreAddedUp();
    void namesAreOneLine();
    void hugeCountsDoNotOverflow();
    void bucketsGrowWithTheirValues();
    void addsDistributions();
    void subtractsAnEarlierReading();
    void sortsByPartAndMeasure_data();
    void sortsByPartAndMeasure();
    void filtersByClassTypeAndThread();
    void barsMergeBucketsWithoutAGap();
    void levelsEndAtPowersOfTen();
    void historyKeepsWatchedIntervals();
    void historyIsBounded();
    void durationsHaveTheirUnits();
};

static LatencyStatistics statisticsOf(const QJsonObject &object)
{
    QString error;
    const auto result = LatencyStatistics::fromJson(SampleLatency::text(object), &error);
    return result ? *result : (qWarning("%s", qPrintable(error)), LatencyStatistics());
}

static QStringList classes(const QList<EventLatency> &rows)
{
    QStringList result;
    for (const EventLatency &row : rows)
        result += row.className;
    return result;
}

void tst_MonitorLatency::readsEveryMember()
{
    const LatencyStatistics statistics = statisticsOf(SampleLatency::sample());
    QCOMPARE(statistics.pid, 4242);
    QVERIFY(statistics.enabled);
    QCOMPARE(statistics.unfinished, 3);
    QCOMPARE(statistics.leftOut, 0);
    QCOMPARE(statistics.threads.size(), 2);
    QCOMPARE(statistics.threads.at(1).name, u"worker"_s);
    QCOMPARE(statistics.threads.at(1).unfinished, 3);
    QVERIFY(statistics.longestQueue() && statistics.longestQueue()->id == 4243);
    QVERIFY(!LatencyStatistics().longestQueue());
    QCOMPARE(statistics.nameOf(4243), u"worker"_s);
    QCOMPARE(statistics.nameOf(99), u"thread 99"_s);
    QCOMPARE(statistics.events.size(), 4);
    const EventLatency &window = statistics.events.at(2);
    QCOMPARE(window.className, u"Window"_s);
    QCOMPARE(window.type, u"UpdateRequest"_s);
    QCOMPARE(window.number, 77);
    QCOMPARE(window.delivered, 200);
    QCOMPARE(window.notDelivered(), 12);
    QCOMPARE(window.wait.p99, 80'000'000);
    QCOMPARE(window.run.worst, 950'000);
    QCOMPARE(window.wait.buckets.size(), 2);
    QCOMPARE(statistics.sum().delivered, 1310);
}

void tst_MonitorLatency::titlesNameSlotAndSignal()
{
    QJsonObject object = SampleLatency::none();
    QJsonArray rows;
    const auto add = [&rows](const char *slot, const char *signal) {
        const QJsonObject times = SampleLatency::times(0, 0, 0, {});
        QJsonObject row = SampleLatency::row("Model", "MetaCall", 43, 4242, 1, times, times);
        if (slot)
            row.insert("slot", slot);
        if (signal)
            row.insert("signal", signal);
        rows.append(row);
    };
    add(nullptr, nullptr);
    add(nullptr, "View::changed(int)");
    add("Base::take(int)", nullptr);
    add("Model::take(int)", "View::changed(int)");
    add("Model::take(int)", "View::changed(int)");
    add("Model::take(int)", "View::\nother()");
    object["events"] = rows;
    const LatencyStatistics statistics = statisticsOf(object);
    QStringList titles;
    for (const EventLatency &row : statistics.events)
        titles.append(row.title() + u' ' + QString::number(row.delivered));
    QCOMPARE(titles, (QStringList { u"MetaCall 1"_s, u"MetaCall from View::changed(int) 1"_s,
                                    u"Base::take(int) 1"_s, u"take(int) from View::\\x0aother() 1"_s,
                                    u"take(int) from View::changed(int) 2"_s }));
    QCOMPARE(filtered(statistics, u"base::"_s).size(), 1);
    QCOMPARE(filtered(statistics, u"other"_s).size(), 1);
}

void tst_MonitorLatency::readsThatNothingIsRecorded()
{
    const LatencyStatistics statistics = statisticsOf(SampleLatency::none(false));
    QVERIFY(!statistics.enabled);
    QVERIFY(statistics.events.isEmpty());
}

void tst_MonitorLatency::refusesBadJson_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("error");
    QTest::addColumn<bool>("otherVersion");
    const QByteArray sound = SampleLatency::text(SampleLatency::sample());
    const auto with = [&](const char *before, const char *after) {
        QByteArray json = sound;
        const qsizetype at = json.indexOf(before);
        return at < 0 ? QByteArray() : json.replace(at, qstrlen(before), after);
    };
    QTest::newRow("nothing") << QByteArray() << u"it is not JSON"_s << false;
    QTest::newRow("cut") << sound.left(100) << u"it is not JSON"_s << false;
    QTest::newRow("array") << QByteArray("[1]") << u"it is not a JSON object"_s << false;
    QTest::newRow("version") << with("\"version\":1", "\"version\":2")
                             << u"it has version 2 of the format, and this program reads version 1"_s << true;
    QTest::newRow("no version") << with("\"version\"", "\"other\"") << u"'version' is missing"_s << false;
    QTest::newRow("threads") << with("\"threads\":[", "\"threads\":1,\"x\":[") << u"'threads'"_s << false;
    QTest::newRow("number") << with("\"delivered\":", "\"delivered\":\"x\",\"y\":") << u"'delivered'"_s << false;
    QTest::newRow("negative") << with("\"posted\":1250", "\"posted\":-1") << u"'posted' is not a count"_s << false;
    QTest::newRow("wait") << with("\"wait\":{", "\"wait\":3,\"z\":{") << u"'wait'"_s << false;
    QTest::newRow("order") << with("[[832,900],[11264,100]]", "[[832,900],[832,100]]") << u"growing times"_s << false;
    QTest::newRow("pair") << with("[832,900]", "[832]") << u"growing times"_s << false;
}

void tst_MonitorLatency::refusesBadJson()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, error);
    QFETCH(bool, otherVersion);
    QString reason;
    QVERIFY(!LatencyStatistics::fromJson(json, &reason));
    QVERIFY2(reason.contains(error), qPrintable(reason));
    QCOMPARE(LatencyStatistics::isOtherVersion(json), otherVersion);
}

// The number of a thread that has ended may be another one's.
void tst_MonitorLatency::sameRowsAreAddedUp()
{
    QJsonObject object = SampleLatency::sample();
    QJsonArray events = object["events"].toArray();
    events.append(events.at(1));
    object["events"] = events;
    QJsonArray threads = object["threads"].toArray();
    threads.append(SampleLatency::thread(4243, "second", 5, 7, true));
    object["threads"] = threads;
    const LatencyStatistics statistics = statisticsOf(object);
    QCOMPARE(statistics.events.size(), 4);
    QCOMPARE(statistics.events.first().className, u"Model"_s);
    QCOMPARE(statistics.events.first().delivered, 2000);
    QCOMPARE(statistics.events.first().wait.buckets.first().count, 1800);
    QCOMPARE(statistics.threads.size(), 2);
    QCOMPARE(statistics.threads.at(1).delivered, 107);
    QCOMPARE(statistics.threads.at(1).name, u"second"_s);
    QVERIFY(!statistics.threads.at(1).ended);
}

void tst_MonitorLatency::namesAreOneLine()
{
    QJsonObject object = SampleLatency::none();
    const QJsonObject times = SampleLatency::times(0, 0, 0, {});
    object["events"] = QJsonArray { SampleLatency::row("a\nb\x1b[2J", "t\r", 1, 1, 1, times, times) };
    const LatencyStatistics statistics = statisticsOf(object);
    QCOMPARE(statistics.events.first().className, u"a\\x0ab\\x1b[2J"_s);
    QCOMPARE(statistics.events.first().type, u"t\\x0d"_s);
}

// No sum overflows, whatever a process claims.
void tst_MonitorLatency::hugeCountsDoNotOverflow()
{
    constexpr qint64 huge = std::numeric_limits<qint64>::max();
    QJsonObject times { { "count", huge }, { "total", huge }, { "p50", huge }, { "p99", huge },
                        { "worst", huge }, { "histogram", QJsonArray { QJsonArray { 7, huge } } } };
    QJsonObject object = SampleLatency::none();
    QJsonArray events;
    for (int i = 0; i < 3000; ++i)
        events.append(SampleLatency::row("Same", "MetaCall", 43, 1, huge, times, times));
    object["events"] = events;
    const LatencyStatistics statistics = statisticsOf(object);
    QCOMPARE(statistics.events.size(), 1);
    QVERIFY(statistics.events.first().delivered > 0);
    QVERIFY(statistics.events.first().wait.total > 0);
    QVERIFY(statistics.sum().notDelivered() >= 0);
    QVERIFY(barsOf(statistics.events.first()).size() == 1);
}

// An eighth of a power of two; below 16 each nanosecond has its own.
void tst_MonitorLatency::bucketsGrowWithTheirValues()
{
    const auto endOf = [](qint64 least) { return LatencyDistribution::Bucket { least, 1 }.end(); };
    QCOMPARE(endOf(0), 1);
    QCOMPARE(endOf(7), 8);
    QCOMPARE(endOf(15), 16);
    QCOMPARE(endOf(16), 18);
    QCOMPARE(endOf(30), 32);
    QCOMPARE(endOf(1024), 1152);
    QCOMPARE(endOf(1920), 2048);
}

static LatencyDistribution distribution(const QList<LatencyDistribution::Bucket> &buckets, qint64 worst)
{
    LatencyDistribution result;
    result.buckets = buckets;
    result.worst = worst;
    for (const auto &bucket : buckets) {
        result.count += bucket.count;
        result.total += bucket.count * bucket.least;
    }
    return result;
}

void tst_MonitorLatency::addsDistributions()
{
    LatencyDistribution sum = distribution({ { 16, 50 }, { 64, 40 } }, 70);
    sum.add(distribution({ { 8, 5 }, { 64, 4 }, { 1024, 1 } }, 1100));
    QCOMPARE(sum.count, 100);
    QCOMPARE(sum.worst, 1100);
    const QList<LatencyDistribution::Bucket> expected { { 8, 5 }, { 16, 50 }, { 64, 44 }, { 1024, 1 } };
    QCOMPARE(sum.buckets, expected);
    QCOMPARE(sum.p50, 17);
    QCOMPARE(sum.p99, 71);
}

void tst_MonitorLatency::subtractsAnEarlierReading()
{
    const LatencyDistribution before = distribution({ { 16, 50 }, { 1024, 2 } }, 1100);
    LatencyDistribution now = distribution({ { 8, 1 }, { 16, 60 }, { 64, 3 }, { 1024, 2 } }, 1100);
    LatencyDistribution interval = now.since(before);
    const QList<LatencyDistribution::Bucket> expected { { 8, 1 }, { 16, 10 }, { 64, 3 } };
    QCOMPARE(interval.buckets, expected);
    QCOMPARE(interval.count, 14);
    QCOMPARE(interval.p50, 17);
    QCOMPARE(interval.p99, 71);
    QCOMPARE(interval.worst, 71); // the end of the bucket: a longer wait was before
    now.worst = 1150;
    now.buckets.last().count = 3;
    interval = now.since(before);
    QCOMPARE(interval.worst, 1150);
    // Nothing new; and lower counts, of another process, are none.
    QCOMPARE(before.since(now).count, 0);
    QCOMPARE(before.since(before).count, 0);
    QCOMPARE(before.since(before).worst, 0);
}

void tst_MonitorLatency::sortsByPartAndMeasure_data()
{
    QTest::addColumn<int>("part");
    QTest::addColumn<int>("measure");
    QTest::addColumn<QStringList>("expected");
    const QStringList byWait { u"Window"_s, u"Worker"_s, u"QTimer"_s, u"Model"_s };
    const QStringList byRun { u"Worker"_s, u"Window"_s, u"QTimer"_s, u"Model"_s };
    QTest::newRow("wait p99") << int(LatencyOrder::Wait) << int(LatencyOrder::P99) << byWait;
    QTest::newRow("wait worst") << int(LatencyOrder::Wait) << int(LatencyOrder::Worst) << byWait;
    QTest::newRow("wait total") << int(LatencyOrder::Wait) << int(LatencyOrder::Total)
                                << QStringList { u"Window"_s, u"Worker"_s, u"Model"_s, u"QTimer"_s };
    QTest::newRow("run p99") << int(LatencyOrder::Run) << int(LatencyOrder::P99) << byRun;
    QTest::newRow("run total") << int(LatencyOrder::Run) << int(LatencyOrder::Total)
                               << QStringList { u"Worker"_s, u"Window"_s, u"Model"_s, u"QTimer"_s };
}

void tst_MonitorLatency::sortsByPartAndMeasure()
{
    QFETCH(int, part);
    QFETCH(int, measure);
    QFETCH(QStringList, expected);
    const LatencyOrder order { LatencyOrder::Part(part), LatencyOrder::Measure(measure) };
    QList<EventLatency> rows = statisticsOf(SampleLatency::sample()).events;
    order.sort(&rows);
    QCOMPARE(classes(rows), expected);
    for (qsizetype i = 1; i < rows.size(); ++i)
        QVERIFY(order.valueOf(rows.at(i - 1)) >= order.valueOf(rows.at(i)));
}

void tst_MonitorLatency::filtersByClassTypeAndThread()
{
    const LatencyStatistics statistics = statisticsOf(SampleLatency::sample());
    QCOMPARE(classes(filtered(statistics, {})).size(), 4);
    QCOMPARE(classes(filtered(statistics, u"window"_s)), QStringList(u"Window"_s));
    QCOMPARE(classes(filtered(statistics, u"METACALL"_s)), (QStringList { u"Model"_s, u"Worker"_s }));
    QCOMPARE(classes(filtered(statistics, u"4243"_s)), QStringList(u"Worker"_s));
    QCOMPARE(classes(filtered(statistics, u"program"_s)).size(), 3);
    QVERIFY(filtered(statistics, u"nothing"_s).isEmpty());
}

void tst_MonitorLatency::barsMergeBucketsWithoutAGap()
{
    EventLatency row;
    QVERIFY(barsOf(row).isEmpty());
    row.wait = distribution({ { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 4 } }, 3);
    row.run = distribution({ { 8, 5 }, { 15, 6 } }, 15);
    const QList<LatencyBar> bars = barsOf(row);
    QCOMPARE(bars.size(), 5); // without a gap
    QCOMPARE(bars.at(0).end, 1);
    QCOMPARE(bars.at(0).waits, 1);
    QCOMPARE(bars.at(1).waits, 2);
    QCOMPARE(bars.at(2).waits, 7);
    QCOMPARE(bars.at(3).waits, 0);
    QCOMPARE(bars.at(4).least, 8);
    QCOMPARE(bars.at(4).end, 16);
    QCOMPARE(bars.at(4).runs, 11);
}

void tst_MonitorLatency::levelsEndAtPowersOfTen()
{
    QCOMPARE(LatencyHistory::levelOf(LatencyHistory::Wait, 0), 0);
    QCOMPARE(LatencyHistory::levelOf(LatencyHistory::Wait, 1000), 0);
    QCOMPARE(LatencyHistory::levelOf(LatencyHistory::Wait, 1001), 1);
    QCOMPARE(LatencyHistory::levelOf(LatencyHistory::Wait, 10'000), 1);
    QCOMPARE(LatencyHistory::levelOf(LatencyHistory::Wait, 1'000'000), 3);
    QCOMPARE(LatencyHistory::levelOf(LatencyHistory::Wait, 100'000'000), 5);
    QCOMPARE(LatencyHistory::levelOf(LatencyHistory::Wait, 100'000'001), 6);
    QCOMPARE(LatencyHistory::levelOf(LatencyHistory::Wait, std::numeric_limits<qint64>::max()), 6);
    QCOMPARE(LatencyHistory::nameOfLevel(LatencyHistory::Wait, 6), u"> 100 ms"_s);
    QCOMPARE(LatencyHistory::nameOfLevel(LatencyHistory::Wait, 7), QString());
    QCOMPARE(LatencyHistory::levelOf(LatencyHistory::Queue, 1), 0);
    QCOMPARE(LatencyHistory::levelOf(LatencyHistory::Queue, 2), 1);
    QCOMPARE(LatencyHistory::levelOf(LatencyHistory::Queue, 100'000), 5);
    QCOMPARE(LatencyHistory::levelOf(LatencyHistory::Queue, 100'001), 6);
    QCOMPARE(LatencyHistory::nameOfLevel(LatencyHistory::Queue, 6), u"> 100,000"_s);
}

void tst_MonitorLatency::historyKeepsWatchedIntervals()
{
    LatencyHistory history;
    history.add(statisticsOf(SampleLatency::sample()), 1000);
    QVERIFY(history.isEmpty()); // what was before belongs to no interval
    const QJsonObject second = SampleLatency::later(SampleLatency::sample(), 2, 655'360, 4);
    history.add(statisticsOf(second), 2000);
    QCOMPARE(history.intervalCount(), 1);
    QCOMPARE(history.rows().size(), 1);
    QCOMPARE(history.rows().first().thread, 4243);
    QCOMPARE(history.rows().first().name, u"worker"_s);
    QCOMPARE(history.cell(4243, 0).count, 4);
    QCOMPARE(history.cell(4243, 0).p99, 720'895);
    QCOMPARE(history.cell(4243, 0).level(LatencyHistory::Wait), 3);
    QCOMPARE(history.cell(4242, 0).level(LatencyHistory::Wait), -1);
    const QJsonObject third = SampleLatency::later(second, 0, 125'829'120, 1);
    history.add(statisticsOf(third), 3500);
    QCOMPARE(history.intervalCount(), 2);
    QCOMPARE(history.ageOfBegin(0), 2500);
    QCOMPARE(history.ageOfEnd(0), 1500);
    QCOMPARE(history.ageOfBegin(1), 1500);
    QCOMPARE(history.ageOfEnd(1), 0);
    QCOMPARE(history.rows().first().thread, 4242); // the main thread is the first
    QCOMPARE(history.cell(4242, 1).worst, 125'829'120);
    QCOMPARE(history.cell(4242, 1).level(LatencyHistory::Wait), 6);
    QCOMPARE(history.cell(4243, 1).level(LatencyHistory::Wait), -1);
    QCOMPARE(history.cell(4243, 1).level(LatencyHistory::Queue), 1);
    QCOMPARE(history.cell(4242, 1).level(LatencyHistory::Queue), -1);
    history.interrupt(); // during a pause
    history.add(statisticsOf(SampleLatency::later(third, 0, 125'829'120, 5)), 60'000);
    QCOMPARE(history.intervalCount(), 2);
    history.clear();
    QVERIFY(history.isEmpty());
    QVERIFY(history.rows().isEmpty());
    history.add(statisticsOf(third), 4000);
    QVERIFY(history.isEmpty());
}

void tst_MonitorLatency::historyIsBounded()
{
    LatencyHistory history;
    QJsonObject object = SampleLatency::later(SampleLatency::sample(), 2, 655'360, 4);
    history.add(statisticsOf(SampleLatency::sample()), 0);
    for (int i = 1; i <= LatencyHistory::MostIntervals + 5; ++i)
        history.add(statisticsOf(object), i * 1000);
    QCOMPARE(history.intervalCount(), LatencyHistory::MostIntervals);
    // The only events were before, but some are unfinished.
    QCOMPARE(history.rows().size(), 1);
    QCOMPARE(history.rows().first().thread, 4243);
}

void tst_MonitorLatency::durationsHaveTheirUnits()
{
    QCOMPARE(duration(0), u"0\u00a0ns"_s);
    QCOMPARE(duration(850), u"850\u00a0ns"_s);
    QCOMPARE(duration(999.6), u"1\u00a0\u00b5s"_s);
    QCOMPARE(duration(1234), u"1.2\u00a0\u00b5s"_s);
    QCOMPARE(duration(123'456), u"123\u00a0\u00b5s"_s);
    QCOMPARE(duration(99'960'000), u"100\u00a0ms"_s);
    QCOMPARE(duration(2e9), u"2\u00a0s"_s);
    QCOMPARE(duration(1.2341e12), u"1,234\u00a0s"_s);
    QCOMPARE(Column::duration(2'000'000), u"2.0 ms"_s);
    QCOMPARE(Column::duration(1500), u"1.5 \u00b5s"_s);
    QCOMPARE(Column::duration(1500, false), u"1.5 us"_s);
}

QTEST_GUILESS_MAIN(tst_MonitorLatency)
#include "tst_monitorlatency.moc"
