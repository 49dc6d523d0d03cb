// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "samplesnapshot.h"

#include "numberformat.h"
#include "snapshot.h"
#include "textchart.h"
#include "valueaxis.h"

#include <QtTest/qtest.h>

using namespace Qt::StringLiterals;

class tst_HistogramText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void formatsCountsAndBytes_data();
    void formatsCountsAndBytes();
    void axisEndsAtARoundValue_data();
    void axisEndsAtARoundValue();
    void axisShrinksLate();
    void chartFitsInEightyColumns();
};

static Snapshot sample()
{
    QString error;
    return Snapshot::fromJson(sampleSnapshot(), &error).value();
}

void tst_HistogramText::formatsCountsAndBytes_data()
{
    QTest::addColumn<qreal>("value");
    QTest::addColumn<QString>("count");
    QTest::addColumn<QString>("compact");
    QTest::addColumn<QString>("tiny");
    QTest::addColumn<QString>("bytes");

    const auto row = [](qreal value, const QString &count, const QString &compact,
                        const QString &tiny, const QString &bytes) {
        QTest::addRow("%.0f", value) << value << count << compact << tiny << bytes;
    };
    row(0, u"0"_s, u"0"_s, u"0"_s, u"0\u00a0B"_s);
    row(999, u"999"_s, u"999"_s, u"999"_s, u"999\u00a0B"_s);
    row(1000, u"1,000"_s, u"1\u00a0k"_s, u"1\u202fk"_s, u"1000\u00a0B"_s);
    row(1024, u"1,024"_s, u"1\u00a0k"_s, u"1\u202fk"_s, u"1\u00a0KiB"_s);
    row(12345, u"12,345"_s, u"12.3\u00a0k"_s, u"12\u202fk"_s, u"12.1\u00a0KiB"_s);
    row(999999, u"999,999"_s, u"1\u00a0M"_s, u"1\u202fM"_s, u"977\u00a0KiB"_s);
    row(68719476736., u"68,719,476,736"_s, u"68.7\u00a0G"_s, u"69\u202fG"_s, u"64\u00a0GiB"_s);
}

void tst_HistogramText::formatsCountsAndBytes()
{
    QFETCH(qreal, value);
    QTEST(NumberFormat::count(value), "count");
    QTEST(NumberFormat::compact(value), "compact");
    QTEST(NumberFormat::tiny(value), "tiny");
    QTEST(NumberFormat::bytes(value), "bytes");
}

void tst_HistogramText::axisEndsAtARoundValue_data()
{
    QTest::addColumn<bool>("logarithmic");
    QTest::addColumn<qreal>("largest");
    QTest::addColumn<qreal>("maximum");
    QTest::addColumn<QList<qreal>>("ticks");

    using List = QList<qreal>;
    QTest::newRow("linear, nothing") << false << 0. << 10. << List { 5, 10 };
    QTest::newRow("linear, 11") << false << 11. << 20. << List { 5, 10, 15, 20 };
    QTest::newRow("linear, exact") << false << 5000. << 5000. << List { 2000, 4000 };
    QTest::newRow("log, nothing") << true << 0. << 10. << List { 1, 10 };
    QTest::newRow("log, 11") << true << 11. << 100. << List { 1, 10, 100 };
    QTest::newRow("log, exact") << true << 1e6 << 1e6 << List { 1, 100, 1e4, 1e6 };
}

void tst_HistogramText::axisEndsAtARoundValue()
{
    QFETCH(bool, logarithmic);
    QFETCH(qreal, largest);
    ValueAxis axis;
    axis.setLogarithmic(logarithmic);
    axis.fit(largest);
    QTEST(axis.maximum(), "maximum");
    QTEST(axis.ticks(4), "ticks");
    QCOMPARE(axis.fraction(0), 0.0);
    QCOMPARE(axis.fraction(axis.maximum()), 1.0);
    QVERIFY(axis.fraction(1) > 0);
    QCOMPARE(axis.fraction(axis.maximum() * 2), 1.0);
}

void tst_HistogramText::axisShrinksLate()
{
    ValueAxis axis;
    axis.fit(900);
    QCOMPARE(axis.maximum(), 1000.0);
    for (int i = 0; i < 5; ++i)
        axis.fit(40);
    QCOMPARE(axis.maximum(), 1000.0);
    axis.fit(1001);
    QCOMPARE(axis.maximum(), 2000.0);
    for (int i = 0; i < 20; ++i)
        axis.fit(40);
    QCOMPARE(axis.maximum(), 50.0);
}

void tst_HistogramText::chartFitsInEightyColumns()
{
    const QString text = textChart(sample());
    const QStringList lines = text.split(u'\n');
    for (const QString &line : lines)
        QVERIFY2(line.size() <= 80, qPrintable(line));
    const auto line = [&](const QString &start) {
        const QStringList found = lines.filter(start);
        return found.isEmpty() ? QString() : found.constFirst().simplified();
    };
    // A thousand on an axis that ends there is a full bar.
    QCOMPARE(line(u"   24 B"_s), u"24 B "_s + QString(28, QChar(0x2588)) + u" 1,000 800 100"_s);
    QVERIFY(line(u"  112 B"_s).endsWith(u"500 10 50"_s));
    QVERIFY(text.contains(u"nothing allocated"_s)); // the private parts
    QVERIFY(text.contains(u"3 arenas, 1 orphaned, 3 adoptions"_s));
    QVERIFY(!text.contains(u"Heap"_s));

    QString error;
    const QString whole = textChart(Snapshot::fromJson(wholeSnapshot(), &error).value());
    const QStringList heap = whole.sliced(whole.indexOf(u"\nHeap"_s)).split(u'\n');
    QVERIFY2(heap.at(2).simplified().endsWith(u" 40,000 500 1,000"_s), qPrintable(heap.at(2)));
    QVERIFY2(heap.at(3).startsWith(u" 1024 B "_s), qPrintable(heap.at(3)));
    for (const QString &line : heap)
        QVERIFY2(line.size() <= 80, qPrintable(line));
}

QTEST_GUILESS_MAIN(tst_HistogramText)

#include "tst_histogramtext.moc"
