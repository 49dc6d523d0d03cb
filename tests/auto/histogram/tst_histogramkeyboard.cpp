// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "windowfixture.h"

#include <QtCore/qregularexpression.h>
#include <QtGui/qaccessible.h>

// All actions that have keys.
class tst_HistogramKeyboard : public WindowFixture
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(u"."_s)); }
    void cleanup() { close(); }

    void arrowKeysSelectBars();
    void keysToggleViewAndScale();
    void spaceTogglesAFocusedSwitch();
    void aHiddenPageHasNoKeys();
    void resetKeyRestartsTheCounts();
    void filterIsSetAndClearedByKey();
    void filterKeepsKeys();
    void helpKeepsKeysFromThePage();
    void menuRunsItsActions();
    void menuWorksByKeyboard();
    void tabVisitsEveryControlInOrder_data();
    void tabVisitsEveryControlInOrder();
};

void tst_HistogramKeyboard::arrowKeysSelectBars()
{
    open(Wide);
    HistogramItem *events = histograms().constFirst();
    events->parentItem()->forceActiveFocus(Qt::TabFocusReason);
    for (int i = 0; i < 3; ++i)
        key(Qt::Key_Right);
    QCOMPARE(events->hoveredIndex(), 2);
    QCOMPARE(text(u"tipTitle"_s), u"24 bytes"_s);
    key(Qt::Key_Left);
    QCOMPARE(events->hoveredIndex(), 1);
    key(Qt::Key_Escape);
    QCOMPARE(events->hoveredIndex(), -1);
}

void tst_HistogramKeyboard::keysToggleViewAndScale()
{
    open(Wide);
    HistogramItem *events = histograms().constFirst();
    key(Qt::Key_V);
    QVERIFY(events->isCumulative());
    key(Qt::Key_L);
    QVERIFY(!events->isLogarithmic());
    key(Qt::Key_V);
    key(Qt::Key_L);
    QVERIFY(!events->isCumulative());
    QVERIFY(events->isLogarithmic());
}

void tst_HistogramKeyboard::spaceTogglesAFocusedSwitch()
{
    open(Wide);
    key(Qt::Key_4);
    QQuickItem *button = item(u"switch_queued"_s);
    QVERIFY(button);
    button->forceActiveFocus(Qt::TabFocusReason);
    key(Qt::Key_Space);
    QVERIFY(m_workloads->list().at(0)->isRunning());
    QVERIFY(!m_monitor->isPaused());
    key(Qt::Key_Space);
    QVERIFY(!m_workloads->list().at(0)->isRunning());
}

void tst_HistogramKeyboard::aHiddenPageHasNoKeys()
{
    open(Wide);
    segment(u"viewSegments"_s, 0)->forceActiveFocus(Qt::TabFocusReason);
    key(Qt::Key_2);
    key(Qt::Key_Space);
    QVERIFY(m_monitor->isPaused());
}

void tst_HistogramKeyboard::resetKeyRestartsTheCounts()
{
    open(Wide);
    click(segment(u"viewSegments"_s, 1));
    HistogramItem *events = histograms().constFirst();
    QCOMPARE(events->barValue(2), 1000.0);
    QCOMPARE(text(u"resetNote"_s), QString());
    key(Qt::Key_C);
    QCOMPARE(events->barValue(2), 0.0);
    QVERIFY(text(u"resetNote"_s).startsWith(u"counted since "_s));
}

void tst_HistogramKeyboard::filterIsSetAndClearedByKey()
{
    open(Wide);
    key(Qt::Key_Slash);
    QQuickItem *field = item(u"filterField"_s);
    QVERIFY(field->hasActiveFocus());
    type(u"24 event"_s);
    QCOMPARE(m_monitor->filter(), u"24 event"_s);
    QCOMPARE(histograms().size(), 1);
    QCOMPARE(histograms().constFirst()->model()->count(), 1);
    QCOMPARE(histograms().constFirst()->barValue(0), 100.0);
    type(u" bananas"_s);
    QVERIFY(text(u"resetNote"_s).contains(u"bananas"_s));
    key(Qt::Key_Escape);
    QCOMPARE(m_monitor->filter(), QString());
    QCOMPARE(text(u"filterField"_s), QString());
    QVERIFY(!field->hasActiveFocus());
    QCOMPARE(histograms().size(), 3);

    key(Qt::Key_Slash);
    type(u"orphaned"_s);
    key(Qt::Key_Return);
    QVERIFY(!field->hasActiveFocus()); // the filter remains, and keys are not typed into it
    key(Qt::Key_2);
    QCOMPARE(item(u"arenaGrid"_s)->property("count").toInt(), 1);
    click(item(u"clearFilter"_s));
    QCOMPARE(item(u"arenaGrid"_s)->property("count").toInt(), 3);
}

void tst_HistogramKeyboard::filterKeepsKeys()
{
    open(Wide);
    key(Qt::Key_Slash);
    type(u"c l2 /"_s);
    QCOMPARE(m_monitor->filter(), u"c l2 /"_s);
    QVERIFY(!m_monitor->isPaused());
    QVERIFY(m_monitor->resetTime().isEmpty());
    QCOMPARE(text(u"pageTitle"_s), u"Overview"_s);
}

void tst_HistogramKeyboard::helpKeepsKeysFromThePage()
{
    for (QSize size : { Small, Wide }) {
        open(size);
        key(Qt::Key_F1);
        QVERIFY(item(u"helpTitle"_s));
        QVERIFY(!m_window->grabWindow().isNull());
        key(Qt::Key_Space); // must not reach the page behind
        QVERIFY(!m_monitor->isPaused());
        key(Qt::Key_F1);
        QVERIFY(!item(u"helpTitle"_s));
        click(item(u"nav_help"_s));
        QVERIFY(item(u"helpTitle"_s));
        key(Qt::Key_Escape);
        QVERIFY(!item(u"helpTitle"_s));
        key(Qt::Key_Space);
        QVERIFY(m_monitor->isPaused());
        close();
    }
}

void tst_HistogramKeyboard::menuRunsItsActions()
{
    open(Wide);
    QVERIFY(!item(u"menu"_s));
    click(item(u"menuButton"_s));
    QVERIFY(item(u"menu"_s));
    QVERIFY(!item(u"menu_this"_s)->isEnabled());
    click(item(u"menu_trim"_s));
    QVERIFY(!item(u"menu"_s));
    QCOMPARE(m_answers->trims, 1);
    click(item(u"menuButton"_s));
    click(item(u"menu_dark"_s));
    QVERIFY(m_window->grabWindow().pixelColor(100, 3).lightness() < 50);
    click(item(u"menuButton"_s));
    QTest::mouseClick(m_window, Qt::LeftButton, {}, QPoint(300, 700)); // beside it
    QVERIFY(!item(u"menu"_s));
}

void tst_HistogramKeyboard::menuWorksByKeyboard()
{
    open(Small);
    key(Qt::Key_F10);
    QVERIFY(item(u"menu"_s));
    key(Qt::Key_Up); // wraps to the end
    key(Qt::Key_Return);
    QVERIFY(!item(u"menu"_s));
    QVERIFY(item(u"helpTitle"_s));
    key(Qt::Key_F10);
    QVERIFY(!item(u"helpTitle"_s));
    key(Qt::Key_Escape);
    QVERIFY(!item(u"menu"_s));
}

void tst_HistogramKeyboard::tabVisitsEveryControlInOrder_data()
{
    QTest::addColumn<int>("page");
    QTest::addColumn<QStringList>("expected"); // these, in this order, among others
    QTest::newRow("overview") << 0
                              << QStringList { u"nav_overview"_s, u"nav_help"_s, u"filterField"_s,
                                               u"pauseButton"_s, u"menuButton"_s };
    QTest::newRow("arenas") << 1
                            << QStringList { u"nav_arenas"_s, u"filterField"_s, u"arenaCell"_s,
                                             u"arenaLog"_s };
    QTest::newRow("memory") << 2
                            << QStringList { u"nav_memory"_s, u"menuButton"_s };
    QTest::newRow("workloads") << 3 << QStringList { u"nav_workloads"_s, u"switch_queued"_s,
                                                     u"slider_queued"_s, u"switch_churn"_s,
                                                     u"slider_scene"_s,  u"startAll"_s };
    QTest::newRow("classes") << 4 << QStringList { u"nav_classes"_s, u"menuButton"_s,
                                                   u"classSearch"_s, u"markButton"_s,
                                                   u"classRow"_s };
    QTest::newRow("latency") << 5 << QStringList { u"nav_latency"_s, u"menuButton"_s,
                                                   u"latencySearch"_s, u"latencyRow"_s };
    QTest::newRow("sites") << 6 << QStringList { u"nav_sites"_s, u"menuButton"_s };
}

void tst_HistogramKeyboard::tabVisitsEveryControlInOrder()
{
    QFETCH(int, page);
    CommandLine options;
    options.page = page;
    m_latency = readyLatency();
    open(Wide, sampleSnapshot(), options);
    QList<QQuickItem *> visited;
    QStringList names;
    for (int i = 0; i < 100; ++i) {
        key(Qt::Key_Tab);
        QQuickItem *focused = m_window->activeFocusItem();
        QVERIFY(focused && focused->isVisible());
        if (visited.contains(focused))
            break;
        visited.append(focused);
        names.append(focused->objectName());
        // Each has an accessible name.
        QAccessibleInterface *spoken = QAccessible::queryAccessibleInterface(focused);
        QVERIFY2(spoken, qPrintable(names.constLast()));
        QVERIFY2(!spoken->text(QAccessible::Name).isEmpty(), focused->metaObject()->className());
    }
    QVERIFY2(visited.size() >= 9, qPrintable(names.join(u' ')));
    QFETCH(QStringList, expected);
    qsizetype from = -1;
    for (const QString &name : expected) {
        const qsizetype at = names.indexOf(name);
        QVERIFY2(at > from, qPrintable(name + u" in: "_s + names.join(u' ')));
        from = at;
    }
    // And back again.
    key(Qt::Key_Backtab);
    QVERIFY(visited.contains(m_window->activeFocusItem()));
}

QTEST_MAIN(tst_HistogramKeyboard)

#include "tst_histogramkeyboard.moc"
