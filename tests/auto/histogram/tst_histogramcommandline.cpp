// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "programfixture.h"

// How the program handles its command line.
class tst_HistogramCommandLine : public ProgramFixture
{
    Q_OBJECT

private Q_SLOTS:
    void printsHelpAndVersion();
    void refusesBadValues_data();
    void refusesBadValues();
    void refusesStockQtCore();
    void failsWithoutStatistics_data();
    void failsWithoutStatistics();
    void failsWithoutADisplay();
    void failsAtOnceIfAFileIsUnwritable_data();
    void failsAtOnceIfAFileIsUnwritable();
};

void tst_HistogramCommandLine::printsHelpAndVersion()
{
    const Result help = run({ u"--help"_s }, {});
    QCOMPARE(help.code, 0);
    QVERIFY(help.out.startsWith(u"Usage: qpool-histogram"_s));
    for (const auto &option :
         { u"--headless"_s, u"--seconds"_s, u"--json"_s, u"--png"_s, u"--text"_s, u"--workloads"_s,
           u"--view"_s, u"--theme"_s, u"--size"_s, u"--csv"_s, u"--frames"_s, u"--tour"_s,
           u"--page"_s, u"--open"_s, u"--attach"_s, u"--choose"_s, u"--scale"_s, u"--filter"_s })
        QVERIFY2(help.out.contains(option), qPrintable(option));
    QCOMPARE(help.err, QString());
    const Result version = run({ u"--version"_s }, {});
    QCOMPARE(version.code, 0);
    QVERIFY(version.out.startsWith(u"qpool-histogram "_s));
}

void tst_HistogramCommandLine::refusesBadValues_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("complaint");
    const auto row = [](const QString &arguments, const QString &complaint) {
        QTest::newRow(qPrintable(arguments)) << arguments.split(u' ') << complaint;
    };
    row(u"--nonsense"_s, u"nonsense"_s);
    row(u"file.json"_s, u"file.json"_s);
    row(u"--headless --seconds many"_s, u"'many'"_s);
    row(u"--headless --seconds 0"_s, u"'0'"_s);
    row(u"--headless --seconds -3"_s, u"'-3'"_s);
    row(u"--headless --seconds 99999999"_s, u"'99999999'"_s);
    row(u"--headless --seconds"_s, u"seconds"_s);
    row(u"--headless --json="_s, u"--json needs a value"_s);
    row(u"--json s.json"_s, u"--json needs --headless"_s);
    row(u"--text"_s, u"--text needs --headless"_s);
    row(u"--workloads queued,nothing"_s, u"'nothing'"_s);
    row(u"--workloads="_s, u"''"_s);
    row(u"--theme blue"_s, u"'blue'"_s);
    row(u"--page last"_s, u"'last'"_s);
    row(u"--scale round"_s, u"'round'"_s);
    row(u"--attach me"_s, u"'me'"_s);
    row(u"--attach -1"_s, u"-1"_s);
    row(u"--attach 1 --choose"_s, u"exclude each other"_s);
    row(u"--open a.json --attach 1"_s, u"exclude each other"_s);
    row(u"--csv a.csv"_s, u"--csv needs --headless"_s);
    row(u"--tour"_s, u"--tour needs --headless"_s);
    row(u"--view sideways"_s, u"'sideways'"_s);
    row(u"--size 100x100"_s, u"'100x100'"_s);
    row(u"--size huge"_s, u"'huge'"_s);
    row(u"--size 99999x99999"_s, u"'99999x99999'"_s);
}

void tst_HistogramCommandLine::refusesBadValues()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, complaint);
    const Result result = run(arguments);
    QCOMPARE(result.code, 2);
    QCOMPARE(result.out, QString());
    QVERIFY2(result.err.contains(complaint), qPrintable(result.err));
    QCOMPARE(result.err.count(u'\n'), 1);
}

void tst_HistogramCommandLine::refusesStockQtCore()
{
    const Result result = run({ u"--headless"_s, u"--json"_s, file(u"s.json"_s) }, {});
    QCOMPARE(result.code, 1);
    QVERIFY2(result.err.contains(u"This QtCore has no pool"_s), qPrintable(result.err));
    QVERIFY2(result.err.contains(u"./qpool run"_s), qPrintable(result.err));
    QCOMPARE(result.err.count(u'\n'), 1);
    QVERIFY(!QFile::exists(file(u"s.json"_s)));
}

void tst_HistogramCommandLine::failsWithoutStatistics_data()
{
    QTest::addColumn<QByteArray>("fakePool");
    QTest::addColumn<QString>("complaint");
    QTest::newRow("disabled") << QByteArray("disabled") << u"QT_POOL_ALLOCATOR=0"_s;
    QTest::newRow("damaged") << QByteArray("damaged") << u"cannot be read"_s;
}

void tst_HistogramCommandLine::failsWithoutStatistics()
{
    QFETCH(QByteArray, fakePool);
    QFETCH(QString, complaint);
    const Result result = run({ u"--headless"_s }, fakePool);
    QCOMPARE(result.code, 1);
    QVERIFY2(result.err.contains(complaint), qPrintable(result.err));
    QCOMPARE(result.err.count(u'\n'), 1);
}

void tst_HistogramCommandLine::failsWithoutADisplay()
{
    const Result result = run({});
    QCOMPARE(result.code, 1);
    QVERIFY2(result.err.contains(u"--headless"_s), qPrintable(result.err));
    QCOMPARE(result.err.count(u'\n'), 1);
}

void tst_HistogramCommandLine::failsAtOnceIfAFileIsUnwritable_data()
{
    QTest::addColumn<QString>("option");
    QTest::newRow("json") << u"--json"_s;
    QTest::newRow("csv") << u"--csv"_s;
    QTest::newRow("png") << u"--png"_s;
}

void tst_HistogramCommandLine::failsAtOnceIfAFileIsUnwritable()
{
    QFETCH(QString, option);
    const QString path = file(u"no/such/folder/file"_s);
    const Result result = run({ u"--headless"_s, u"--seconds"_s, u"30"_s, option, path });
    QCOMPARE(result.code, 1);
    QVERIFY2(result.err.contains(path), qPrintable(result.err));
    QCOMPARE(result.err.count(u'\n'), 1); // reported at the start, not after 30 seconds
}

QTEST_GUILESS_MAIN(tst_HistogramCommandLine)

#include "tst_histogramcommandline.moc"
