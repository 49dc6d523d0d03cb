// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "windowfixture.h"

#include <QtCore/qregularexpression.h>

// Pointer input, and the controls.
class tst_HistogramControls : public WindowFixture
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(u"."_s)); }
    void cleanup() { close(); }

    void hoveringShowsTheValuesOfABar_data();
    void hoveringShowsTheValuesOfABar();
    void segmentsChangeViewAndScale();
    void pausingKeepsTheStatistics();
    void pagesOpenByClickAndKey();
    void pagesKeepTheirLayoutWhenTheWindowJumps();
    void allPagesShareTheTimeSpan();
    void trendTipTellsValueAndAge();
    void workloadsStartAndStopByClick_data();
    void workloadsStartAndStopByClick();
    void slidersChangeTheRate();
};

void tst_HistogramControls::hoveringShowsTheValuesOfABar_data()
{
    QTest::addColumn<QSize>("size");
    QTest::addColumn<int>("row");
    QTest::addColumn<QString>("title");
    QTest::addColumn<QString>("allocated");
    QTest::addColumn<QString>("remote");
    QTest::addColumn<QString>("live");
    for (QSize size : { Small, Wide, QSize(3840, 2160) }) {
        const auto name = [&](const char *what) {
            return QByteArray(what) + ' ' + QByteArray::number(size.width());
        };
        QTest::newRow(name("used"))
                << size << 2 << u"24 bytes"_s << u"1,000"_s << u"800"_s << u"100"_s;
        QTest::newRow(name("unused")) << size << 0 << u"8 bytes"_s << u"0"_s << u"0"_s << u"0"_s;
        QTest::newRow(name("last")) << size << 27 << u"1024 bytes"_s << u"0"_s << u"0"_s << u"0"_s;
    }
}

void tst_HistogramControls::hoveringShowsTheValuesOfABar()
{
    QFETCH(QSize, size);
    QFETCH(int, row);
    open(size);
    HistogramItem *events = histograms().constFirst();
    QVERIFY(!item(u"barTip"_s));

    const QPointF point = events->mapToScene(events->slotRect(row).center());
    QTest::mouseMove(m_window, point.toPoint());
    QTRY_VERIFY(item(u"barTip"_s));
    QCOMPARE(events->hoveredIndex(), row);
    QTEST(text(u"tipTitle"_s), "title");
    QTEST(text(u"tipAllocated"_s), "allocated");
    QTEST(text(u"tipRemote"_s), "remote");
    QTEST(text(u"tipLive"_s), "live");
    const QQuickItem *tip = item(u"barTip"_s);
    const QRectF rect = tip->mapRectToScene(tip->boundingRect());
    QVERIFY(QRectF(QPointF(), QSizeF(size)).contains(rect));
    QVERIFY(!rect.contains(point));

    QTest::mouseMove(m_window, QPoint(2, 2));
    QTRY_VERIFY(!item(u"barTip"_s));
}

void tst_HistogramControls::segmentsChangeViewAndScale()
{
    open(Wide);
    HistogramItem *events = histograms().constFirst();
    QVERIFY(!events->isCumulative());
    QCOMPARE(events->barValue(2), 100.0);
    click(segment(u"viewSegments"_s, 1));
    QVERIFY(events->isCumulative());
    QCOMPARE(events->barValue(2), 1000.0);
    click(segment(u"viewSegments"_s, 0));
    QVERIFY(!events->isCumulative());
    QVERIFY(events->isLogarithmic());
    const qreal height = events->barRect(13).height();
    click(segment(u"scaleSegments"_s, 0));
    QVERIFY(!events->isLogarithmic());
    QVERIFY(events->barRect(13).height() < height);
}

void tst_HistogramControls::pausingKeepsTheStatistics()
{
    open(Wide);
    key(Qt::Key_Space);
    QVERIFY(m_monitor->isPaused());
    QCOMPARE(text(u"stateChip"_s), u"paused"_s);
    QByteArray json = sampleSnapshot();
    json.replace("8160", "99");
    m_answers->become(SnapshotSource::Status::Ready, {}, json);
    const int reads = m_answers->reads;
    QTRY_VERIFY(m_answers->reads > reads + 1); // it only checks whether the process lives
    QCOMPARE(m_monitor->liveBytes(), 8160);
    // A clicked button does not take the keys of the page.
    click(item(u"pauseButton"_s));
    QVERIFY(!m_monitor->isPaused());
    QTRY_COMPARE(m_monitor->liveBytes(), 99);
    key(Qt::Key_Space);
    QVERIFY(m_monitor->isPaused());
}

void tst_HistogramControls::pagesOpenByClickAndKey()
{
    open(Wide);
    const QStringList titles { u"Overview"_s, u"Arenas"_s, u"Memory"_s, u"Workloads"_s };
    const QStringList names = CommandLine::pages();
    for (int page : { 3, 1, 2, 0 }) {
        click(item(u"nav_"_s + names.at(page)));
        QCOMPARE(text(u"pageTitle"_s), titles.at(page));
    }
    for (int page : { 2, 3, 0, 1 }) {
        key(Qt::Key_1 + page);
        QCOMPARE(text(u"pageTitle"_s), titles.at(page));
        QVERIFY(item(u"nav_"_s + names.at(page))->property("checked").toBool());
    }
}

// Maximising, restoring and snapping change the size at once.
void tst_HistogramControls::pagesKeepTheirLayoutWhenTheWindowJumps()
{
    for (const QByteArray &json : { sampleSnapshot(), wholeSnapshot() }) {
        m_latency = readyLatency();
        for (int page = 0; page < CommandLine::pages().size(); ++page) {
            CommandLine options;
            options.page = page;
            open(Medium, json, options);
            const QString name = CommandLine::pages().at(page);
            for (QSize size : Jumps) {
                jumpTo(size, name);
                QVERIFY2(overlaps().isEmpty(), qPrintable(name + u": "_s + overlaps().join(u"; "_s)));
            }
            close();
        }
    }
}

void tst_HistogramControls::allPagesShareTheTimeSpan()
{
    open(Wide);
    key(Qt::Key_3);
    click(segment(u"memoryPart"_s, 1));
    QQuickItem *trend = item(u"trend"_s);
    QCOMPARE(trend->property("seconds").toInt(), 60);
    click(segment(u"spanSegments"_s, 2));
    QCOMPARE(trend->property("seconds").toInt(), 600);
    key(Qt::Key_1); // all pages share the setting
    QCOMPARE(item(u"trend"_s)->property("seconds").toInt(), 600);
}

void tst_HistogramControls::trendTipTellsValueAndAge()
{
    open(Wide);
    key(Qt::Key_3);
    click(segment(u"memoryPart"_s, 1));
    for (int i = 0; i < 300; ++i)
        m_monitor->apply(sampleSnapshot(), 1'000'000 + i * 200);
    m_monitor->setPaused(true);
    QQuickItem *trend = item(u"trend"_s);
    const QPointF middle = trend->mapToScene(trend->boundingRect().center());
    QTest::mouseMove(m_window, middle.toPoint());
    QTRY_VERIFY(item(u"trendTip"_s));
    const QString spoken = item(u"trendTip"_s)->property("spoken").toString();
    QVERIFY2(spoken.contains(u"Committed 384\u00a0KiB"_s), qPrintable(spoken));
    QVERIFY2(spoken.contains(u"30 s ago"_s), qPrintable(spoken));
    QTest::mouseMove(m_window, QPoint(2, 2));
    QTRY_VERIFY(!item(u"trendTip"_s));
    trend->parentItem()->forceActiveFocus(Qt::TabFocusReason);
    key(Qt::Key_Left);
    QVERIFY(item(u"trendTip"_s));
}

void tst_HistogramControls::workloadsStartAndStopByClick_data()
{
    QTest::addColumn<int>("index");
    const QStringList names = WorkloadSet::names();
    for (int i = 0; i < names.size(); ++i)
        QTest::newRow(qPrintable(names.at(i))) << i;
}

void tst_HistogramControls::workloadsStartAndStopByClick()
{
    QFETCH(int, index);
    open(Wide);
    key(Qt::Key_4);
    Workload *workload = m_workloads->list().at(index);
    QQuickItem *button = item(u"switch_"_s + workload->name());
    QVERIFY(button);
    QVERIFY(!button->property("checked").toBool());
    click(button);
    QVERIFY(workload->isRunning());
    QVERIFY(button->property("checked").toBool());
    QTRY_VERIFY(workload->operations() > 0);
    click(item(u"stopAll"_s));
    QVERIFY(!workload->isRunning());
    QVERIFY(!button->property("checked").toBool());
}

void tst_HistogramControls::slidersChangeTheRate()
{
    open(Wide);
    key(Qt::Key_4);
    Workload *queued = m_workloads->list().at(0);
    QQuickItem *slider = item(u"slider_queued"_s);
    QVERIFY(slider);
    const int usual = queued->rate();
    slider->forceActiveFocus(Qt::TabFocusReason);
    key(Qt::Key_Right);
    QVERIFY(queued->rate() > usual);
    QVERIFY(text(u"rate_queued"_s).contains(u"calls per second"_s));
    key(Qt::Key_Home);
    for (int i = 0; i < 60; ++i)
        key(Qt::Key_Left);
    QCOMPARE(queued->rate(), queued->lowestRate());
    const QPointF end = slider->mapToScene(QPointF(slider->width() - 12, slider->height() / 2));
    QTest::mouseClick(m_window, Qt::LeftButton, {}, end.toPoint());
    QVERIFY(queued->rate() > usual);
}

QTEST_MAIN(tst_HistogramControls)

#include "tst_histogramcontrols.moc"
