// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "heapscreen.h"
#include "terminalsizes.h"

#include <QtTest/QTest>

using namespace Qt::StringLiterals;
using QPool::NamedStack;

// The screen of call sites for given samples, as text.
class tst_TopHeap : public QObject
{
    Q_OBJECT

private slots:
    void fitsEveryTerminal_data();
    void fitsEveryTerminal();
    void rowsShowSites();
    void cutsNamesInside();
    void showsGrowthSinceTheMark();
    void ordersByGrowthOnlyWithAMark();
    void showsOnlyWhatMatches();
    void saysWhatIsMissing();
    void drawsOnlyAsciiWithoutUnicode();
};

static NamedStack::Place place(const std::string &function, const std::string &file, int line)
{
    NamedStack::Place result;
    result.function = function;
    result.file = file;
    result.line = line;
    result.isNamed = true;
    return result;
}

static void add(ShownHeap *heap, const std::vector<NamedStack::Place> &places, double inUse, double allocated,
                const std::string &type = {})
{
    NamedStack stack;
    for (const NamedStack::Place &each : places)
        stack.frames.push_back({ 0, { each } });
    stack.inUse = { std::uint64_t(inUse > 0), inUse / 100, inUse };
    stack.allocated = { 1, allocated / 100, allocated };
    if (!type.empty())
        stack.classes[type] = inUse;
    heap->profile.stacks.push_back({ {}, stack.allocated, stack.inUse });
    heap->stacks.push_back(stack);
}

static ShownHeap sample()
{
    constexpr double MiB = 1024 * 1024;
    ShownHeap heap;
    heap.profile.pid = 4711;
    heap.profile.interval = 512 * 1024;
    const auto main = place("main", "main.cpp", 9);
    add(&heap, { place("Reader::token(char)", "reader.cpp", 44), place("Reader::line()", "reader.cpp", 21), main },
        1 * MiB, 50 * MiB);
    add(&heap, { place("Cache::insert(Entry)", "cache.cpp", 41), main }, 6 * MiB, 7 * MiB, "Entry");
    add(&heap, { main }, 1 * MiB, 1 * MiB);
    return heap;
}

static QStringList screen(const ShownHeap &heap, HeapView &view, const ScreenForm &form = {})
{
    QStringList result;
    for (const ScreenLine &line : heapScreen(u"program"_s, heap, view, form))
        result += line.plainText();
    return result;
}

void tst_TopHeap::fitsEveryTerminal_data()
{
    addTerminalSizes();
}

void tst_TopHeap::fitsEveryTerminal()
{
    QFETCH(int, columns);
    QFETCH(int, rows);
    ShownHeap heap = sample();
    add(&heap, { place(std::string(300, 'x'), "x.cpp", 1), place(std::string(300, 'y'), "y.cpp", 1) }, 1, 1,
        std::string(300, 'z'));
    for (const ShownHeap &shown : { heap, ShownHeap() }) {
        for (bool help : { false, true }) {
            for (bool marks : { false, true }) {
                HeapView view;
                view.help = help;
                if (marks)
                    view.toggleMark(heap);
                const ScreenLines lines = heapScreen(u"program"_s, shown, view, { columns, rows, true });
                QCOMPARE(lines.size(), rows);
                for (const ScreenLine &line : lines)
                    QVERIFY(line.length() <= columns);
            }
        }
    }
}

void tst_TopHeap::rowsShowSites()
{
    HeapView view;
    QStringList lines = screen(sample(), view);
    QCOMPARE(lines.at(0), u"program  process 4711, call sites"_s);
    QCOMPARE(lines.at(1), u"about 8.0 MiB in use, 58.0 MiB allocated, by 3 samples, one in 512.0 KiB"_s);
    QCOMPARE(lines.at(2), u"Sorted by bytes in use."_s);
    QCOMPARE(lines.at(3), u"    in use  allocated  share  function {class}, its caller"_s);
    QCOMPARE(lines.at(4), u"   6.0 MiB    7.0 MiB  75.0%  Cache::insert (cache.cpp:41)  {Entry}"_s);
    QCOMPARE(lines.at(5), u"                              < main (main.cpp:9)"_s);
    view.changeOrder();
    lines = screen(sample(), view);
    QCOMPARE(lines.at(4), u"   1.0 MiB   50.0 MiB  12.5%  Reader::token (reader.cpp:44)"_s);
    QCOMPARE(lines.at(5), u"                              < Reader::line (reader.cpp:21)"_s);
    QVERIFY(lines.at(8).endsWith(u"main (main.cpp:9)"_s)); // it has no caller
    QCOMPARE(lines.size(), 9);
}

void tst_TopHeap::cutsNamesInside()
{
    ShownHeap heap;
    add(&heap, { place("Begin" + std::string(300, 'x'), "end.cpp", 1) }, 1, 1,
        "First" + std::string(300, 'z') + "Last");
    HeapView view;
    const QString line = screen(heap, view).at(4);
    QCOMPARE(line.size(), 80);
    QVERIFY2(line.contains(u"  Begin"_s) && line.contains(u"(end.cpp:1)  {First"_s) && line.endsWith(u"Last}"_s),
             qPrintable(line));
    QCOMPARE(line.count(u'…'), 2);
}

void tst_TopHeap::showsGrowthSinceTheMark()
{
    HeapView view;
    view.toggleMark(sample());
    QCOMPARE(view.order, HeapView::Growth);
    ShownHeap later = sample();
    later.stacks[0].inUse.bytes += 3 * 1024 * 1024;
    later.stacks[1].inUse.bytes -= 1024 * 1024;
    QStringList lines = screen(later, view);
    QVERIFY(lines.at(2).contains(u"since the mark"_s));
    QVERIFY2(lines.at(4).startsWith(u"   4.0 MiB   50.0 MiB   +3.0 MiB"_s), qPrintable(lines.at(4)));
    QVERIFY2(lines.at(6).startsWith(u"   1.0 MiB    1.0 MiB          -"_s), qPrintable(lines.at(6)));
    QVERIFY2(lines.at(7).startsWith(u"   5.0 MiB    7.0 MiB   -1.0 MiB"_s), qPrintable(lines.at(7)));
    view.toggleMark(later);
    QVERIFY(!view.mark);
    QCOMPARE(view.order, HeapView::InUse);
    QVERIFY(!screen(later, view).at(3).contains(u"growth"_s));
}

void tst_TopHeap::ordersByGrowthOnlyWithAMark()
{
    HeapView view;
    view.changeOrder();
    QCOMPARE(view.order, HeapView::Allocated);
    view.changeOrder();
    QCOMPARE(view.order, HeapView::InUse);
    view.toggleMark(sample());
    view.changeOrder();
    QCOMPARE(view.order, HeapView::InUse);
    QVERIFY(screen(sample(), view).at(2).contains(u"Sorted by bytes in use"_s));
    view.changeOrder();
    view.changeOrder();
    QCOMPARE(view.order, HeapView::Growth);
}

void tst_TopHeap::showsOnlyWhatMatches()
{
    for (const QString &filter : { u"reader::LINE"_s, u"reader.cpp:44"_s }) {
        HeapView view;
        view.filter = filter;
        const QStringList lines = screen(sample(), view);
        QVERIFY(lines.at(2).contains(u"Filter: "_s + filter));
        QCOMPARE(lines.size(), 6);
        QVERIFY(lines.at(4).contains(u"Reader::token"_s));
    }
    HeapView view;
    view.filter = u"ENTRY"_s;
    QCOMPARE(screen(sample(), view).size(), 6);
    view.filter = u"plane"_s;
    QCOMPARE(screen(sample(), view).at(3), u"No function or class matches."_s);
}

void tst_TopHeap::saysWhatIsMissing()
{
    HeapView view;
    ShownHeap heap = sample();
    heap.profile.missed = 1234;
    QCOMPARE(screen(heap, view).constLast(), u"1,234 samples had no room, and are missing."_s);
    heap.profile.interval = 0;
    QVERIFY(screen(heap, view).at(1).endsWith(u"switched off"_s));
    QVERIFY(screen(ShownHeap(), view).at(3).startsWith(u"No sample yet"_s));
}

void tst_TopHeap::drawsOnlyAsciiWithoutUnicode()
{
    ShownHeap heap = sample();
    add(&heap, { place("Stra\xc3\x9f" "e\x1b[2J" + std::string(100, 'x'), "a.cpp", 1) }, 1, 1, "Stra\xc3\x9f" "e");
    HeapView view;
    const QString text = screen(heap, view, { 80, 24, false }).join(u'\n');
    QVERIFY(text.contains(u"Stra?e?[2J"_s));
    for (QChar c : text)
        QVERIFY(c == u'\n' || (c.unicode() >= ' ' && c.unicode() < 0x7f));
}

QTEST_GUILESS_MAIN(tst_TopHeap)
#include "tst_topheap.moc"
