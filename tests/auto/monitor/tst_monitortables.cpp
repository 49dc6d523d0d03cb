// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include <qpoolstatisticscsv.h>
#include <qpoolstatisticsconversion.h>
#include <qpoolstatisticstable.h>

#include <QtCore/QMap>
#include <QtTest/QTest>

using namespace Qt::StringLiterals;
using namespace QPoolStatistics;

// CSV as another program reads it, and snapshots from JSON.
class tst_MonitorTables : public QObject
{
    Q_OBJECT

private slots:
    void readersGetTheCellsBack_data();
    void readersGetTheCellsBack();
    void quotesOnlyWhatNeedsIt();
    void noCellIsAFormula();
    void writesALinePerClassAndArena();
    void writesTheMomentFirst();
    void convertsTheReadersStatistics();
    void readsSnapshotsFromJson();
    void refusesOtherVersions();
};

// A reader of RFC 4180 that knows nothing of the writer.
static QList<QStringList> parsed(const QByteArray &csv)
{
    const QString text = QString::fromUtf8(csv);
    QList<QStringList> lines;
    QStringList line;
    QString cell;
    bool quoted = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text.at(i);
        if (quoted) {
            if (c != u'"')
                cell += c;
            else if (i + 1 < text.size() && text.at(i + 1) == u'"')
                cell += text.at(++i);
            else
                quoted = false;
        } else if (c == u'"') {
            quoted = true;
        } else if (c == u',') {
            line += cell;
            cell.clear();
        } else if (c == u'\n') {
            lines += line + QStringList { cell };
            line.clear();
            cell.clear();
        } else {
            cell += c;
        }
    }
    return lines;
}

void tst_MonitorTables::readersGetTheCellsBack_data()
{
    QTest::addColumn<QStringList>("cells");
    QTest::newRow("plain") << QStringList { u"a"_s, u"1"_s };
    QTest::newRow("empty ones") << QStringList { u""_s, u""_s, u""_s };
    QTest::newRow("one, empty") << QStringList { u""_s };
    QTest::newRow("comma") << QStringList { u"Map<int, Car>"_s, u"1"_s };
    QTest::newRow("quotes") << QStringList { u"\""_s, u"\"\""_s, u"say \"a\""_s };
    QTest::newRow("line feed") << QStringList { u"a\nb"_s, u"\n"_s };
    QTest::newRow("carriage return") << QStringList { u"a\rb"_s, u"a\r\nb"_s, u"\r"_s };
    QTest::newRow("blanks") << QStringList { u" a "_s, u"\t"_s };
    QTest::newRow("not ASCII") << QStringList { u"Stra\u00dfe"_s, u"\U0001F600"_s };
    QTest::newRow("all at once") << QStringList { u",\"\r\n"_s, u"x"_s };
}

void tst_MonitorTables::readersGetTheCellsBack()
{
    QFETCH(QStringList, cells);
    const QByteArray line = csvLine(cells);
    QVERIFY(line.endsWith('\n') && !line.endsWith("\r\n"));
    QCOMPARE(parsed(line), QList<QStringList> { cells });
    QVERIFY(line != "\n"); // which readers skip
}

void tst_MonitorTables::noCellIsAFormula()
{
    QCOMPARE(csvLine({ u"=1+1"_s, u"+A1"_s, u"-A1"_s, u"@SUM(A1)"_s, u"-"_s, u"=a,b"_s, u"=\"x\""_s }),
             QByteArray("'=1+1,'+A1,'-A1,'@SUM(A1),'-,\"'=a,b\",\"'=\"\"x\"\"\"\n"));
    // Numbers stay numbers, and other text stays as it is.
    QCOMPARE(csvLine({ u"-12"_s, u"+3.5"_s, u"a=b"_s, u"1-2"_s, u""_s }), QByteArray("-12,+3.5,a=b,1-2,\n"));
}

void tst_MonitorTables::quotesOnlyWhatNeedsIt()
{
    QCOMPARE(csvLine({ u"a"_s, u"b c"_s, u""_s }), QByteArray("a,b c,\n")); // no more than needed
    QCOMPARE(csvLine({ u"a,b"_s, u"\"c\""_s }), QByteArray("\"a,b\",\"\"\"c\"\"\"\n"));
    QCOMPARE(csvLine({ u"a\nb"_s, u"\r"_s }), QByteArray("\"a\nb\",\"\r\"\n"));
}

static Snapshot sample()
{
    Snapshot snapshot;
    snapshot.pid = 4711;
    snapshot.enabled = true;
    snapshot.domains[0] = { { 24, 1000, 900, 800, 100 } };
    snapshot.domains[3] = { { 8192, 7, 5, 0, 2 } };
    snapshot.arenas = { { 3, 4244, true, 1, 50, 2, 7 } };
    return snapshot;
}

// What a program does that looks a column up by its name.
static QMap<QString, QString> lineOf(const QList<QStringList> &table, int line)
{
    QMap<QString, QString> result;
    for (qsizetype i = 0; i < table.at(0).size(); ++i)
        result.insert(table.at(0).at(i), table.at(line).value(i));
    return result;
}

void tst_MonitorTables::writesALinePerClassAndArena()
{
    const QList<QStringList> table = parsed(toCsv(sample()));
    QCOMPARE(table.size(), 4);
    for (const QStringList &line : table)
        QCOMPARE(line.size(), table.at(0).size());
    const auto event = lineOf(table, 1);
    QCOMPARE(event.value(u"pid"_s), u"4711"_s);
    QCOMPARE(event.value(u"time"_s), QString());
    QCOMPARE(event.value(u"domain"_s), u"event"_s);
    QCOMPARE(event.value(u"size"_s), u"24"_s);
    QCOMPARE(event.value(u"allocated"_s), u"1000"_s);
    QCOMPARE(event.value(u"freed"_s), u"900"_s);
    QCOMPARE(event.value(u"remote"_s), u"800"_s);
    QCOMPARE(event.value(u"live"_s), u"100"_s);
    QCOMPARE(event.value(u"arena"_s), QString());
    QCOMPARE(event.value(u"orphaned"_s), QString());
    QCOMPARE(event.value(u"version"_s), u"1"_s);
    QCOMPARE(lineOf(table, 2).value(u"domain"_s), u"heap"_s);
    const auto arena = lineOf(table, 3);
    QCOMPARE(arena.value(u"domain"_s), QString());
    QCOMPARE(arena.value(u"size"_s), QString());
    QCOMPARE(arena.value(u"live"_s), u"50"_s);
    QCOMPARE(arena.value(u"arena"_s), u"3"_s);
    QCOMPARE(arena.value(u"thread"_s), u"4244"_s);
    QCOMPARE(arena.value(u"orphaned"_s), u"yes"_s);
    QCOMPARE(arena.value(u"adoptions"_s), u"1"_s);
    QCOMPARE(arena.value(u"pages"_s), u"2"_s);
    QCOMPARE(arena.value(u"backlog"_s), u"7"_s);
    QCOMPARE(arena.value(u"version"_s), u"1"_s);
    QCOMPARE(toCsv(Snapshot()), tableHeading());
}

void tst_MonitorTables::writesTheMomentFirst()
{
    const TableMoment moment { 1700000000123, 12 };
    // A pool's domain may have any name.
    const QByteArray line = tableLine(moment, u"my,pool"_s, sample().domains[0].at(0));
    QCOMPARE(parsed(line).at(0).mid(0, 4),
             (QStringList { u"2023-11-14T22:13:20.123Z"_s, u"12"_s, u"my,pool"_s, u"24"_s }));
}

void tst_MonitorTables::convertsTheReadersStatistics()
{
    QPool::ClassStatistics statistics;
    statistics.size = 48;
    statistics.allocated = 10;
    statistics.freed = 4;
    statistics.remote = 3;
    const SizeClassStatistics entry = of(statistics);
    QCOMPARE(entry.size, 48);
    QCOMPARE(entry.allocated, 10);
    QCOMPARE(entry.freed, 4);
    QCOMPARE(entry.remote, 3);
    QCOMPARE(entry.live, 6);
    statistics.freed = 11; // read while its thread was at work
    QCOMPARE(of(statistics).live, 0);

    QPool::ArenaStatistics arena;
    arena.id = 1;
    arena.thread = 2;
    arena.orphaned = true;
    arena.adoptions = 3;
    arena.pages = 4;
    arena.live = 5;
    arena.backlog = 6;
    const ArenaStatistics converted = of(arena);
    QCOMPARE(converted.id, 1);
    QCOMPARE(converted.thread, 2);
    QVERIFY(converted.orphaned);
    QCOMPARE(converted.adoptions, 3);
    QCOMPARE(converted.pages, 4);
    QCOMPARE(converted.live, 5);
    QCOMPARE(converted.backlog, 6);
}

static QByteArray json(int version)
{
    return R"({"version":)" + QByteArray::number(version) + R"(,"pid":9,"qt":"6.4.2","enabled":true,
        "domains":{"event":{"classes":[{"size":24,"allocated":5,"freed":2,"remote":1,"live":3}]},
                   "object":{"classes":[]},"private":{"classes":[]}},
        "arenas":[],"bytes":{"reserved":3,"committed":2,"live":72}})";
}

void tst_MonitorTables::readsSnapshotsFromJson()
{
    QString error;
    const auto read = Snapshot::fromJson(json(2), &error);
    QVERIFY2(read, qPrintable(error));
    QCOMPARE(read->pid, 9);
    QCOMPARE(read->allocated(Domain::Event), 5);
    QCOMPARE(read->live(Domain::Event), 3);
    QCOMPARE(read->liveBytesOf(Domain::Event), 72);
    QCOMPARE(read->totalAllocated(), 5);
    QCOMPARE(read->totalLive(), 3);
    QVERIFY(!read->hasHeap && !read->decommittedBytes);
    QCOMPARE(parsed(toCsv(*read)).at(1).mid(2, 6),
             (QStringList { u"event"_s, u"24"_s, u"5"_s, u"2"_s, u"1"_s, u"3"_s }));

    QVERIFY(!Snapshot::fromJson(json(2).replace("\"size\":24", "\"size\":0"), &error));
    QVERIFY2(error.contains(u"out of range"_s), qPrintable(error));
    QVERIFY(!Snapshot::fromJson(json(2).chopped(1), &error));
    QVERIFY2(error.contains(u"is not JSON"_s), qPrintable(error));
}

void tst_MonitorTables::refusesOtherVersions()
{
    QString error;
    QVERIFY(!Snapshot::fromJson(json(1), &error));
    QVERIFY2(error.contains(u"version 1"_s), qPrintable(error));
    QVERIFY(Snapshot::isOtherVersion(json(1)));
    QVERIFY(!Snapshot::isOtherVersion(json(2)));
    QVERIFY(!Snapshot::isOtherVersion("{}"));
}

QTEST_GUILESS_MAIN(tst_MonitorTables)
#include "tst_monitortables.moc"
