// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "samplesnapshot.h"

#include "poolmonitor.h"
#include "sparklineitem.h"
#include "trenditem.h"

#include <QtGui/qimage.h>
#include <QtQuick/qquickwindow.h>
#include <QtTest/qtest.h>

using namespace Qt::StringLiterals;

// The chart over time: 300 pixels for 60 seconds, so five to the second.
class tst_HistogramTrend : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void drawsMemoryAsItGrows();
    void stacksItsSeries();
    void tellsValuesUnderThePointer();
    void aGapInTheHistoryBreaksTheCurve();
    void resettingClearsTheCurve();
    void doesNotUpdateWhileHidden();
    void sparklineShowsTheLatestValues();

private:
    static constexpr int Width = 300;
    static constexpr int Height = 200;

    void take(qint64 allocated, qint64 committed, qint64 milliseconds);
    void showMemory();
    QColor pixel(int x, int y) const { return m_window->grabWindow().pixelColor(x, y); }
    static QVariantMap line(int quantity, const QColor &color, const QColor &fill)
    {
        return { { u"quantity"_s, quantity }, { u"color"_s, color }, { u"fill"_s, fill } };
    }

    std::unique_ptr<PoolMonitor> m_monitor;
    std::unique_ptr<QQuickWindow> m_window;
    TrendItem *m_item = nullptr;
};

void tst_HistogramTrend::init()
{
    m_monitor = std::make_unique<PoolMonitor>();
    m_window = std::make_unique<QQuickWindow>();
    m_window->resize(Width, Height);
    m_window->setColor(Qt::white);
    m_item = new TrendItem(m_window->contentItem());
    m_item->setSize(QSizeF(Width, Height));
    m_item->setProperty("gridColor", QColor(Qt::white));
    m_item->setProperty("hoverColor", QColor(Qt::black));
    m_item->setSeconds(60);
    m_item->setMonitor(m_monitor.get());
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
}

void tst_HistogramTrend::cleanup()
{
    m_window.reset();
    m_monitor.reset();
}

void tst_HistogramTrend::take(qint64 allocated, qint64 committed, qint64 milliseconds)
{
    QByteArray json = sampleSnapshot();
    json.replace("\"allocated\": 1000", "\"allocated\": " + QByteArray::number(allocated));
    json.replace("393216", QByteArray::number(committed));
    m_monitor->apply(json, milliseconds);
}

void tst_HistogramTrend::showMemory()
{
    m_item->setBytes(true);
    m_item->setSeries({ line(TrendItem::CommittedBytes, Qt::red, Qt::yellow),
                        line(TrendItem::LiveBytes, Qt::blue, Qt::cyan) });
}

void tst_HistogramTrend::drawsMemoryAsItGrows()
{
    showMemory();
    // Grows while it is shown: parts that are added to a chart must be at the right place.
    for (int i = 0; i <= 150; ++i) {
        take(1000, i < 75 ? 512 * 1024 : 1024 * 1024, i * 200);
        if (i == 20)
            QCOMPARE(pixel(Width - 4, Height - 40), QColor(Qt::yellow));
    }
    // 30 of 60 seconds were watched: the left half is empty.
    QCOMPARE(pixel(Width / 2 - 10, Height - 5), QColor(Qt::white));
    QCOMPARE(pixel(Width / 2 - 10, 5), QColor(Qt::white));
    QCOMPARE(pixel(Width - 50, 50), QColor(Qt::yellow)); // all of 1 MiB
    QCOMPARE(pixel(Width - 100, 50), QColor(Qt::white)); // half of it before
    QCOMPARE(pixel(Width - 100, Height / 2 + 20), QColor(Qt::yellow));
    QCOMPARE(pixel(Width - 100, Height / 2), QColor(Qt::red)); // the line on top
    QCOMPARE(m_item->yOf(512 * 1024), Height / 2.0);
    QCOMPARE(pixel(Width - 50, Height - 2), QColor(Qt::blue)); // 8160 bytes: the line only
}

void tst_HistogramTrend::stacksItsSeries()
{
    m_item->setStacked(true);
    m_item->setSeries({ line(TrendItem::EventRate, Qt::red, Qt::yellow),
                        line(TrendItem::Backlog, Qt::blue, Qt::cyan) });
    for (int i = 0; i <= 150; ++i)
        take(1000 + i, 0, i * 200); // five a second, on a backlog of twelve
    const int y5 = int(m_item->yOf(5));
    const int y17 = int(m_item->yOf(17));
    QVERIFY(y17 < y5);
    QCOMPARE(pixel(Width - 50, y5 + 10), QColor(Qt::yellow));
    QCOMPARE(pixel(Width - 50, y5 - 10), QColor(Qt::cyan));
    QCOMPARE(pixel(Width - 50, y17), QColor(Qt::blue));
    QCOMPARE(pixel(Width - 50, y17 - 10), QColor(Qt::white));
}

void tst_HistogramTrend::tellsValuesUnderThePointer()
{
    showMemory();
    for (int i = 0; i <= 50; ++i)
        take(1000, 1024 * 1024, i * 200);
    const QVariantMap point = m_item->at(Width - 25);
    QCOMPARE(point.value(u"values"_s).toList(), QVariantList({ 1048576.0, 8160.0 }));
    const qreal seconds = point.value(u"seconds"_s).toReal();
    QVERIFY2(seconds > 4 && seconds < 6, qPrintable(QString::number(seconds)));
    QVERIFY(m_item->at(10).isEmpty()); // before it was watched
    QVERIFY(m_item->at(-5).isEmpty());
    QVERIFY(m_item->at(Width + 5).isEmpty());
    m_item->setHoveredX(100);
    QCOMPARE(pixel(100, 20), QColor(Qt::black));
    m_item->setHoveredX(-1);
    QCOMPARE(pixel(100, 20), QColor(Qt::white));
}

void tst_HistogramTrend::aGapInTheHistoryBreaksTheCurve()
{
    showMemory();
    for (int i = 0; i <= 25; ++i)
        take(1000, 1024 * 1024, i * 200); // five seconds
    for (int i = 0; i <= 25; ++i)
        take(1000, 1024 * 1024, 15000 + i * 200); // ten later, five more
    QCOMPARE(pixel(Width - 10, 50), QColor(Qt::yellow));
    QCOMPARE(pixel(Width - 50, 50), QColor(Qt::white)); // not known is not drawn
    QCOMPARE(pixel(Width - 90, 50), QColor(Qt::yellow));
}

void tst_HistogramTrend::resettingClearsTheCurve()
{
    showMemory();
    for (int i = 0; i <= 50; ++i)
        take(1000, 1024 * 1024, i * 200);
    QCOMPARE(pixel(Width - 10, 50), QColor(Qt::yellow));
    m_monitor->reset();
    QCOMPARE(pixel(Width - 10, 50), QColor(Qt::white));
}

void tst_HistogramTrend::doesNotUpdateWhileHidden()
{
    showMemory();
    take(1000, 1024 * 1024, 0);
    m_item->setVisible(false);
    const int revision = m_item->revision();
    for (int i = 1; i <= 50; ++i)
        take(1000, 1024 * 1024, i * 200);
    QCOMPARE(m_item->revision(), revision); // nothing to keep up
    m_item->setVisible(true);
    QVERIFY(m_item->revision() > revision);
    QCOMPARE(pixel(Width - 10, 50), QColor(Qt::yellow));
}

void tst_HistogramTrend::sparklineShowsTheLatestValues()
{
    m_item->setVisible(false);
    auto *sparkline = new SparklineItem(m_window->contentItem());
    sparkline->setSize(QSizeF(40, 100));
    sparkline->setSlotCount(4);
    sparkline->setColor(Qt::red);
    sparkline->setValues({ 5, 10 });
    QCOMPARE(pixel(35, 5), QColor(Qt::red)); // the latest, the largest
    QCOMPARE(pixel(25, 40), QColor(Qt::white));
    QCOMPARE(pixel(25, 60), QColor(Qt::red)); // half of it
    QCOMPARE(pixel(15, 99), QColor(Qt::white)); // nothing yet
    sparkline->setValues({ 5, 10, 10, 10, 10, 10 }); // more than there are slots
    QCOMPARE(pixel(5, 5), QColor(Qt::red));
}

QTEST_MAIN(tst_HistogramTrend)

#include "tst_histogramtrend.moc"
