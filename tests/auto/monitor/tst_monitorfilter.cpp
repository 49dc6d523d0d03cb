// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include <qpoolstatisticsfilter.h>

#include <QtTest/QTest>

using namespace Qt::StringLiterals;
using namespace QPoolStatistics;

// The filter alone: what it holds back, as it is typed and when it is finished.
class tst_MonitorFilter : public QObject
{
    Q_OBJECT

private slots:
    void matchesSizes_data();
    void matchesSizes();
    void matchesDomains_data();
    void matchesDomains();
    void matchesArenas_data();
    void matchesArenas();
    void namesTheWordItRefuses_data();
    void namesTheWordItRefuses();
    void usesWhatIsUnderstoodSoFar_data();
    void usesWhatIsUnderstoodSoFar();
    void normalisesItsText();
};

static const QList<int> Sizes { 8, 16, 24, 128, 1024, 8192 };

void tst_MonitorFilter::matchesSizes_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QList<int>>("matching");
    using List = QList<int>;
    QTest::newRow("empty") << u""_s << Sizes;
    QTest::newRow("blanks") << u" \t\n "_s << Sizes;
    QTest::newRow("one") << u"24"_s << List { 24 };
    QTest::newRow("two") << u"24  8"_s << List { 8, 24 };
    QTest::newRow("range") << u"16-128"_s << List { 16, 24, 128 };
    QTest::newRow("range of one") << u"24-24"_s << List { 24 };
    QTest::newRow("open range") << u"128-"_s << List { 128, 1024, 8192 };
    QTest::newRow("above") << u">1024"_s << List { 8192 };
    QTest::newRow("below") << u"<16"_s << List { 8 };
    QTest::newRow("below all") << u"<0"_s << List {};
    QTest::newRow("above all") << u">9999999"_s << List {};
    QTest::newRow("zero") << u"0"_s << List {};
    QTest::newRow("leading zeros") << u"0000024"_s << List { 24 };
    QTest::newRow("several sorts") << u"<16 24 >1024"_s << List { 8, 24, 8192 };
    QTest::newRow("no size") << u"heap orphaned #77"_s << Sizes;
}

void tst_MonitorFilter::matchesSizes()
{
    QFETCH(QString, text);
    QString error;
    const auto filter = Filter::parse(text, &error);
    QVERIFY2(filter, qPrintable(error));
    QList<int> matching;
    for (int size : Sizes) {
        if (filter->matchesSize(size))
            matching += size;
    }
    QTEST(matching, "matching");
}

void tst_MonitorFilter::matchesDomains_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("matching"); // their initials
    QTest::newRow("empty") << u""_s << u"eoph"_s;
    QTest::newRow("whole word") << u"event"_s << u"e"_s;
    QTest::newRow("plural") << u"privates"_s << u"p"_s;
    QTest::newRow("letters' case") << u"OBJects"_s << u"o"_s;
    QTest::newRow("one letter") << u"o"_s << u"o"_s;
    QTest::newRow("several") << u"h ev"_s << u"eh"_s;
    QTest::newRow("with sizes") << u"private 24"_s << u"p"_s;
    QTest::newRow("words of arenas") << u"main orphaned adopted #1"_s << u"eoph"_s;
}

void tst_MonitorFilter::matchesDomains()
{
    QFETCH(QString, text);
    QString error;
    const auto filter = Filter::parse(text, &error);
    QVERIFY2(filter, qPrintable(error));
    QString matching;
    for (Domain domain : { Domain::Event, Domain::Object, Domain::Private, Domain::Heap }) {
        QCOMPARE(filter->matches(domain), filter->matchesDomain(nameOf(domain)));
        if (filter->matches(domain))
            matching += nameOf(domain).at(0);
    }
    QTEST(matching, "matching");
}

void tst_MonitorFilter::matchesArenas_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QList<int>>("beside"); // shown beside sizes
    QTest::addColumn<QList<int>>("alone");
    using List = QList<int>;
    const List all { 1, 2, 24 };
    QTest::newRow("empty") << u""_s << all << all;
    QTest::newRow("main") << u"main"_s << List { 1 } << List { 1 };
    QTest::newRow("orphaned") << u"or"_s << List { 2 } << List { 2 };
    QTest::newRow("adopted") << u"ADOPTED"_s << List { 24 } << List { 24 };
    QTest::newRow("two words add up") << u"m a"_s << List { 1, 24 } << List { 1, 24 };
    QTest::newRow("thread") << u"#5002"_s << List { 2 } << List { 2 };
    QTest::newRow("a part is no thread") << u"#500"_s << List {} << List {};
    QTest::newRow("thread or word") << u"#5002 main"_s << List { 1, 2 } << List { 1, 2 };
    QTest::newRow("number") << u"24"_s << all << List { 24 };
    QTest::newRow("part of a thread's") << u"500"_s << all << List { 1, 2 };
    QTest::newRow("range is of sizes") << u"1-2"_s << all << all;
    QTest::newRow("domain") << u"o"_s << all << all; // not orphaned: objects
}

void tst_MonitorFilter::matchesArenas()
{
    QFETCH(QString, text);
    ArenaStatistics main;
    main.id = 1;
    main.thread = 5001;
    ArenaStatistics orphan;
    orphan.id = 2;
    orphan.thread = 5002;
    orphan.orphaned = true;
    ArenaStatistics adopted;
    adopted.id = 24;
    adopted.thread = 77;
    adopted.adoptions = 3;
    QString error;
    const auto filter = Filter::parse(text, &error);
    QVERIFY2(filter, qPrintable(error));
    QList<int> beside;
    QList<int> alone;
    for (const ArenaStatistics &arena : { main, orphan, adopted }) {
        if (filter->matches(arena, 5001, Filter::NumbersAreSizes))
            beside += int(arena.id);
        if (filter->matches(arena, 5001, Filter::NumbersAreThreads))
            alone += int(arena.id);
    }
    QTEST(beside, "beside");
    QTEST(alone, "alone");
}

void tst_MonitorFilter::namesTheWordItRefuses_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("word"); // which the sentence names
    QTest::addColumn<QString>("cause");
    const QString none = u"is no domain, size or range of sizes"_s;
    QTest::newRow("word") << u"24 bananas"_s << u"bananas"_s << none;
    QTest::newRow("the first of two") << u"apples bananas"_s << u"apples"_s << none;
    QTest::newRow("negative") << u"-24"_s << u"-24"_s << none;
    QTest::newRow("sign") << u"+24"_s << u"+24"_s << none;
    QTest::newRow("decimals") << u"2.5"_s << u"2.5"_s << none;
    QTest::newRow("unit") << u"24k"_s << u"24k"_s << none;
    QTest::newRow("three ends") << u"1-2-3"_s << u"1-2-3"_s << none;
    QTest::newRow("two dashes") << u"1--"_s << u"1--"_s << none;
    QTest::newRow("half a range") << u"8-x"_s << u"8-x"_s << none;
    QTest::newRow("too large") << u"99999999"_s << u"99999999"_s << none;
    QTest::newRow("far too large") << u"99999999999999999999"_s << u"99999999999999999999"_s << none;
    QTest::newRow("limit too large") << u">99999999999999999999"_s << u">99999999999999999999"_s << none;
    QTest::newRow("other digits") << u"\u0662\u0664"_s << u"\u0662\u0664"_s << none;
    QTest::newRow("no thread") << u"#x"_s << u"#x"_s << none;
    QTest::newRow("thread too large") << u"#9999999999999999999"_s << u"#9999999999999999999"_s << none;
    QTest::newRow("word that goes on") << u"eventful"_s << u"eventful"_s << none;
    QTest::newRow("unfinished limit") << u"event >"_s << u">"_s << u"lacks a size"_s;
    QTest::newRow("unfinished thread") << u"#"_s << u"#"_s << u"lacks the number of a thread"_s;
    QTest::newRow("reversed") << u"64-32"_s << u"64-32"_s << u"ends before it begins"_s;
}

void tst_MonitorFilter::namesTheWordItRefuses()
{
    QFETCH(QString, text);
    QFETCH(QString, word);
    QFETCH(QString, cause);
    QString error;
    QVERIFY(!Filter::parse(text, &error));
    QVERIFY2(error.contains(u'\'' + word + u'\''), qPrintable(error));
    QVERIFY2(error.contains(cause), qPrintable(error));
    QVERIFY(!error.contains(u'\n'));
}

void tst_MonitorFilter::usesWhatIsUnderstoodSoFar_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("misunderstood");
    QTest::addColumn<QList<int>>("matching");
    QTest::newRow("limit begun") << u">"_s << u""_s << Sizes;
    QTest::newRow("thread begun") << u"#"_s << u""_s << Sizes;
    QTest::newRow("range begun") << u"24-"_s << u""_s << QList<int> { 24, 128, 1024, 8192 };
    QTest::newRow("range half typed") << u"24-1"_s << u""_s << QList<int>();
    QTest::newRow("nonsense holds nothing back") << u"bananas"_s << u"bananas"_s << Sizes;
    QTest::newRow("the rest counts") << u"24 bananas pears"_s << u"bananas"_s << QList<int> { 24 };
}

void tst_MonitorFilter::usesWhatIsUnderstoodSoFar()
{
    QFETCH(QString, text);
    const Filter filter(text);
    QTEST(filter.misunderstood(), "misunderstood");
    QList<int> matching;
    for (int size : Sizes) {
        if (filter.matchesSize(size))
            matching += size;
    }
    QTEST(matching, "matching");
}

void tst_MonitorFilter::normalisesItsText()
{
    QCOMPARE(Filter(u"  Event\t 24 "_s).text(), u"Event 24"_s);
    QVERIFY(Filter(u"24 "_s) == Filter(u" 24"_s));
    QVERIFY(Filter(u"24"_s) != Filter(u"16"_s));
    QVERIFY(Filter().isEmpty() && Filter(u"  "_s).isEmpty());
}

QTEST_GUILESS_MAIN(tst_MonitorFilter)
#include "tst_monitorfilter.moc"
