// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include <qpoolstatisticsnumber.h>

#include <QtCore/QLocale>
#include <QtTest/QTest>

#include <clocale>
#include <limits>

using namespace Qt::StringLiterals;

// How statistics are written, at the edges and whatever the locale.
class tst_MonitorNumbers : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void writesNumbersInEveryForm_data();
    void writesNumbersInEveryForm();
    void writesDifferencesWithTheirSign_data();
    void writesDifferencesWithTheirSign();
    void writesSharesAndRoundedValues();
    void numbersFitTheirColumns();
    void barsShowPartsOfACharacter();
};

constexpr qint64 Most = std::numeric_limits<qint64>::max();
constexpr qint64 Least = std::numeric_limits<qint64>::min();

// All of it in a locale that writes 1.234,5, if there is such a one.
void tst_MonitorNumbers::initTestCase()
{
    std::setlocale(LC_ALL, "");
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
}

void tst_MonitorNumbers::writesNumbersInEveryForm_data()
{
    QTest::addColumn<qint64>("value");
    QTest::addColumn<QString>("count");
    QTest::addColumn<QString>("compact");
    QTest::addColumn<QString>("tiny");
    QTest::addColumn<QString>("bytes");
    QTest::addColumn<QString>("columnCount");
    QTest::addColumn<QString>("columnBytes");

    const auto row = [](qint64 value, const char *count, const char *compact, const char *tiny,
                        const char *bytes, const char *columnCount, const char *columnBytes) {
        // A blank that does not break stands before units in running text.
        const auto text = [](const char *ascii, QChar blank = u'\u00a0') {
            return QString::fromLatin1(ascii).replace(u' ', blank);
        };
        QTest::addRow("%lld", static_cast<long long>(value))
                << value << QString::fromLatin1(count) << text(compact) << text(tiny, u'\u202f') << text(bytes)
                << QString::fromLatin1(columnCount) << QString::fromLatin1(columnBytes);
    };
    row(0, "0", "0", "0", "0 B", "0", "0 B");
    row(1, "1", "1", "1", "1 B", "1", "1 B");
    row(999, "999", "999", "999", "999 B", "999", "999 B");
    row(1000, "1,000", "1 k", "1 k", "1000 B", "1,000", "1000 B");
    row(1023, "1,023", "1 k", "1 k", "1023 B", "1,023", "1023 B");
    row(1024, "1,024", "1 k", "1 k", "1 KiB", "1,024", "1.0 KiB");
    row(1536, "1,536", "1.5 k", "1.5 k", "1.5 KiB", "1,536", "1.5 KiB");
    row(9999, "9,999", "10 k", "10 k", "9.8 KiB", "9,999", "9.8 KiB");
    row(102400, "102,400", "102 k", "102 k", "100 KiB", "102,400", "100.0 KiB");
    row(999949, "999,949", "1 M", "1 M", "977 KiB", "999,949", "976.5 KiB");
    row(999999, "999,999", "1 M", "1 M", "977 KiB", "999,999", "976.6 KiB");
    row(1000000, "1,000,000", "1 M", "1 M", "977 KiB", "1.0M", "976.6 KiB");
    // A last digit that would make a full step.
    row(1048575, "1,048,575", "1 M", "1 M", "1 MiB", "1.0M", "1.0 MiB");
    row(1048576, "1,048,576", "1 M", "1 M", "1 MiB", "1.0M", "1.0 MiB");
    row(999950000, "999,950,000", "1 G", "1 G", "954 MiB", "1.0G", "953.6 MiB");
    row(Most, "9,223,372,036,854,775,807", "9.2 E", "9.2 E", "8 EiB", "9.2E", "8.0 EiB");
}

void tst_MonitorNumbers::writesNumbersInEveryForm()
{
    QFETCH(qint64, value);
    QTEST(QPoolStatistics::count(value), "count");
    QTEST(QPoolStatistics::compact(double(value)), "compact");
    QTEST(QPoolStatistics::tiny(double(value)), "tiny");
    QTEST(QPoolStatistics::bytes(double(value)), "bytes");
    QTEST(QPoolStatistics::Column::count(double(value)), "columnCount");
    QTEST(QPoolStatistics::Column::bytes(double(value)), "columnBytes");
}

void tst_MonitorNumbers::writesDifferencesWithTheirSign_data()
{
    QTest::addColumn<qint64>("value");
    QTest::addColumn<QString>("difference");
    QTest::addColumn<QString>("column");
    QTest::newRow("none") << qint64(0) << u"-"_s << u"-"_s;
    QTest::newRow("one more") << qint64(1) << u"+1"_s << u"+1"_s;
    QTest::newRow("one fewer") << qint64(-1) << u"-1"_s << u"-1"_s;
    QTest::newRow("thousands") << qint64(-12345) << u"-12,345"_s << u"-12,345"_s;
    QTest::newRow("millions") << qint64(-1234567) << u"-1,234,567"_s << u"-1.2M"_s;
    QTest::newRow("most") << Most << u"+9,223,372,036,854,775,807"_s << u"+9.2E"_s;
    QTest::newRow("least") << Least << u"-9,223,372,036,854,775,808"_s << u"-9.2E"_s;
}

void tst_MonitorNumbers::writesDifferencesWithTheirSign()
{
    QFETCH(qint64, value);
    QTEST(QPoolStatistics::difference(value), "difference");
    QTEST(QPoolStatistics::Column::difference(value), "column");
}

void tst_MonitorNumbers::writesSharesAndRoundedValues()
{
    using QPoolStatistics::share;
    QCOMPARE(share(0, 0), u"-"_s);
    QCOMPARE(share(0, 8), u"0.0%"_s);
    QCOMPARE(share(1, 8), u"12.5%"_s);
    QCOMPARE(share(8, 8), u"100.0%"_s);
    QCOMPARE(QPoolStatistics::rounded(1234.5678), u"1,235"_s);
    QCOMPARE(QPoolStatistics::rounded(0.4), u"0"_s);
}

// The tables of the terminal have columns of that many characters.
void tst_MonitorNumbers::numbersFitTheirColumns()
{
    for (double value = 1; value < 9e18; value *= 1.37) {
        QVERIFY(QPoolStatistics::Column::count(value).size() <= 8);
        QVERIFY(QPoolStatistics::Column::bytes(value).size() <= 10);
        QVERIFY(QPoolStatistics::tiny(value).size() <= 5);
    }
}

void tst_MonitorNumbers::barsShowPartsOfACharacter()
{
    using QPoolStatistics::bar;
    QCOMPARE(bar(0, 8), QString());
    QCOMPARE(bar(-1, 8), QString());
    QCOMPARE(bar(std::numeric_limits<double>::quiet_NaN(), 8), QString());
    QCOMPARE(bar(2, 3), QString(3, QChar(0x2588)));
    QCOMPARE(bar(1e-12, 8), QString(QChar(0x258f)));
    QCOMPARE(bar(0.5, 3), QString(QChar(0x2588)) + QChar(0x258c));
    QCOMPARE(bar(0.5, 4, false), u"##"_s);
    QCOMPARE(bar(1e-12, 4, false), u"#"_s);
}

QTEST_GUILESS_MAIN(tst_MonitorNumbers)
#include "tst_monitornumbers.moc"
