// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "export.h"
#include "listscreen.h"
#include "processscreen.h"
#include "samplestatistics.h"
#include "terminalsizes.h"

#include <qpoolstatisticstable.h>

#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtTest/QTest>

using namespace Qt::StringLiterals;

// The screen for given statistics, as text.
class tst_TopScreens : public QObject
{
    Q_OBJECT

private slots:
    void fitsEveryTerminal_data();
    void fitsEveryTerminal();
    void showsTheStatistics();
    void namesThreads();
    void drawsOnlyAsciiWithoutUnicode();
    void showsTheChosenMeasure();
    void ratesAreOfTheLastSecond();
    void countsFromTheBaseline();
    void showsOnlyWhatMatches();
    void scrollsNoFurtherThanTheEnds();
    void showsWhetherDisabledOrPaused();
    void tellsOfUnpublishedArenas();
    void replacesUnprintableCharacters();
    void listShowsTheSelectedProcess();
    void segmentsTakeAThirdOfTheScreen();
    void showsCachesByCategory();
    void tellsOfCachesNotSeen();
    void tabGoesRound();
    void csvHasALinePerClassAndArena();
    void jsonHasTheStatistics();
    void jsonHasTheCaches();
};

constexpr quint64 Start = 1700000000000u;

static QStringList textOf(const ScreenLines &lines)
{
    QStringList result;
    for (const ScreenLine &line : lines)
        result += line.plainText();
    return result;
}

static QStringList screen(const FollowedProcess &process, ProcessView view = {},
                          const ScreenForm &form = {})
{
    return textOf(processScreen(process, view, form, qint64(Start) + 61000));
}

// The line that has \a part in it, or an empty one.
static QString lineWith(const QStringList &lines, const QString &part)
{
    for (const QString &line : lines) {
        if (line.contains(part))
            return line;
    }
    return {};
}

void tst_TopScreens::fitsEveryTerminal_data()
{
    addTerminalSizes();
}

void tst_TopScreens::fitsEveryTerminal()
{
    QFETCH(int, columns);
    QFETCH(int, rows);
    FollowedProcess process(u"program"_s, sampleStatistics(), Start);
    process.setCaches(sampleCaches());
    ProcessView view;
    const ScreenForm form { columns, rows, true };
    for (bool help : { false, true }) {
        view.help = help;
        for (ProcessView::Page page : { ProcessView::Classes, ProcessView::Arenas, ProcessView::Caches }) {
            view.page = page;
            const ScreenLines lines = processScreen(process, view, form, Start);
            QCOMPARE(lines.size(), rows);
            for (const ScreenLine &line : lines)
                QVERIFY(line.length() <= columns);
        }
    }
    const ScreenLines list = listScreen({}, 0, {}, form, Start);
    QCOMPARE(list.size(), rows);
}

void tst_TopScreens::showsTheStatistics()
{
    const FollowedProcess process(u"program"_s, sampleStatistics(), Start);
    const QStringList lines = screen(process);
    QCOMPARE(lines.at(0), u"program  process 4711, Qt 6.4.2"_s.leftJustified(68) + u"up 1 min 1 s"_s);
    QCOMPARE(lines.at(1), u"live 1.5M in 22.9 MiB   allocated -/s   freed -/s"_s);
    QCOMPARE(lines.at(2), u"memory 5.0 MiB committed, 3.0 MiB released, 64.0 GiB reserved"_s);
    QCOMPARE(lines.at(3), u"arenas 2, 1 orphaned, 3 adoptions, 6 pages, backlog 12"_s);
    QVERIFY(lineWith(lines, u"bytes"_s + u"  events"_s).contains(u"private parts"_s));
    const QString sixteen = lineWith(lines, u"   16"_s);
    QVERIFY2(sixteen.contains(u" 100 "_s) && sixteen.endsWith(u"1.5M"_s) , qPrintable(sixteen));
    QVERIFY(lineWith(lines, u" 1024"_s).endsWith(u" 1"_s));
    QVERIFY(lineWith(lines, u"7001"_s).contains(u"1.5M"_s));
    QVERIFY(lineWith(lines, u"     2  orphaned"_s).contains(u" 12 "_s));
    QVERIFY(!lineWith(lines, u"adoptions name"_s).isEmpty());
}

void tst_TopScreens::namesThreads()
{
    FollowedProcess process(u"program"_s, sampleStatistics(), Start);
    process.setThreadNames({ { 7001, u"w\u00f6rker"_s } });
    QVERIFY(lineWith(screen(process), u"  7001 "_s).endsWith(u" w\u00f6rker"_s));
}

void tst_TopScreens::drawsOnlyAsciiWithoutUnicode()
{
    const FollowedProcess process(u"progr\u00e4m"_s, sampleStatistics(), Start);
    const QString text = screen(process, {}, { 80, 24, false }).join(u'\n');
    QVERIFY(text.contains(u"###"_s));
    for (QChar c : text)
        QVERIFY(c.unicode() < 0x7f);
}

void tst_TopScreens::showsTheChosenMeasure()
{
    const FollowedProcess process(u"program"_s, sampleStatistics(), Start);
    ProcessView view;
    view.measure = ProcessView::Allocated;
    const QStringList lines = screen(process, view);
    QVERIFY(lineWith(lines, u"   16"_s).contains(u" 1,000 "_s));
    QVERIFY(lineWith(lines, u"   16"_s).endsWith(u"2.5M"_s));
    // The same with bars of realistic lengths: one in 2500 is next to nothing.
    view.logarithmic = false;
    QVERIFY(lineWith(screen(process, view), u"   16"_s).contains(QChar(0x258f)));
}

void tst_TopScreens::ratesAreOfTheLastSecond()
{
    FollowedProcess process(u"program"_s, sampleStatistics(), Start);
    QPool::ProcessStatistics later = sampleStatistics();
    later.domains[0].classes[0].allocated += 500;
    later.domains[0].classes[0].freed += 200;
    later.domains[0].classes[0].remote += 50;
    process.add(later, 500);
    QStringList lines = screen(process);
    QVERIFY2(lines.at(1).endsWith(u"allocated 1,000/s   freed 400/s, 25% remote"_s),
             qPrintable(lines.at(1)));
    ProcessView view;
    view.measure = ProcessView::Rate;
    QVERIFY(lineWith(screen(process, view), u"   16"_s).contains(u" 1,000 "_s));

    // Only the last second counts.
    for (int i = 1; i <= 10; ++i)
        process.add(later, 500 + 500 * i);
    QVERIFY(screen(process).at(1).contains(u"allocated 0/s"_s));
    // Numbers that seem to decrease do not give a negative rate.
    process.add(sampleStatistics(), 6000);
    QVERIFY(screen(process).at(1).contains(u"allocated 0/s"_s));
    process.forgetRates();
    QVERIFY(screen(process).at(1).contains(u"allocated -/s"_s));
}

void tst_TopScreens::countsFromTheBaseline()
{
    FollowedProcess process(u"program"_s, sampleStatistics(), Start);
    process.setBaseline(true);
    QPool::ProcessStatistics later = sampleStatistics();
    later.domains[0].classes[0].allocated += 7;
    process.add(later, 1000);
    ProcessView view;
    view.measure = ProcessView::Allocated;
    QVERIFY(lineWith(screen(process, view), u"   16"_s).contains(u" 7 "_s));
    view.measure = ProcessView::Live;
    QVERIFY(lineWith(screen(process, view), u"   16"_s).contains(u" 107 "_s));
    process.setBaseline(false);
    view.measure = ProcessView::Allocated;
    QVERIFY(lineWith(screen(process, view), u"   16"_s).contains(u" 1,007 "_s));
}

void tst_TopScreens::showsOnlyWhatMatches()
{
    const FollowedProcess process(u"program"_s, sampleStatistics(), Start);
    QString error;
    ProcessView view;
    view.filter = *QPoolStatistics::Filter::parse(u"private 1000-"_s, &error);
    const QStringList lines = screen(process, view);
    QVERIFY(!lineWith(lines, u"Filter: private 1000-"_s).isEmpty());
    QVERIFY(!lineWith(lines, u" 1024"_s).isEmpty());
    QVERIFY(lineWith(lines, u"  120 "_s).isEmpty());
    QVERIFY(lineWith(lines, u"events"_s).isEmpty());
    view.filter = *QPoolStatistics::Filter::parse(u"17"_s, &error);
    QVERIFY(!lineWith(screen(process, view), u"No size class matches."_s).isEmpty());
    view.filter = *QPoolStatistics::Filter::parse(u"#1"_s, &error);
    view.page = ProcessView::Arenas;
    QVERIFY(!lineWith(screen(process, view), u"No arena matches."_s).isEmpty());
}

void tst_TopScreens::scrollsNoFurtherThanTheEnds()
{
    QPool::ProcessStatistics statistics = sampleStatistics();
    statistics.arenas.clear();
    for (std::uint32_t i = 1; i <= 100; ++i)
        statistics.arenas.push_back(arenaStatistics(i, false, i, 0));
    const FollowedProcess process(u"program"_s, statistics, Start);
    ProcessView view;
    view.page = ProcessView::Arenas;
    const ScreenForm form;
    ScreenForm small { 80, 24, true };
    view.scroll = INT_MAX;
    QStringList lines = textOf(processScreen(process, view, small, Start));
    QVERIFY(view.scroll > 0 && view.scroll < 100);
    QVERIFY(lineWith(lines, u"  7001 "_s).isEmpty());
    QVERIFY(!lineWith(lines, u"  7100 "_s).isEmpty());
    QVERIFY(!lineWith(lines, u"adoptions"_s).isEmpty()); // the heading stays
    view.scroll = -5;
    lines = textOf(processScreen(process, view, small, Start));
    QCOMPARE(view.scroll, 0);
    QVERIFY(!lineWith(lines, u"  7001 "_s).isEmpty());
}

void tst_TopScreens::showsWhetherDisabledOrPaused()
{
    QPool::ProcessStatistics statistics = sampleStatistics();
    statistics.enabled = false;
    statistics.domains.clear();
    statistics.arenas.clear();
    const FollowedProcess disabled(u"program"_s, statistics, Start);
    QVERIFY(!lineWith(screen(disabled), u"The pool is disabled"_s).isEmpty());

    const FollowedProcess process(u"program"_s, sampleStatistics(), Start);
    ProcessView view;
    view.paused = true;
    QVERIFY(!lineWith(screen(process, view), u"Paused."_s).isEmpty());
    view.prompt = u"16-3"_s;
    // Also where the lines in front of it have no room.
    for (int rows : { 24, 3, 1 })
        QCOMPARE(screen(process, view, { 80, rows, true }).constLast(), u"Filter: 16-3_"_s);
}

void tst_TopScreens::tellsOfUnpublishedArenas()
{
    QPool::ProcessStatistics statistics = sampleStatistics();
    statistics.missingArenas = 5;
    const FollowedProcess process(u"program"_s, statistics, Start);
    QVERIFY(screen(process).at(3).startsWith(u"arenas 2 and 5 not published"_s));
}

// Another program chooses its name.
void tst_TopScreens::replacesUnprintableCharacters()
{
    const FollowedProcess process(u"a\33[2Jb\u202ec\n\u9b54"_s, sampleStatistics(), Start);
    QVERIFY(screen(process).at(0).startsWith(u"a?[2Jb?c?? "_s));
    QPool::ListedProcess listed;
    listed.pid = 1;
    listed.name = "a\33]0;x\7b";
    const QStringList lines = textOf(listScreen({ listed }, 0, {}, {}, 0));
    QVERIFY(!lineWith(lines, u"a?]0;x?b"_s).isEmpty());
}

void tst_TopScreens::listShowsTheSelectedProcess()
{
    ProcessList processes(40);
    for (std::size_t i = 0; i < processes.size(); ++i) {
        processes[i].pid = qint64(100 + i);
        processes[i].name = "program";
        processes[i].since = Start;
        processes[i].statistics = sampleStatistics();
    }
    processes[1].error = QPool::MonitoredProcess::Incompatible;
    const ScreenForm form { 80, 24, true };
    const QStringList lines = textOf(listScreen(processes, 100, {}, form, qint64(Start) + 5000));
    QCOMPARE(lines.at(1), u"     100  program                    1.5M    22.9 MiB       2  6.4.2         5 s"_s);
    QVERIFY(lines.at(2).contains(u"another version"_s));
    // The selected process is always visible.
    for (qint64 selected : { 100, 121, 122, 139 }) {
        const ScreenLines screen = listScreen(processes, selected, {}, form, qint64(Start));
        int marked = 0;
        for (const ScreenLine &line : screen) {
            for (const ScreenLine::Part &part : line.parts())
                marked += part.style == Style::Selected;
        }
        QCOMPARE(marked, 1);
    }
    const QStringList empty = textOf(listScreen({}, 0, {}, form, 0));
    QCOMPARE(empty.at(0), u"No process publishes statistics."_s);
}

void tst_TopScreens::segmentsTakeAThirdOfTheScreen()
{
    SegmentList segments(12);
    for (std::size_t i = 0; i < segments.size(); ++i)
        segments[i].name = "segment-" + std::to_string(i);
    QPool::SharedStatistics &statistics = segments[0].statistics;
    statistics.bytes = 64 << 20;
    statistics.usedBytes = 3 << 20;
    statistics.usedBlocks = 12345;
    statistics.largestFree = 32 << 20;
    statistics.lock = QPool::SharedLockKind::Futex;
    segments[1].error = QPool::SharedError::OtherAbi;
    segments[2].name = "a\33[2J";
    const QStringList all = textOf(listScreen({}, 0, {}, {}, 0, segments));
    QCOMPARE(all.size(), 2 + 2 + segments.size());
    QCOMPARE(all.at(3), u"  shared memory               size      used   blocks  free run    lock deaths"_s);
    QCOMPARE(all.at(4), u"  segment-0               64.0 MiB   3.0 MiB   12,345  32.0 MiB   futex      0"_s);
    QVERIFY(all.at(5).endsWith(u"another compiler, standard library or word size"_s));
    QVERIFY(all.at(6).startsWith(u"  a?[2J "_s));
    // A third of a screen, and the processes are still there.
    ProcessList processes(40);
    const ScreenForm form { 80, 24, true };
    const QStringList some = textOf(listScreen(processes, 0, {}, form, 0, segments));
    QCOMPARE(some.size(), 24);
    QCOMPARE(some.at(22), u"  and 7 more"_s);
    QCOMPARE(textOf(listScreen(processes, 0, {}, { 80, 6, true }, 0, segments)).size(), 6);
}

void tst_TopScreens::showsCachesByCategory()
{
    FollowedProcess process(u"program"_s, sampleStatistics(), Start);
    QVERIFY(lineWith(screen(process), u"object cache"_s).isEmpty());
    process.setCaches(sampleCaches());
    const QStringList lines = screen(process);
    const QString heading = lineWith(lines, u"object cache"_s);
    QCOMPARE(heading.simplified(), u"object cache bytes in use stocks depot made destroyed own % dep.%"_s);
    QVERIFY2(heading.size() <= 80, qPrintable(heading));
    // The sum of two categories, and these.
    QCOMPARE(lineWith(lines, u"requests"_s).simplified(), u"requests 104 1.5M 60 32 1.5M 8 96 <1"_s);
    QCOMPARE(lineWith(lines, u"network"_s).simplified(), u"network 1.5M 30 16 1.5M 4 96 <1"_s);
    QCOMPARE(lineWith(lines, u"files"_s).simplified(), u"files 8 30 16 58 4 86 2"_s);
    QVERIFY(lineWith(lines, u"files"_s).startsWith(u"  files"_s));
    // A cache with only its own category has one line; without objects taken there are no shares.
    QCOMPARE(lineWith(lines, u"std::vector"_s).simplified(), u"std::vector<Parser> 4,160 0 30 16 50 4 0 17"_s);
    QVERIFY(lineWith(lines, u"(no category)"_s).isEmpty());

    // On their own page, and below the arenas if there is room for all caches.
    ProcessView view;
    QVERIFY(lineWith(screen(process, view, { 80, 20, true }), u"object cache"_s).isEmpty());
    QVERIFY(!lineWith(screen(process, view, { 80, 21, true }), u"object cache"_s).isEmpty());
    view.page = ProcessView::Caches;
    const QStringList page = screen(process, view, { 80, 24, true });
    QVERIFY(page.at(5).startsWith(u"object cache"_s));
    QVERIFY(lineWith(page, u"arena "_s).isEmpty());
    // Without caches the page shows size classes again.
    process.setCaches({});
    QVERIFY(!lineWith(screen(process, view, { 80, 24, true }), u"events"_s).isEmpty());
}

void tst_TopScreens::tellsOfCachesNotSeen()
{
    FollowedProcess process(u"program"_s, sampleStatistics(), Start);
    QPool::CacheListing listing = sampleCaches();
    listing.missing = 3;
    listing.caches[1].categories[0].missingStocks = 1;
    listing.caches[1].name = "\u6f22 cache";
    process.setCaches(listing);
    const QStringList lines = screen(process);
    QVERIFY(!lineWith(lines, u"3 more: created before publishing was enabled, or without room."_s).isEmpty());
    QVERIFY(!lineWith(lines, u"there was no room to publish all stocks"_s).isEmpty());
    QVERIFY(!lineWith(lines, u"? cache"_s).isEmpty());

    listing = {};
    listing.problem = "it has version 2 of the format, and this program reads version 1";
    process.setCaches(listing);
    QVERIFY(!lineWith(screen(process), u"The object caches cannot be read:"_s).isEmpty());
    QCOMPARE(lineWith(screen(process), u"version 2"_s),
             u"  it has version 2 of the format, and this program reads version 1"_s);
}

void tst_TopScreens::tabGoesRound()
{
    FollowedProcess process(u"program"_s, sampleStatistics(), Start);
    QCOMPARE(pageAfter(ProcessView::Classes, process), ProcessView::Arenas);
    QCOMPARE(pageAfter(ProcessView::Arenas, process), ProcessView::Classes);
    ProcessView view;
    view.page = ProcessView::Arenas;
    QVERIFY(screen(process, view, { 80, 24, true }).last().contains(u"Tab classes"_s));
    process.setCaches(sampleCaches());
    QCOMPARE(pageAfter(ProcessView::Arenas, process), ProcessView::Caches);
    QCOMPARE(pageAfter(ProcessView::Caches, process), ProcessView::Classes);
    QVERIFY(screen(process, view, { 80, 24, true }).last().contains(u"Tab caches"_s));
}

void tst_TopScreens::csvHasALinePerClassAndArena()
{
    QCOMPARE(QPoolStatistics::tableHeading() + Export::csv(sampleStatistics(), qint64(Start)),
             QByteArray("time,pid,domain,size,allocated,freed,remote,live,arena,thread,orphaned,"
                        "adoptions,pages,backlog,version\n"
                        "2023-11-14T22:13:20.000Z,4711,event,16,1000,900,300,100,,,,,,,1\n"
                        "2023-11-14T22:13:20.000Z,4711,event,24,50,50,0,0,,,,,,,1\n"
                        "2023-11-14T22:13:20.000Z,4711,object,16,2500000,1000000,0,1500000,,,,,,,1\n"
                        "2023-11-14T22:13:20.000Z,4711,private,120,10,3,0,7,,,,,,,1\n"
                        "2023-11-14T22:13:20.000Z,4711,private,1024,1,0,0,1,,,,,,,1\n"
                        "2023-11-14T22:13:20.000Z,4711,,,,,,1500000,1,7001,no,1,3,0,1\n"
                        "2023-11-14T22:13:20.000Z,4711,,,,,,8,2,7002,yes,2,3,12,1\n"));
    QPool::ListedProcess listed;
    listed.pid = 12;
    listed.name = "a,\"b\"";
    listed.since = Start;
    listed.statistics = sampleStatistics();
    QCOMPARE(Export::csv({ listed }),
             QByteArray("pid,program,qt,since,live,bytes,arenas\n"
                        "12,\"a,\"\"b\"\"\",6.4.2,2023-11-14T22:13:20.000Z,1500108,24003464,2\n"));
}

void tst_TopScreens::jsonHasTheStatistics()
{
    const QByteArray text = Export::json(sampleStatistics(), {});
    QCOMPARE(text.count('\n'), 1);
    const QJsonObject root = QJsonDocument::fromJson(text).object();
    QCOMPARE(root["pid"].toInteger(), 4711);
    QCOMPARE(root["domains"]["object"]["classes"][0]["live"].toInteger(), 1500000);
    QCOMPARE(root["bytes"]["decommitted"].toInteger(), 3 << 20);
    QVERIFY(!root.contains("caches"_L1));
}

void tst_TopScreens::jsonHasTheCaches()
{
    QPool::CacheListing listing = sampleCaches();
    listing.missing = 2;
    const QByteArray text = Export::json(sampleStatistics(), listing);
    QCOMPARE(text.count('\n'), 1);
    const QJsonObject root = QJsonDocument::fromJson(text).object();
    QCOMPARE(root["pid"].toInteger(), 4711);
    QCOMPARE(root["missingCategories"].toInteger(), 2);
    QVERIFY(!root.contains("cachesProblem"_L1));
    const QJsonObject cache = root["caches"][0].toObject();
    QCOMPARE(cache["name"].toString(), u"requests"_s);
    QCOMPARE(cache["objectSize"].toInteger(), 104);
    const QJsonObject network = cache["categories"][1].toObject();
    const QJsonObject expected { { u"name"_s, u"network"_s }, { u"inUse"_s, 1500000 },
                                 { u"inStocks"_s, 30 }, { u"inDepot"_s, 16 },
                                 { u"made"_s, 1500050 }, { u"destroyed"_s, 4 },
                                 { u"ownHits"_s, 40000000 }, { u"depotHits"_s, 10 },
                                 { u"steals"_s, 0 }, { u"misses"_s, 1500050 },
                                 { u"resets"_s, 40000060 }, { u"stocks"_s, 2 },
                                 { u"missingStocks"_s, 0 } };
    QCOMPARE(network, expected);
    QCOMPARE(root["caches"][1]["name"].toString(), u"std::vector<Parser>"_s);

    listing = {};
    listing.problem = "it has version 2 of the format";
    const QJsonObject other = QJsonDocument::fromJson(Export::json(sampleStatistics(), listing)).object();
    QCOMPARE(other["cachesProblem"].toString(), u"it has version 2 of the format"_s);
}

QTEST_GUILESS_MAIN(tst_TopScreens)
#include "tst_topscreens.moc"
