// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "censusscreen.h"
#include "terminalsizes.h"

#include <QtTest/QTest>

using namespace Qt::StringLiterals;
using QPool::CensusOrder;

// The screen of classes for a given census, as text.
class tst_TopCensus : public QObject
{
    Q_OBJECT

private slots:
    void fitsEveryTerminal_data();
    void fitsEveryTerminal();
    void rowsShowCountsAndBytes();
    void showsWhatIsUncertain();
    void showsGrowthSinceTheMark();
    void ordersByGrowthOnlyWithAMark();
    void showsOnlyWhatMatches();
    void scrollsNoFurtherThanTheEnds();
    void drawsOnlyAsciiWithoutUnicode();
};

static QPool::CensusRow row(const char *domain, const std::string &name, quint64 count,
                            quint64 bytes, int type = -1)
{
    return { domain, name, "libcars.so", type, count, bytes };
}

static QPool::Census sample()
{
    QPool::Census census;
    census.pid = 4711;
    census.rows = { row("heap", "(no class)", 5000, 300000), row("object", "Car", 1234, 98720),
                    row("private", "CarPrivate", 1234, 148080), row("event", "QEvent", 7, 168, 52) };
    census.arenas.resize(2);
    return census;
}

static QStringList screen(const QPool::Census &census, CensusView &view, const ScreenForm &form = {})
{
    QStringList result;
    for (const ScreenLine &line : censusScreen(u"program"_s, census, view, form))
        result += line.plainText();
    return result;
}

void tst_TopCensus::fitsEveryTerminal_data()
{
    addTerminalSizes();
}

void tst_TopCensus::fitsEveryTerminal()
{
    QFETCH(int, columns);
    QFETCH(int, rows);
    const ScreenForm form { columns, rows, true };
    QPool::Census census = sample();
    census.rows.push_back(row("object", std::string(300, 'x'), 1, 8));
    for (const QPool::Census &shown : { census, QPool::Census() }) {
        for (bool help : { false, true }) {
            for (bool marks : { false, true }) {
                CensusView view;
                view.help = help;
                if (marks)
                    view.toggleMark(census);
                const ScreenLines lines = censusScreen(u"program"_s, shown, view, form);
                QCOMPARE(lines.size(), rows);
                for (const ScreenLine &line : lines)
                    QVERIFY(line.length() <= columns);
            }
        }
    }
}

void tst_TopCensus::rowsShowCountsAndBytes()
{
    CensusView view;
    const QStringList lines = screen(sample(), view);
    QCOMPARE(lines.at(0), u"program  process 4711, live objects by class"_s);
    QCOMPARE(lines.at(1), u"live 7,475 in 534.1 KiB, 2 arenas"_s);
    QCOMPARE(lines.at(3), u"     count      bytes  share          domain  class"_s);
    QVERIFY2(lines.at(4).startsWith(u"     5,000  293.0 KiB  54.8% "_s), qPrintable(lines.at(4)));
    QVERIFY(lines.at(4).endsWith(u"heap    (no class)"_s));
    QVERIFY(lines.at(5).endsWith(u"private CarPrivate"_s));
    QVERIFY(lines.at(7).endsWith(u"event   QEvent (DeferredDelete)"_s));
    QVERIFY(lines.at(4).contains(QString(8, QChar(0x2588))));
}

void tst_TopCensus::showsWhatIsUncertain()
{
    QPool::Census census = sample();
    CensusView view;
    QVERIFY(!screen(census, view).at(1).contains(u"uncertain"_s));
    census.arenas[1].moving = 1;
    census.arenas[1].uncertain = 77;
    QVERIFY(screen(census, view).at(1).endsWith(u"   77 uncertain"_s));
}

void tst_TopCensus::showsGrowthSinceTheMark()
{
    CensusView view;
    view.toggleMark(sample());
    QCOMPARE(view.order, CensusOrder::Growth);
    QPool::Census later = sample();
    later.rows[1].count += 30;
    later.rows[3].count -= 4;
    QStringList lines = screen(later, view);
    QVERIFY(lines.at(2).contains(u"since the mark"_s));
    QVERIFY2(lines.at(4).startsWith(u"     1,264       +30"_s), qPrintable(lines.at(4)));
    QVERIFY2(lines.at(6).startsWith(u"         3        -4"_s), qPrintable(lines.at(6)));
    QVERIFY(lines.at(7).endsWith(u"(no class)"_s));
    QVERIFY(lines.at(5).contains(u" - "_s));
    view.toggleMark(later);
    QVERIFY(!view.mark);
    QCOMPARE(view.order, CensusOrder::Bytes);
    QVERIFY(!screen(later, view).at(3).contains(u"growth"_s));
}

void tst_TopCensus::ordersByGrowthOnlyWithAMark()
{
    CensusView view;
    view.changeOrder();
    QCOMPARE(view.order, CensusOrder::Count);
    QVERIFY(screen(sample(), view).at(2).contains(u"Sorted by count"_s));
    view.changeOrder();
    QCOMPARE(view.order, CensusOrder::Bytes); // no growth without a mark
    view.toggleMark(sample());
    view.changeOrder();
    QCOMPARE(view.order, CensusOrder::Bytes);
    view.changeOrder();
    view.changeOrder();
    QCOMPARE(view.order, CensusOrder::Growth);
}

void tst_TopCensus::showsOnlyWhatMatches()
{
    CensusView view;
    view.filter = u"PRIVATE"_s;
    QStringList lines = screen(sample(), view);
    QVERIFY(lines.at(2).contains(u"Filter: PRIVATE."_s));
    QCOMPARE(lines.size(), 5);
    QVERIFY(lines.at(4).endsWith(u"CarPrivate"_s));
    view.filter = u"plane"_s;
    QCOMPARE(screen(sample(), view).at(3), u"No class matches."_s);
    view.prompt = u"pla"_s;
    QCOMPARE(screen(sample(), view, { 80, 24, true }).constLast(), u"Filter: pla_"_s);
}

void tst_TopCensus::scrollsNoFurtherThanTheEnds()
{
    QPool::Census census;
    for (int i = 0; i < 100; ++i)
        census.rows.push_back(row("object", "Class" + std::to_string(i), 1, quint64(1000 - i)));
    CensusView view;
    view.scroll = INT_MAX;
    QStringList lines = screen(census, view, { 80, 24, true });
    QCOMPARE(view.scroll, 101 - 20);
    QVERIFY(lines.at(3).contains(u"domain  class"_s)); // the heading stays
    QVERIFY(lines.at(22).endsWith(u"Class99"_s));
    view.scroll = -5;
    lines = screen(census, view, { 80, 24, true });
    QCOMPARE(view.scroll, 0);
    QVERIFY(lines.at(4).endsWith(u"Class0"_s));
}

void tst_TopCensus::drawsOnlyAsciiWithoutUnicode()
{
    CensusView view;
    QPool::Census census = sample();
    census.rows[0].name = "Stra\xc3\x9f" "e\x1b[2J";
    const QString text = screen(census, view, { 80, 24, false }).join(u'\n');
    QVERIFY(text.contains(u"####"_s));
    for (QChar c : text)
        QVERIFY(c == u'\n' || (c.unicode() >= ' ' && c.unicode() < 0x7f));
}

QTEST_GUILESS_MAIN(tst_TopCensus)
#include "tst_topcensus.moc"
