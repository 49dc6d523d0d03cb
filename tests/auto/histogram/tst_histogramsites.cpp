// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "windowfixture.h"

#include "sitemodel.h"

#include <QtCore/qregularexpression.h>

// Which code allocates: the rows, the stacks, and the page.
class tst_HistogramSites : public WindowFixture
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(u"."_s)); }
    void cleanup() { close(); }

    void sortsByWhatIsInUseOrAllocated();
    void countsGrowthSinceTheMark();
    void putsFunctionsBelowTheirCallers();
    void zoomsIntoAFunction();
    void pageSwitchesSamplingOnAndOff();
    void pageShowsTableAndStacks();
    void pageKeepsItsLayoutWhenTheWindowJumps();
    void saysWhyThereIsNone();
    void readsOnlyWhileShown();

private:
    void openPage(QSize size = Wide);
};

constexpr qreal MiB = 1024 * 1024;

void tst_HistogramSites::openPage(QSize size)
{
    CommandLine options;
    options.page = int(CommandLine::pages().indexOf(u"sites"_s));
    open(size, sampleSnapshot(), options);
    QTRY_VERIFY(m_monitor->inspection()->sites()->isReady());
    layOut();
}

static QStringList functions(const SiteModel &model)
{
    QStringList result;
    for (int row = 0; row < model.count(); ++row)
        result += model.index(row).data(SiteModel::FunctionRole).toString().section(u' ', 0, 0);
    return result;
}

static QStringList names(const FlameModel &model)
{
    QStringList result;
    for (int row = 0; row < model.count(); ++row)
        result += model.index(row).data(FlameModel::NameRole).toString();
    return result;
}

void tst_HistogramSites::sortsByWhatIsInUseOrAllocated()
{
    SiteModel model;
    model.setReading(sampleHeap());
    QCOMPARE(functions(model), (QStringList { u"Cache::insert"_s, u"Reader::line"_s, u"Reader::token"_s }));
    QCOMPARE(model.index(0).data(SiteModel::ShareRole).toReal(), 0.625);
    QCOMPARE(model.index(1).data(SiteModel::CallerRole).toString(), u"… Cache::insert (cache.cpp:38)"_s);
    model.setOrder(SiteModel::Growth); // ignored without a mark
    QCOMPARE(model.order(), SiteModel::InUse);
    model.setOrder(SiteModel::Allocated);
    QCOMPARE(functions(model).first(), u"Reader::token"_s);
    HeapReading failed;
    failed.error = u"process 1 has ended"_s;
    model.setReading(failed);
    QCOMPARE(model.count(), 3); // the last reading remains
    QCOMPARE(model.error(), failed.error);
}

void tst_HistogramSites::countsGrowthSinceTheMark()
{
    SiteModel model;
    HeapReading heap = sampleHeap();
    model.setReading(heap);
    model.toggleMark();
    QCOMPARE(model.order(), SiteModel::Growth);
    heap.sites[1].inUse += 3 * MiB;
    heap.sites[0].inUse -= MiB;
    model.setReading(heap);
    QCOMPARE(functions(model), (QStringList { u"Reader::line"_s, u"Reader::token"_s, u"Cache::insert"_s }));
    QCOMPARE(model.index(0).data(SiteModel::GrowthRole).toReal(), 3 * MiB);
    QCOMPARE(model.index(2).data(SiteModel::GrowthRole).toReal(), -MiB);
    model.toggleMark();
    QCOMPARE(model.order(), SiteModel::InUse);
}

void tst_HistogramSites::putsFunctionsBelowTheirCallers()
{
    FlameModel model;
    model.setStacks(sampleHeap().stacks, false);
    // What all have in common is left out.
    QCOMPARE(names(model), (QStringList { {}, u"… Cache::insert"_s, u"Reader::line"_s }));
    QCOMPARE(model.depth(), 3);
    const QModelIndex line = model.index(2);
    QCOMPARE(line.data(FlameModel::DepthRole).toInt(), 2);
    QCOMPARE(line.data(FlameModel::WidthRole).toReal(), 0.375);
    model.setStacks(sampleHeap().stacks, true);
    QCOMPARE(names(model), (QStringList { {}, u"main"_s, u"MainWindow::open"_s, u"Cache::insert"_s, u"Reader::line"_s,
                                          u"Reader::token"_s }));
    for (int row = 0; row < model.count(); ++row) {
        const QModelIndex index = model.index(row);
        const qreal end = index.data(FlameModel::StartRole).toReal() + index.data(FlameModel::WidthRole).toReal();
        QVERIFY(end <= 1 + 1e-9);
    }
    model.setStacks({}, false);
    QCOMPARE(model.count(), 0);
    QCOMPARE(model.depth(), 0);
}

void tst_HistogramSites::zoomsIntoAFunction()
{
    FlameModel model;
    model.setStacks(sampleHeap().stacks, false);
    model.zoomTo(2);
    QVERIFY(model.isZoomed());
    QCOMPARE(names(model), (QStringList { {}, u"… Reader::line"_s }));
    QCOMPARE(model.index(1).data(FlameModel::WidthRole).toReal(), 1.0);
    QCOMPARE(model.index(1).data(FlameModel::ShareRole).toReal(), 0.375);
    model.setStacks(sampleHeap().stacks, false); // the next reading
    QVERIFY(model.isZoomed());
    auto other = sampleHeap().stacks;
    other[4].name = u"other"_s;
    model.setStacks(other, false); // the function has gone
    QVERIFY(!model.isZoomed());
    QCOMPARE(model.count(), 3);
    model.zoomTo(2);
    model.zoomTo(0); // all
    QVERIFY(!model.isZoomed());
}

void tst_HistogramSites::pageSwitchesSamplingOnAndOff()
{
    open(QSize(900, 600));
    m_answers->inspector->setHeap({});
    key(Qt::Key_7);
    QTRY_COMPARE(text(u"sitesStateTitle"_s), u"Sampling is off"_s);
    jumpTo(QSize(900, 600), u"sites-off"_s);
    QCOMPARE(overlaps().join(u"; "_s), QString());
    click(item(u"startSampling"_s));
    QTRY_COMPARE(text(u"sitesStateTitle"_s), u"No sample yet"_s);
    QVERIFY(!item(u"startSampling"_s));
    m_answers->inspector->setHeap(sampleHeap());
    QTRY_VERIFY(item(u"siteList"_s));
    click(item(u"samplingSwitch"_s));
    QTRY_VERIFY(text(u"sitesSummary"_s).contains(u"sampling is off"_s));
    click(item(u"samplingSwitch"_s));
    QTRY_VERIFY(text(u"sitesSummary"_s).contains(u"one in 512\u00a0KiB"_s));
}

void tst_HistogramSites::pageShowsTableAndStacks()
{
    openPage();
    QCOMPARE(text(u"pageTitle"_s), u"Call sites"_s);
    QCOMPARE(item(u"siteList"_s)->property("count").toInt(), 3);
    key(Qt::Key_M);
    QVERIFY(m_monitor->inspection()->sites()->isMarked());
    click(segment(u"siteOrder"_s, 0));
    QCOMPARE(m_monitor->inspection()->sites()->order(), SiteModel::InUse);
    click(item(u"siteMark"_s));
    QVERIFY(!m_monitor->inspection()->sites()->isMarked());
    click(segment(u"sitesView"_s, 1));
    QVERIFY(!item(u"siteList"_s));
    QList<QQuickItem *> flames;
    forEachItem(item(u"flameGraph"_s), [&](QQuickItem *item) {
        if (item->objectName() == u"flame"_s && item->isVisible())
            flames += item;
    });
    QCOMPARE(flames.size(), 3);
    click(flames.last());
    QVERIFY(m_monitor->inspection()->sites()->stacks()->isZoomed());
    click(item(u"showAllStacks"_s));
    QVERIFY(!m_monitor->inspection()->sites()->stacks()->isZoomed());
}

void tst_HistogramSites::pageKeepsItsLayoutWhenTheWindowJumps()
{
    openPage(Medium);
    for (const bool asStacks : { false, true }) {
        if (asStacks)
            click(segment(u"sitesView"_s, 1));
        for (QSize size : Jumps) {
            jumpTo(size, asStacks ? u"stacks"_s : u"sites"_s);
            QCOMPARE(overlaps().join(u"; "_s), QString());
            QVERIFY(item(asStacks ? u"flameGraph"_s : u"siteList"_s)->height() > 100);
        }
    }
}

void tst_HistogramSites::saysWhyThereIsNone()
{
    open(QSize(900, 600));
    HeapReading failed;
    failed.error = u"process 4242 has no pool"_s;
    m_answers->inspector->setHeap(failed);
    key(Qt::Key_7);
    QTRY_COMPARE(text(u"sitesStateTitle"_s), u"The call sites cannot be read"_s);
    QCOMPARE(text(u"sitesStateText"_s), failed.error + u'.');
    m_answers->inspector->setHeap(sampleHeap());
    QTRY_VERIFY(item(u"siteList"_s));
    m_answers->inspector->setHeap(failed);
    QTRY_VERIFY(item(u"sitesError"_s));
    QVERIFY(item(u"siteList"_s));
}

void tst_HistogramSites::readsOnlyWhileShown()
{
    open(Wide);
    const int reads = m_answers->reads;
    QTRY_VERIFY(m_answers->reads > reads + 2);
    QCOMPARE(m_answers->inspector->heapReadings, 0);
    key(Qt::Key_7);
    QTRY_VERIFY(m_answers->inspector->heapReadings > 1);
}

QTEST_MAIN(tst_HistogramSites)

#include "tst_histogramsites.moc"
