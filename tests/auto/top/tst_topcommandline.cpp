// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "commandline.h"
#include "samplestatistics.h"
#include "screenline.h"

#include <qpoolstatisticsconversion.h>
#include <qpoolstatisticsfilter.h>
#include <qpoolstatisticsnumber.h>

#include <QtTest/QTest>

using namespace Qt::StringLiterals;
using Filter = QPoolStatistics::Filter;

// Command lines, and statistics as the user reads them.
class tst_TopCommandLine : public QObject
{
    Q_OBJECT

private slots:
    void readsTheOptions();
    void refusesBadArguments_data();
    void refusesBadArguments();
    void filterMatchesDomainsAndSizes_data();
    void filterMatchesDomainsAndSizes();
    void refusesBadFilters_data();
    void refusesBadFilters();
    void filterMatchesArenas();
    void countsFitTheirColumn_data();
    void countsFitTheirColumn();
    void barsShowPartsOfACharacter();
};

static std::optional<CommandLine> parse(const QString &arguments, QString *error = nullptr)
{
    QString own;
    return CommandLine::parse((u"qpool-top "_s + arguments).split(u' ', Qt::SkipEmptyParts),
                              error ? error : &own);
}

void tst_TopCommandLine::readsTheOptions()
{
    QVERIFY(!parse(u""_s)->pid);
    QCOMPARE(parse(u""_s)->interval, 1000);
    QCOMPARE(*parse(u"4711"_s)->pid, 4711);
    QVERIFY(parse(u"--once 4711"_s)->once);
    QCOMPARE(parse(u"--json"_s)->format, CommandLine::Json);
    QVERIFY(!parse(u"--json"_s)->repeats);
    QVERIFY(parse(u"--csv 1 --interval 0.5"_s)->repeats);
    QCOMPARE(parse(u"--csv 1 --interval 0.5"_s)->interval, 500);
    QVERIFY(!parse(u"--csv 1 --interval 2 --once"_s)->repeats);
    QVERIFY(!parse(u"--interval 2"_s)->repeats);
    QCOMPARE(parse(u"--compare a b"_s)->compared, (QStringList { u"a"_s, u"b"_s }));
    QVERIFY(parse(u"4711"_s)->compared.isEmpty());
}

void tst_TopCommandLine::refusesBadArguments_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("cause");
    QTest::newRow("unknown") << "--bogus" << "unknown option --bogus";
    QTest::newRow("word") << "designer" << "designer is not a process ID";
    QTest::newRow("nothing") << "0" << "0 is not a process ID";
    QTest::newRow("two") << "1 2" << "unexpected argument 2";
    QTest::newRow("formats") << "--json --csv" << "exclude each other";
    QTest::newRow("one file") << "--compare a" << "--compare needs two files";
    QTest::newRow("three files") << "--compare a b c" << "--compare needs two files";
    QTest::newRow("compared as JSON") << "--compare a b --json" << "--compare and --json exclude each other";
    QTest::newRow("no value") << "--interval" << "needs a value";
    QTest::newRow("no number") << "--interval often" << "not a number of seconds";
    QTest::newRow("too often") << "--interval 0.01" << "not a number of seconds";
    QTest::newRow("infinite") << "--interval inf" << "not a number of seconds";
    QTest::newRow("nan") << "--interval nan" << "not a number of seconds";
}

void tst_TopCommandLine::refusesBadArguments()
{
    QFETCH(QString, arguments);
    QFETCH(QString, cause);
    QString error;
    QVERIFY(!parse(arguments, &error));
    QVERIFY2(error.contains(cause), qPrintable(error));
}

void tst_TopCommandLine::filterMatchesDomainsAndSizes_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("domains");
    QTest::addColumn<QList<int>>("sizes");
    const QStringList all { u"event"_s, u"object"_s, u"private"_s };
    QTest::newRow("empty") << "" << all << QList<int> { 16, 24, 120, 1024 };
    QTest::newRow("domain") << "event" << QStringList { u"event"_s }
                            << QList<int> { 16, 24, 120, 1024 };
    QTest::newRow("plural") << "Objects" << QStringList { u"object"_s }
                            << QList<int> { 16, 24, 120, 1024 };
    QTest::newRow("beginnings") << "e priv" << QStringList { u"event"_s, u"private"_s }
                                << QList<int> { 16, 24, 120, 1024 };
    QTest::newRow("size") << "24" << all << QList<int> { 24 };
    QTest::newRow("range") << "24-120" << all << QList<int> { 24, 120 };
    QTest::newRow("open range") << " 120-  " << all << QList<int> { 120, 1024 };
    QTest::newRow("both") << "16 120- obj" << QStringList { u"object"_s }
                          << QList<int> { 16, 120, 1024 };
}

void tst_TopCommandLine::filterMatchesDomainsAndSizes()
{
    QFETCH(QString, text);
    QFETCH(QStringList, domains);
    QFETCH(QList<int>, sizes);
    QString error;
    const auto filter = Filter::parse(text, &error);
    QVERIFY2(filter, qPrintable(error));
    for (const char *domain : { "event", "object", "private" }) {
        QCOMPARE(filter->matchesDomain(QLatin1StringView(domain)),
                 domains.contains(QLatin1StringView(domain)));
    }
    for (int size : { 16, 24, 120, 1024 })
        QCOMPARE(filter->matchesSize(size), sizes.contains(size));
}

void tst_TopCommandLine::refusesBadFilters_data()
{
    QTest::addColumn<QString>("text");
    for (const char *text : { "bogus", "16 -24", "99999999", "#", "#x", "1-2-3" })
        QTest::newRow(text) << text;
}

void tst_TopCommandLine::refusesBadFilters()
{
    QFETCH(QString, text);
    QString error;
    const auto filter = Filter::parse(text, &error);
    QVERIFY(!filter);
    QVERIFY(!error.isEmpty());
}

void tst_TopCommandLine::filterMatchesArenas()
{
    QString error;
    const QPool::ArenaStatistics owned = arenaStatistics(1, false, 1, 1);
    const QPool::ArenaStatistics orphan = arenaStatistics(2, true, 1, 1);
    const auto accepts = [](const std::optional<Filter> &filter,
                            const QPool::ArenaStatistics &arena) {
        return filter->matches(QPoolStatistics::of(arena), 4711, Filter::NumbersAreSizes);
    };
    const auto orphans = Filter::parse(u"orphaned"_s, &error);
    QVERIFY(!accepts(orphans, owned) && accepts(orphans, orphan));
    const auto thread = Filter::parse(u"#7001"_s, &error);
    QVERIFY(accepts(thread, owned) && !accepts(thread, orphan));
    const auto sizes = Filter::parse(u"16"_s, &error);
    QVERIFY(accepts(sizes, owned) && accepts(sizes, orphan));
}

void tst_TopCommandLine::countsFitTheirColumn_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("text");
    QTest::newRow("none") << 0.0 << "0";
    QTest::newRow("thousands") << 12345.0 << "12,345";
    QTest::newRow("six digits") << 999999.0 << "999,999";
    QTest::newRow("million") << 1e6 << "1.0M";
    QTest::newRow("nearly a billion") << 999.96e6 << "1.0G";
    QTest::newRow("most") << 9e15 << "9.0P";
}

void tst_TopCommandLine::countsFitTheirColumn()
{
    QFETCH(double, value);
    QFETCH(QString, text);
    QCOMPARE(QPoolStatistics::Column::count(value), text);
    QVERIFY(text.size() <= 8); // the column's width
}

void tst_TopCommandLine::barsShowPartsOfACharacter()
{
    ScreenForm form;
    using QPoolStatistics::bar;
    QCOMPARE(bar(0, 8, form.unicode), QString());
    QCOMPARE(bar(1, 8, form.unicode), QString(8, QChar(0x2588)));
    QCOMPARE(bar(5, 8, form.unicode).size(), 8);
    QCOMPARE(bar(1e-9, 8, form.unicode), QString(QChar(0x258f)));
    QCOMPARE(bar(0.5, 1, form.unicode), QString(QChar(0x258c)));
    form.unicode = false;
    QCOMPARE(bar(0.5, 8, form.unicode), u"####"_s);
    QCOMPARE(bar(1e-9, 8, form.unicode), u"#"_s);
}

QTEST_GUILESS_MAIN(tst_TopCommandLine)
#include "tst_topcommandline.moc"
