// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "windowfixture.h"

#include <QtCore/qregularexpression.h>
#include <QtGui/qimage.h>

class tst_HistogramWindow : public WindowFixture
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(u"."_s)); }
    void cleanup() { close(); }

    void loads_data();
    void loads();
    void headlines();
    void arenaTable();
    void pages();
    void emptyStates_data();
    void emptyStates();
    void themes();
};

void tst_HistogramWindow::loads_data()
{
    QTest::addColumn<QSize>("size");
    QTest::addColumn<int>("shown");
    QTest::newRow("640x480") << Small << 1;
    QTest::newRow("800x600") << QSize(800, 600) << 1;
    QTest::newRow("1280x800") << Wide << 3;
    QTest::newRow("1280x500") << QSize(1280, 500) << 1;
    QTest::newRow("3840x2160") << QSize(3840, 2160) << 3;
}

void tst_HistogramWindow::loads()
{
    QFETCH(QSize, size);
    open(size);
    QTEST(int(histograms().size()), "shown");
    const QRectF room({ 0, 0 }, QSizeF(size));
    const auto shown = histograms();
    for (HistogramItem *histogram : shown) {
        const QRectF rect = histogram->mapRectToScene(histogram->boundingRect());
        QVERIFY(room.contains(rect));
        QVERIFY(rect.height() >= 90);
    }
    // Nothing sticks out of the window, and no text is cut off unmarked.
    forEachItem(m_window->contentItem(), [&](QQuickItem *item) {
        if (!item->isVisible() || !item->inherits("QQuickText"))
            return;
        if (item->property("text").toString().isEmpty())
            return;
        const QRectF rect = item->mapRectToScene(item->boundingRect());
        QVERIFY2(room.adjusted(-1, -1, 1, 1).contains(rect),
                 qPrintable(item->property("text").toString()));
        QVERIFY2(!item->property("truncated").toBool(),
                 qPrintable(item->property("text").toString()));
    });
    QVERIFY(!m_window->grabWindow().isNull());
}

void tst_HistogramWindow::headlines()
{
    open(Wide);
    QCOMPARE(item(u"liveTile"_s)->property("value").toString(), u"8\u00a0KiB"_s);
    QCOMPARE(item(u"committedTile"_s)->property("value").toString(), u"384\u00a0KiB"_s);
    QCOMPARE(item(u"reservedTile"_s)->property("value").toString(), u"1\u00a0GiB"_s);
    QCOMPARE(item(u"rateTile"_s)->property("value").toString(), u"0"_s);
    m_monitor->setPaused(false);
    m_monitor->apply(sampleSnapshot(), 1000);
    QVERIFY(text(u"subtitle"_s).contains(u"Qt 6.4.2"_s));
    QVERIFY(text(u"subtitle"_s).contains(u"4242"_s));
}

void tst_HistogramWindow::arenaTable()
{
    open(Wide);
    QCOMPARE(text(u"arenaSummary"_s), u"3, of these 1 orphaned"_s);
    QStringList texts;
    forEachItem(item(u"arenaList"_s), [&](QQuickItem *item) {
        if (item->isVisible() && item->inherits("QQuickText"))
            texts.append(item->property("text").toString());
    });
    QCOMPARE(texts.count(u"orphaned"_s), 1);
    QCOMPARE(texts.count(u"adopted"_s), 1);
    QVERIFY(texts.contains(u"main"_s));
    QVERIFY(texts.contains(u"4243"_s));
    QVERIFY(!texts.contains(u"4244"_s)); // that thread is gone
    QVERIFY(texts.contains(u"×2"_s));
}

void tst_HistogramWindow::pages()
{
    open(Small);
    QCOMPARE(histograms().size(), 1);
    QCOMPARE(histograms().constFirst()->model(), m_monitor->events());
    click(segment(u"pageSegments"_s, 2));
    QTRY_COMPARE(histograms().size(), 1);
    QCOMPARE(histograms().constFirst()->model(), m_monitor->privates());
    click(segment(u"pageSegments"_s, 3));
    QTRY_VERIFY(item(u"arenaList"_s));
    click(segment(u"pageSegments"_s, 4));
    QTRY_VERIFY(item(u"switch_threads"_s));
    QCOMPARE(histograms().size(), 0);
}

void tst_HistogramWindow::emptyStates_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("title");
    QTest::addColumn<QString>("command");
    QTest::newRow("missing") << QByteArray() << u"This QtCore has no pool"_s
                             << u"./qpool run qpool-histogram"_s;
    QTest::newRow("disabled") << QByteArray(R"({"version":1,"pid":7,"qt":"6.8.2","enabled":false})")
                              << u"The pool stands aside"_s << u"QT_POOL_ALLOCATOR=0"_s;
    QTest::newRow("damaged") << QByteArray("{") << u"The figures cannot be read"_s << QString();
}

void tst_HistogramWindow::emptyStates()
{
    QFETCH(QByteArray, json);
    if (json.isEmpty() && SnapshotSource().isAvailable())
        QSKIP("This test runs on a QtCore with the pool.");
    for (QSize size : { Small, Wide }) {
        open(size, json);
        QTEST(text(u"emptyTitle"_s), "title");
        QFETCH(QString, command);
        if (!command.isEmpty())
            QCOMPARE(text(u"emptyCommand"_s), command);
        QVERIFY(histograms().isEmpty());
        QVERIFY(!item(u"viewSegments"_s));
        QVERIFY(!m_window->grabWindow().isNull());
        close();
    }
}

void tst_HistogramWindow::themes()
{
    open(Wide, sampleSnapshot(), u"light"_s);
    QVERIFY(m_window->grabWindow().pixelColor(3, 3).lightness() > 200);
    close();
    open(Wide, sampleSnapshot(), u"dark"_s);
    QVERIFY(m_window->grabWindow().pixelColor(3, 3).lightness() < 50);
}

QTEST_MAIN(tst_HistogramWindow)

#include "tst_histogramwindow.moc"
