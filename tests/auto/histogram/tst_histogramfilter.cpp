// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "samplesnapshot.h"

#include "poolmonitor.h"

#include <qpoolstatisticsfilter.h>

#include <QtTest/qtest.h>

using namespace Qt::StringLiterals;
using Filter = QPoolStatistics::Filter;

class tst_HistogramFilter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void filterMatchesSizes_data();
    void filterMatchesSizes();
    void filterMatchesArenasAndDomains();
    void modelsShowOnlyWhatMatches();
};

static Snapshot sample()
{
    QString error;
    return Snapshot::fromJson(sampleSnapshot(), &error).value();
}

void tst_HistogramFilter::filterMatchesSizes_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QList<int>>("matching"); // of 8, 16, 24, 120, 1024
    QTest::addColumn<QString>("misunderstood");
    const QList<int> all { 8, 16, 24, 120, 1024 };
    QTest::newRow("empty") << u""_s << all << u""_s;
    QTest::newRow("one") << u"24"_s << QList<int> { 24 } << u""_s;
    QTest::newRow("several") << u" 8  24 "_s << QList<int> { 8, 24 } << u""_s;
    QTest::newRow("range") << u"16-120"_s << QList<int> { 16, 24, 120 } << u""_s;
    QTest::newRow("open range") << u"100-"_s << QList<int> { 120, 1024 } << u""_s;
    QTest::newRow("above") << u">120"_s << QList<int> { 1024 } << u""_s;
    QTest::newRow("below") << u"<16"_s << QList<int> { 8 } << u""_s;
    QTest::newRow("being typed") << u">"_s << all << u""_s;
    QTest::newRow("none") << u"17"_s << QList<int>() << u""_s;
    QTest::newRow("kind") << u"events"_s << all << u""_s;
    QTest::newRow("nonsense") << u"24 bananas"_s << QList<int> { 24 } << u"bananas"_s;
    QTest::newRow("half a range") << u"8-x"_s << all << u"8-x"_s;
    QTest::newRow("no limit") << u">x"_s << all << u">x"_s;
    QTest::newRow("too large") << u"99999999999999999999"_s << all << u"99999999999999999999"_s;
}

void tst_HistogramFilter::filterMatchesSizes()
{
    QFETCH(QString, text);
    const Filter filter(text);
    QList<int> matching;
    for (int size : { 8, 16, 24, 120, 1024 }) {
        if (filter.matchesSize(size))
            matching.append(size);
    }
    QTEST(matching, "matching");
    QTEST(filter.misunderstood(), "misunderstood");
}

void tst_HistogramFilter::filterMatchesArenasAndDomains()
{
    const auto arenas = sample().arenas;
    const auto ids = [&](const QString &text) {
        QList<qint64> result;
        for (const ArenaStatistics &arena : arenas) {
            if (Filter(text).matches(arena, 4242, Filter::NumbersAreThreads))
                result.append(arena.id);
        }
        return result;
    };
    QCOMPARE(ids(u""_s), QList<qint64>({ 1, 2, 3 }));
    QCOMPARE(ids(u"main"_s), QList<qint64>({ 1 }));
    QCOMPARE(ids(u"ORPHANED"_s), QList<qint64>({ 3 }));
    QCOMPARE(ids(u"adopted"_s), QList<qint64>({ 2, 3 }));
    QCOMPARE(ids(u"main orph"_s), QList<qint64>({ 1, 3 }));
    QCOMPARE(ids(u"4243"_s), QList<qint64>({ 2 }));
    QCOMPARE(ids(u"3"_s), QList<qint64>({ 2, 3 })); // a part of 4243, and arena 3
    QVERIFY(Filter(u"obj"_s).matches(Domain::Object));
    QVERIFY(!Filter(u"obj"_s).matches(Domain::Event));
    QVERIFY(Filter(u"private event"_s).matches(Domain::Event));
    QVERIFY(!Filter(u"private event"_s).matches(Domain::Object));
    QVERIFY(Filter(u"he"_s).matches(Domain::Heap));
    QVERIFY(!Filter(u"heap"_s).matches(Domain::Private));
    QVERIFY(!Filter(u"event"_s).matches(Domain::Heap));
}

void tst_HistogramFilter::modelsShowOnlyWhatMatches()
{
    PoolMonitor monitor;
    monitor.apply(sampleSnapshot(), 0);
    QCOMPARE(monitor.events()->count(), 28);
    monitor.setFilter(u"24 event orphaned"_s);
    QCOMPARE(monitor.events()->count(), 1);
    QCOMPARE(monitor.events()->at(0).live, 100);
    QCOMPARE(monitor.events()->allocated(), 1500); // of all classes
    QCOMPARE(monitor.domainsShown(), QList<bool>({ true, false, false, false }));
    QCOMPARE(monitor.arenas()->count(), 1); // 24 is a part of 4244
    monitor.setFilter(u"orphaned"_s);
    QCOMPARE(monitor.arenas()->count(), 1);
    QCOMPARE(monitor.arenas()->total(), 3);
    // A class that was not known, while a filter is on.
    monitor.setFilter(u">1000"_s);
    QCOMPARE(monitor.events()->count(), 1);
    QByteArray json = sampleSnapshot();
    json.replace("\"size\": 112", "\"size\": 2000");
    monitor.apply(json, 200);
    QCOMPARE(monitor.events()->count(), 2);
    QCOMPARE(monitor.events()->at(1).size, 2000);
    monitor.setFilter({});
    QCOMPARE(monitor.events()->count(), 29);
    QCOMPARE(monitor.arenas()->count(), 3);
    // The heap is shown where there is one.
    QCOMPARE(monitor.domainsShown(), QList<bool>({ true, true, true, false }));
    monitor.apply(wholeSnapshot(), 400);
    QCOMPARE(monitor.domainsShown(), QList<bool>({ true, true, true, true }));
    monitor.setFilter(u"heap >512"_s);
    QCOMPARE(monitor.domainsShown(), QList<bool>({ false, false, false, true }));
    QCOMPARE(monitor.heap()->count(), 27);
}

QTEST_GUILESS_MAIN(tst_HistogramFilter)

#include "tst_histogramfilter.moc"
