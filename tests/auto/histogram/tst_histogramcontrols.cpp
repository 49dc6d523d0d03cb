// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "windowfixture.h"

#include <QtCore/qregularexpression.h>

class tst_HistogramControls : public WindowFixture
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(u"."_s)); }
    void cleanup() { close(); }

    void hover_data();
    void hover();
    void keyboard();
    void viewSwitch();
    void scaleSwitch();
    void pauseKey();
    void spaceOnFocusedSwitch();
    void workloadSwitches_data();
    void workloadSwitches();
};

void tst_HistogramControls::hover_data()
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

void tst_HistogramControls::hover()
{
    QFETCH(QSize, size);
    QFETCH(int, row);
    open(size);
    HistogramItem *events = histograms().constFirst();
    QVERIFY(!item(u"figureTip"_s));

    const QPointF point = events->mapToScene(events->slotRect(row).center());
    QTest::mouseMove(m_window, point.toPoint());
    QTRY_VERIFY(item(u"figureTip"_s));
    QCOMPARE(events->hoveredIndex(), row);
    QTEST(text(u"tipTitle"_s), "title");
    QTEST(text(u"tipAllocated"_s), "allocated");
    QTEST(text(u"tipRemote"_s), "remote");
    QTEST(text(u"tipLive"_s), "live");
    const QQuickItem *tip = item(u"figureTip"_s);
    const QRectF rect = tip->mapRectToScene(tip->boundingRect());
    QVERIFY(QRectF(QPointF(), QSizeF(size)).contains(rect));
    QVERIFY(!rect.contains(point));

    QTest::mouseMove(m_window, QPoint(2, 2));
    QTRY_VERIFY(!item(u"figureTip"_s));
}

void tst_HistogramControls::keyboard()
{
    open(Wide);
    HistogramItem *events = histograms().constFirst();
    events->parentItem()->forceActiveFocus(Qt::TabFocusReason);
    for (int i = 0; i < 3; ++i)
        QTest::keyClick(m_window, Qt::Key_Right);
    QCOMPARE(events->hoveredIndex(), 2);
    QCOMPARE(text(u"tipTitle"_s), u"24 bytes"_s);
    QTest::keyClick(m_window, Qt::Key_Left);
    QCOMPARE(events->hoveredIndex(), 1);
    QTest::keyClick(m_window, Qt::Key_Escape);
    QCOMPARE(events->hoveredIndex(), -1);
}

void tst_HistogramControls::viewSwitch()
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
}

void tst_HistogramControls::scaleSwitch()
{
    open(Wide);
    HistogramItem *events = histograms().constFirst();
    QVERIFY(events->isLogarithmic());
    const qreal height = events->barRect(13).height();
    click(segment(u"scaleSegments"_s, 0));
    QVERIFY(!events->isLogarithmic());
    QVERIFY(events->barRect(13).height() < height);
}

void tst_HistogramControls::pauseKey()
{
    open(Wide);
    QVERIFY(m_monitor->isPaused());
    QTest::keyClick(m_window, Qt::Key_Space);
    QVERIFY(!m_monitor->isPaused());
    // Clicked buttons do not keep the key for themselves.
    click(item(u"pauseButton"_s));
    QVERIFY(m_monitor->isPaused());
    QTest::keyClick(m_window, Qt::Key_Space);
    QVERIFY(!m_monitor->isPaused());
}

void tst_HistogramControls::spaceOnFocusedSwitch()
{
    open(Wide);
    QQuickItem *button = item(u"switch_queued"_s);
    QVERIFY(button);
    button->forceActiveFocus(Qt::TabFocusReason);
    QTest::keyClick(m_window, Qt::Key_Space);
    QVERIFY(m_workloads->list().at(0)->isRunning());
    QVERIFY(m_monitor->isPaused());
    QTest::keyClick(m_window, Qt::Key_Space);
    QVERIFY(!m_workloads->list().at(0)->isRunning());
}

void tst_HistogramControls::workloadSwitches_data()
{
    QTest::addColumn<int>("index");
    const QStringList names = WorkloadSet::names();
    for (int i = 0; i < names.size(); ++i)
        QTest::newRow(qPrintable(names.at(i))) << i;
}

void tst_HistogramControls::workloadSwitches()
{
    QFETCH(int, index);
    open(Wide);
    Workload *workload = m_workloads->list().at(index);
    QQuickItem *button = item(u"switch_"_s + workload->name());
    QVERIFY(button);
    QVERIFY(!button->property("checked").toBool());
    click(button);
    QVERIFY(workload->isRunning());
    QVERIFY(button->property("checked").toBool());
    QTRY_VERIFY(workload->operations() > 0);
    click(button);
    QVERIFY(!workload->isRunning());
    QVERIFY(!button->property("checked").toBool());
}

QTEST_MAIN(tst_HistogramControls)

#include "tst_histogramcontrols.moc"
