// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "censuscommandline.h"
#include "censusmark.h"
#include "censusreport.h"

#include "census/qpoolcensusjson.h"

#include <QtTest/QTest>

using namespace Qt::StringLiterals;

// What a user types, the file that holds a census, and censuses as the user reads them.
class tst_CensusTool : public QObject
{
    Q_OBJECT

private slots:
    void readsTheOptions();
    void refusesBadArguments_data();
    void refusesBadArguments();
    void readsBackASavedCensus();
    void savedNamesArePrintable();
    void refusesBadMarks_data();
    void refusesBadMarks();
    void writesCountsAndChangesAsText();
    void writesALineOfCsvPerClass();
    void keepsColumnsApart();
    void addsUpTheGrowthOfAClass();
};

static std::optional<CensusCommandLine> parse(const QString &arguments, QString *error = nullptr)
{
    QString own;
    return CensusCommandLine::parse((u"qpool-census "_s + arguments).split(u' ', Qt::SkipEmptyParts),
                                    error ? error : &own);
}

static QPool::Census sample()
{
    QPool::Census census;
    census.pid = 4711;
    const auto add = [&](const char *domain, const char *name, quint64 count, quint64 bytes,
                         int type = -1) {
        census.rows.push_back({ domain, name, "libcars.so", type, count, bytes });
    };
    add("object", "Car", 12345, 1234500);
    add("heap", "Map<int, Car>", 2, 100);
    add("event", "QEvent", 3, 72, 52);
    census.arenas.resize(1);
    census.arenas[0].thread = 77;
    return census;
}

void tst_CensusTool::readsTheOptions()
{
    QCOMPARE(parse(u"4711"_s)->pid, 4711);
    QCOMPARE(parse(u"4711"_s)->format, CensusCommandLine::Text);
    QVERIFY(!parse(u"4711"_s)->compares());
    QVERIFY(!parse(u"4711"_s)->order);
    QCOMPARE(parse(u"--csv 1"_s)->format, CensusCommandLine::Csv);
    QCOMPARE(*parse(u"1 --watch 2.5"_s)->watch, 2500);
    QCOMPARE(*parse(u"1 --watch -"_s)->watch, int(CensusCommandLine::UntilLine));
    QVERIFY(parse(u"1 --since a"_s)->compares());
    QCOMPARE(*parse(u"1 --sort count"_s)->order, QPool::CensusOrder::Count);
    const auto line = parse(u"1 --watch 1 --fail-if-grows QTimer --fail-if-grows Car"_s);
    QCOMPARE(line->mustNotGrow, (QStringList { u"QTimer"_s, u"Car"_s }));
    QVERIFY(parse(u"--help"_s)->help);
}

void tst_CensusTool::refusesBadArguments_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("cause");
    QTest::newRow("none") << "" << "the process ID is missing";
    QTest::newRow("unknown") << "--bogus 1" << "unknown option --bogus";
    QTest::newRow("word") << "designer" << "designer is not a process ID";
    QTest::newRow("two") << "1 2" << "unexpected argument 2";
    QTest::newRow("formats") << "--json --csv 1" << "exclude each other";
    QTest::newRow("both") << "--since a --watch 1 1" << "exclude each other";
    QTest::newRow("order") << "--sort name 1" << "none of count, bytes, growth";
    QTest::newRow("growth alone") << "--sort growth 1" << "needs something to compare with";
    QTest::newRow("fail alone") << "--fail-if-grows A 1" << "needs something to compare with";
    QTest::newRow("often") << "--watch often 1" << "neither a number";
    QTest::newRow("too short") << "--watch 0 1" << "neither a number";
    QTest::newRow("nan") << "--watch nan 1" << "neither a number";
    QTest::newRow("no value") << "1 --watch" << "needs a value";
}

void tst_CensusTool::refusesBadArguments()
{
    QFETCH(QString, arguments);
    QFETCH(QString, cause);
    QString error;
    QVERIFY(!parse(arguments, &error));
    QVERIFY2(error.contains(cause), qPrintable(error));
}

void tst_CensusTool::readsBackASavedCensus()
{
    QString error;
    const auto read = CensusMark::fromJson(QByteArray::fromStdString(toJson(sample())), &error);
    QVERIFY2(read, qPrintable(error));
    QCOMPARE(read->pid, 4711u);
    QCOMPARE(read->rows.size(), 3u);
    for (const QPool::CensusChange &change : compare(sample(), *read)) {
        QCOMPARE(change.count, 0);
        QCOMPARE(change.bytes, 0);
    }
    QCOMPARE(compare(sample(), *read).size(), 3u);
}

void tst_CensusTool::savedNamesArePrintable()
{
    QString error;
    const auto read = CensusMark::fromJson(
            R"({"version":1,"pid":1,"classes":[{"domain":"heap","class":"A\u001b[2J","module":"b\u202e",)"
            R"("count":1,"bytes":8}]})", &error);
    QVERIFY2(read, qPrintable(error));
    QCOMPARE(read->rows[0].name, std::string("A\\x1b[2J"));
    QCOMPARE(read->rows[0].module, std::string("b\\u202e"));
}

void tst_CensusTool::refusesBadMarks_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("cause");
    QTest::newRow("empty") << QByteArray() << "it is not JSON";
    QTest::newRow("cut") << QByteArray(R"({"version":1,"classes":[{)") << "it is not JSON";
    QTest::newRow("array") << QByteArray("[]") << "it is not a census";
    QTest::newRow("snapshot") << QByteArray(R"({"version":1,"domains":{}})") << "it is not a census";
    QTest::newRow("error") << QByteArray(R"({"version":1,"error":"no memory"})") << "no memory";
    QTest::newRow("version") << QByteArray(R"({"version":9,"classes":[]})") << "version 9";
    QTest::newRow("no name") << QByteArray(R"({"version":1,"classes":[{"count":1,"bytes":8}]})")
                             << "has no name";
    QTest::newRow("filtered")
            << QByteArray(R"({"version":1,"count":3,"classes":[{"domain":"heap","class":"A","count":1,"bytes":8}]})")
            << "without --filter";
    QTest::newRow("no count")
            << QByteArray(R"({"version":1,"classes":[{"domain":"heap","class":"A"}]})")
            << "no count";
}

void tst_CensusTool::refusesBadMarks()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, cause);
    QString error;
    QVERIFY(!CensusMark::fromJson(json, &error));
    QVERIFY2(error.contains(cause), qPrintable(error));
}

void tst_CensusTool::writesCountsAndChangesAsText()
{
    QPool::Census census = sample();
    QStringList lines = QString::fromUtf8(CensusReport::text(census, withoutChanges(census),
                                                         CensusReport::Single))
                                .split(u'\n');
    QCOMPARE(lines.at(0), u"      count         bytes   share  domain   class"_s);
    QCOMPARE(lines.at(1), u"     12,345     1,234,500  100.0%  object   Car"_s);
    QCOMPARE(lines.at(3), u"          3            72    0.0%  event    QEvent (DeferredDelete)"_s);
    QCOMPARE(lines.at(4), u"12,350 live chunks, 1,234,672 bytes, 1 arenas"_s);
    QCOMPARE(lines.size(), 6);

    QPool::Census later = sample();
    later.rows[0].count += 1000;
    later.rows[2].count = 0;
    later.arenas[0].moving = 2;
    later.arenas[0].uncertain = 40;
    const auto changes = compare(census, later);
    lines = QString::fromUtf8(CensusReport::text(later, changes, CensusReport::All)).split(u'\n');
    QVERIFY2(lines.at(1).startsWith(u"     13,345    +1,000     1,234,500            -"_s),
             qPrintable(lines.at(1)));
    QVERIFY2(lines.at(3).startsWith(u"          0        -3"_s), qPrintable(lines.at(3)));
    QCOMPARE(lines.at(5), u"uncertain: 40 of thread 77, in 2 size classes that changed during the count"_s);

    // Of three lines, two changed.
    lines = QString::fromUtf8(CensusReport::text(later, changes, CensusReport::Changed)).split(u'\n');
    QVERIFY2(lines.at(1).startsWith(u"     13,345    +1,000"_s), qPrintable(lines.at(1)));
    QVERIFY2(lines.at(2).startsWith(u"          0        -3"_s), qPrintable(lines.at(2)));
    QCOMPARE(lines.at(3), u"1 of 3 lines did not change; --all lists them"_s);
}

void tst_CensusTool::writesALineOfCsvPerClass()
{
    const QPool::Census census = sample();
    QCOMPARE(CensusReport::csv(withoutChanges(census), false),
             QByteArray("domain,class,module,event,count,bytes\n"
                        "object,Car,libcars.so,,12345,1234500\n"
                        "heap,\"Map<int, Car>\",libcars.so,,2,100\n"
                        "event,QEvent,libcars.so,52,3,72\n"));
    const QByteArray compared = CensusReport::csv(compare(census, census), true);
    QVERIFY(compared.contains("object,Car,libcars.so,,12345,1234500,0,0\n"));
}

void tst_CensusTool::keepsColumnsApart()
{
    const QPool::Census before = sample();
    QPool::Census now = sample();
    now.rows[0].count += 12'000'000;
    now.rows[0].bytes += 12'000'000'000;
    const QByteArray text = CensusReport::text(now, compare(before, now), CensusReport::Changed);
    QVERIFY2(text.contains(" 12,012,345 +12,000,000 12,001,234,500 +12,000,000,000 "), text);
}

void tst_CensusTool::addsUpTheGrowthOfAClass()
{
    const QPool::Census before = sample();
    QPool::Census now = sample();
    now.rows[0].count += 5;
    now.rows.push_back(now.rows[0]);
    now.rows.back().domain = "heap"; // the same class elsewhere
    now.rows.back().count = 7;
    now.rows[2].count -= 1;
    const auto changes = compare(before, now);
    QCOMPARE(CensusReport::growthOf(changes, u"Car"_s).count, 12);
    QCOMPARE(CensusReport::growthOf(changes, u"Car"_s).now, 12357u);
    QCOMPARE(CensusReport::growthOf(changes, u"QEvent"_s).count, -1);
    QCOMPARE(CensusReport::growthOf(changes, u"QEvent (DeferredDelete)"_s).count, -1);
    QVERIFY(!CensusReport::growthOf(changes, u"Ca"_s).seen);
}

QTEST_GUILESS_MAIN(tst_CensusTool)
#include "tst_censustool.moc"
