// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../shared/samplelatency.h"
#include "export.h"
#include "latencyscreen.h"
#include "samplestatistics.h"
#include "terminalsizes.h"

#include <QtTest/QTest>

using namespace Qt::StringLiterals;
using QPool::PublishedLatency;
using QPoolStatistics::LatencyOrder;
using QPoolStatistics::LatencyStatistics;

// The screen of event latency for given statistics, as text.
class tst_TopLatency : public QObject
{
    Q_OBJECT

private slots:
    void fitsEveryTerminal_data();
    void fitsEveryTerminal();
    void rowsShowWaitsAndRuns();
    void wideRowsShowMoreColumns();
    void saysHowItIsSorted();
    void showsOnlyWhatMatches();
    void selectionFollowsItsClass();
    void selectionStaysInSight();
    void detailsShowBothHistograms();
    void saysThatNothingWasDelivered();
    void saysHowToRecord();
    void showsProblemsAndTheLastValues();
    void drawsOnlyAsciiWithoutUnicode();
    void jsonHasTheRecordedLatency();
    void jsonHasPrintableNames();
    void jsonHasTheProblemInstead();
};

static ShownLatency sample(const QJsonObject &object = SampleLatency::sample())
{
    ShownLatency latency;
    latency.name = u"program"_s;
    latency.pid = 4242;
    QString error;
    if (auto statistics = LatencyStatistics::fromJson(object, &error))
        latency.statistics = *std::move(statistics);
    return latency;
}

static QStringList screen(const ShownLatency &latency, LatencyView &view, const ScreenForm &form = {})
{
    QStringList result;
    for (const ScreenLine &line : latencyScreen(latency, view, form))
        result += line.plainText();
    return result;
}

void tst_TopLatency::fitsEveryTerminal_data()
{
    addTerminalSizes();
}

void tst_TopLatency::fitsEveryTerminal()
{
    QFETCH(int, columns);
    QFETCH(int, rows);
    const ScreenForm form { columns, rows, true };
    ShownLatency unrecorded = sample(SampleLatency::none(false));
    unrecorded.isRecorded = false;
    ShownLatency broken = sample(SampleLatency::none(false));
    broken.problem = QString(300, u'x') + u" and more words"_s;
    for (const ShownLatency &latency : { sample(), sample(SampleLatency::none()), unrecorded, broken }) {
        for (bool help : { false, true }) {
            for (bool details : { false, true }) {
                LatencyView view;
                view.help = help;
                view.select(latency.statistics, 0);
                view.details = details;
                const ScreenLines lines = latencyScreen(latency, view, form);
                QCOMPARE(lines.size(), rows);
                for (const ScreenLine &line : lines)
                    QVERIFY(line.length() <= columns);
            }
        }
    }
}

void tst_TopLatency::rowsShowWaitsAndRuns()
{
    LatencyView view;
    const QStringList lines = screen(sample(), view);
    QCOMPARE(lines.at(0), u"program  process 4242, how long events wait"_s);
    QCOMPARE(lines.at(1), u"delivered 1,310, not delivered 12, unfinished 3 (worker 3), 2 threads"_s);
    QCOMPARE(lines.at(2), u"Sorted by p99 of wait."_s);
    QCOMPARE(lines.at(3), u" wait p99    worst  run p99    worst   events  class: type, thread"_s);
    QCOMPARE(lines.at(4), u"  80.0 ms  95.0 ms   900 \u00b5s   950 \u00b5s      200  Window: UpdateRequest, program"_s);
    QVERIFY2(lines.at(5).endsWith(u"Worker: MetaCall, worker"_s), qPrintable(lines.at(5)));
    QVERIFY(lines.at(7).endsWith(u"Model: MetaCall, program"_s));
    QCOMPARE(lines.size(), 8);
}

void tst_TopLatency::wideRowsShowMoreColumns()
{
    LatencyView view;
    const QStringList lines = screen(sample(), view, { 120, 24, true });
    QCOMPARE(lines.at(3), u" wait p50 wait p99    worst  run p50  run p99    worst   events   others  class: type, thread"_s);
    QCOMPARE(lines.at(4), u"   2.0 ms  80.0 ms  95.0 ms   300 \u00b5s   900 \u00b5s   950 \u00b5s      200       12"
                          u"  Window: UpdateRequest, program"_s);
}

void tst_TopLatency::saysHowItIsSorted()
{
    LatencyView view;
    view.changeMeasure();
    QVERIFY(screen(sample(), view).at(2).contains(u"Sorted by worst wait"_s));
    view.changeMeasure();
    QVERIFY(screen(sample(), view).at(2).contains(u"Sorted by total wait"_s));
    view.order.part = LatencyOrder::Run;
    const QStringList lines = screen(sample(), view);
    QVERIFY(lines.at(2).contains(u"Sorted by total run"_s));
    QVERIFY(lines.at(4).contains(u"Worker"_s));
    view.changeMeasure();
    QVERIFY(screen(sample(), view).at(2).contains(u"Sorted by p99 of run"_s));
}

void tst_TopLatency::showsOnlyWhatMatches()
{
    LatencyView view;
    view.filter = u"metacall"_s;
    QStringList lines = screen(sample(), view);
    QVERIFY(lines.at(2).startsWith(u"Filter: metacall. "_s));
    QCOMPARE(lines.size(), 6);
    view.filter = u"none of them"_s;
    QCOMPARE(screen(sample(), view).at(3), u"No class, type or thread matches."_s);
}

static int selectedLine(const ScreenLines &lines)
{
    int result = -1;
    for (int i = 0; i < lines.size(); ++i) {
        for (const ScreenLine::Part &part : lines.at(i).parts()) {
            if (part.style == Style::Selected) {
                if (result >= 0)
                    return -2;
                result = i;
            }
        }
    }
    return result;
}

// It belongs to a class, wherever that is in the list.
void tst_TopLatency::selectionFollowsItsClass()
{
    LatencyView view;
    const ShownLatency latency = sample();
    QCOMPARE(selectedLine(latencyScreen(latency, view, {})), 4);
    view.select(latency.statistics, 1);
    QCOMPARE(view.selected.className, u"Worker"_s);
    QCOMPARE(selectedLine(latencyScreen(latency, view, {})), 5);
    view.order.part = LatencyOrder::Run;
    QCOMPARE(selectedLine(latencyScreen(latency, view, {})), 4);
    view.select(latency.statistics, std::numeric_limits<int>::max());
    QCOMPARE(view.selected.className, u"Model"_s);
    view.select(latency.statistics, -100);
    QCOMPARE(view.selected.className, u"Worker"_s);
    view.filter = u"Window"_s;
    QCOMPARE(selectedLine(latencyScreen(latency, view, {})), 4);
    QCOMPARE(view.selected.className, u"Window"_s);
}

void tst_TopLatency::selectionStaysInSight()
{
    QJsonObject object = SampleLatency::sample();
    QJsonArray events = object["events"].toArray();
    for (int i = 0; i < 60; ++i) {
        QJsonObject row = events.at(3).toObject();
        row["number"] = 2000 + i;
        events.append(row);
    }
    object["events"] = events;
    const ShownLatency latency = sample(object);
    LatencyView view;
    const ScreenForm form { 80, 24, true };
    for (int i = 0; i < 70; ++i) {
        const int line = selectedLine(latencyScreen(latency, view, form));
        QVERIFY2(line >= 4 && line <= 22, qPrintable(QString::number(line)));
        view.select(latency.statistics, 1);
    }
    view.select(latency.statistics, -1000);
    QCOMPARE(selectedLine(latencyScreen(latency, view, form)), 4);
}

void tst_TopLatency::detailsShowBothHistograms()
{
    LatencyView view;
    const ShownLatency latency = sample();
    view.select(latency.statistics, 0);
    view.details = true;
    const QStringList lines = screen(latency, view);
    QCOMPARE(lines.at(3), u"Window: UpdateRequest, program"_s);
    QCOMPARE(lines.at(4), u"delivered 200, removed 8, receiver destroyed 0, compressed 4, lost 0"_s);
    QVERIFY2(lines.at(5).startsWith(u"wait  p50 2.0 ms   p99 80.0 ms   worst 95.0 ms   mean "_s), qPrintable(lines.at(5)));
    QVERIFY(lines.at(6).startsWith(u"run   p50 300 \u00b5s   p99 900 \u00b5s   worst 950 \u00b5s"_s));
    QVERIFY(lines.at(8).contains(u"wait"_s) && lines.at(8).contains(u"run"_s));
    QVERIFY2(lines.at(9).startsWith(u"    524 \u00b5s"_s), qPrintable(lines.at(9)));
    QVERIFY(lines.at(9).endsWith(u" 180"_s)); // runs of up to 524 us
    QVERIFY(lines.at(10).endsWith(u" 20"_s));
    QVERIFY(lines.at(11).contains(u" 190"_s)); // waits of up to 2.1 ms
    QVERIFY(lines.last().contains(u"134 ms"_s));
    for (const QString &line : lines)
        QVERIFY(line.size() <= 80);

    // Of a class without events, the list again.
    view.selected.className = u"Gone"_s;
    QVERIFY(screen(latency, view).at(3).contains(u"wait p99"_s));
    QVERIFY(!view.details);
}

void tst_TopLatency::saysThatNothingWasDelivered()
{
    LatencyView view;
    const QStringList lines = screen(sample(SampleLatency::none()), view);
    QCOMPARE(lines.at(1), u"delivered 0, not delivered 0, unfinished 0, 0 threads"_s);
    QCOMPARE(lines.at(3), u"No posted event has been delivered yet."_s);
}

void tst_TopLatency::saysHowToRecord()
{
    ShownLatency latency = sample(SampleLatency::none(false));
    latency.isRecorded = false;
    latency.problem = u"process 4242 (program) does not record how long events wait"_s;
    LatencyView view;
    const QString text = screen(latency, view).join(u'\n');
    QVERIFY(text.contains(u"This process does not record how long events wait."_s));
    QVERIFY(text.contains(u"./qpool run --latency -- PROGRAM"_s));
}

void tst_TopLatency::showsProblemsAndTheLastValues()
{
    ShownLatency latency = sample(SampleLatency::none(false));
    latency.problem = u"the event latency of process 4242 (program) can't be read: it has version 9 of the"
                      u" format, and this program reads version 1"_s;
    LatencyView view;
    QStringList lines = screen(latency, view);
    QCOMPARE(lines.mid(3).join(u' '), latency.problem + u'.');
    QVERIFY(lines.size() > 4);
    // After a problem the last statistics stay.
    latency = sample();
    latency.problem = u"The process has ended"_s;
    lines = screen(latency, view);
    QVERIFY(lines.at(2).startsWith(u"The process has ended. "_s));
    QVERIFY(lines.at(4).contains(u"Window"_s));
}

void tst_TopLatency::drawsOnlyAsciiWithoutUnicode()
{
    QJsonObject object = SampleLatency::sample();
    QJsonArray events = object["events"].toArray();
    QJsonObject row = events.first().toObject();
    row["class"] = u"K\u00e4fer\u6f22"_s;
    events.replace(0, row);
    object["events"] = events;
    for (bool details : { false, true }) {
        LatencyView view;
        view.select(sample(object).statistics, 0);
        view.details = details;
        const QStringList lines = screen(sample(object), view, { 80, 24, false });
        for (const QString &line : lines) {
            for (QChar c : line)
                QVERIFY2(c.unicode() < 0x7f, qPrintable(line));
        }
        QVERIFY(lines.join(u'\n').contains(u"K?fer?"_s));
        QVERIFY(lines.join(u'\n').contains(u" us"_s));
    }
}

void tst_TopLatency::jsonHasTheRecordedLatency()
{
    PublishedLatency latency;
    QJsonObject root = QJsonDocument::fromJson(Export::json(sampleStatistics(), {}, latency)).object();
    QVERIFY(!root.contains("latency"_L1));
    QVERIFY(!root.contains("latencyProblem"_L1)); // not to record is none
    latency.state = PublishedLatency::Recorded;
    latency.text = { 1, SampleLatency::text(SampleLatency::sample()).toStdString() };
    const QByteArray text = Export::json(sampleStatistics(), {}, latency);
    QCOMPARE(text.count('\n'), 1);
    root = QJsonDocument::fromJson(text).object();
    QCOMPARE(root["latency"].toObject(), SampleLatency::sample());
    QCOMPARE(root["pid"].toInteger(), 4711);
}

// The process wrote the text, and may have put anything into it.
void tst_TopLatency::jsonHasPrintableNames()
{
    QJsonObject object = SampleLatency::sample();
    object["a\x1b[2J"_L1] = QJsonArray { u"\u202eb"_s, QJsonObject { { u"c"_s, u"\u009b"_s } } };
    PublishedLatency latency;
    latency.state = PublishedLatency::Recorded;
    latency.text = { 1, SampleLatency::text(object).toStdString() };
    const QByteArray text = Export::json(sampleStatistics(), {}, latency);
    QVERIFY(!QString::fromUtf8(text).contains(QChar(0x9b)));
    QVERIFY(!QString::fromUtf8(text).contains(QChar(0x202e)));
    const QJsonObject written = QJsonDocument::fromJson(text).object()["latency"].toObject();
    const QJsonArray changed { u"\\u202eb"_s, QJsonObject { { u"c"_s, u"\\u009b"_s } } };
    QCOMPARE(written["a\\x1b[2J"_L1].toArray(), changed);
}

void tst_TopLatency::jsonHasTheProblemInstead()
{
    PublishedLatency latency;
    latency.state = PublishedLatency::Recorded;
    latency.text = { 1, "{\"version\":1,\"pid\":1,\"enabled\":true}" };
    QJsonObject root = QJsonDocument::fromJson(Export::json(sampleStatistics(), {}, latency)).object();
    QVERIFY(!root.contains("latency"_L1));
    QCOMPARE(root["latencyProblem"].toString(), u"'dropped' is missing or not a number"_s);
    latency = {};
    latency.state = PublishedLatency::Incompatible;
    latency.problem = "it has another version";
    root = QJsonDocument::fromJson(Export::json(sampleStatistics(), {}, latency)).object();
    QCOMPARE(root["latencyProblem"].toString(), u"it has another version"_s);
}

QTEST_GUILESS_MAIN(tst_TopLatency)
#include "tst_toplatency.moc"
