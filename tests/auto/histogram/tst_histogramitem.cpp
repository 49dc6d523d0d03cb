// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "samplesnapshot.h"

#include "histogramitem.h"

#include <QtGui/qimage.h>
#include <QtQuick/qquickwindow.h>
#include <QtTest/qsignalspy.h>
#include <QtTest/qtest.h>

using namespace Qt::StringLiterals;

// 28 classes in 20 pixels each: slots and bars fall on whole pixels.
static constexpr int Slot = 20;
static constexpr int Bar = 14;
static constexpr int Height = 200;
static constexpr int Row24 = 2;
static constexpr int Row112 = 13;

class tst_HistogramItem : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void barsAreCentredInTheirSlots();
    void findsTheSlotAtAPosition();
    void heightsFollowTheValues();
    void heightsFollowTheLogarithm();
    void smallestBarIsTwoPixelsHigh();
    void ticksChangeOnlyWithTheAxis();
    void drawsBarsAtTheirPixels();
    void drawsLiveOverAllocated();
    void drawsABandBehindTheHoveredBar();
    void animationSettles();
    void drawsNothingWithoutAModel();
    void resizingScalesTheBars();

private:
    QColor pixel(int x, int y) const { return m_window->grabWindow().pixelColor(x, y); }

    std::unique_ptr<SizeClassModel> m_model;
    std::unique_ptr<QQuickWindow> m_window;
    HistogramItem *m_item = nullptr;
};

void tst_HistogramItem::init()
{
    m_model = std::make_unique<SizeClassModel>();
    m_window = std::make_unique<QQuickWindow>();
    m_window->resize(28 * Slot, Height);
    m_window->setColor(Qt::white);
    m_item = new HistogramItem(m_window->contentItem());
    m_item->setSize(QSizeF(28 * Slot, Height));
    m_item->setAnimationDuration(0);
    m_item->setProperty("liveColor", QColor(Qt::red));
    m_item->setProperty("allocatedColor", QColor(Qt::green));
    m_item->setProperty("gridColor", QColor(Qt::white));
    m_item->setProperty("hoverColor", QColor(Qt::yellow));
    m_item->setModel(m_model.get());
    QString error;
    m_model->setClasses(Snapshot::fromJson(sampleSnapshot(), &error)->domain(Domain::Event));
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
}

void tst_HistogramItem::cleanup()
{
    m_window.reset();
    m_model.reset();
}

void tst_HistogramItem::barsAreCentredInTheirSlots()
{
    QCOMPARE(m_item->slotRect(0), QRectF(0, 0, Slot, Height));
    QCOMPARE(m_item->slotRect(27), QRectF(27 * Slot, 0, Slot, Height));
    QVERIFY(m_item->slotRect(28).isNull());
    const QRectF bar = m_item->barRect(Row24);
    QCOMPARE(bar.x(), Row24 * Slot + (Slot - Bar) / 2);
    QCOMPARE(bar.width(), Bar);
    QCOMPARE(bar.bottom(), Height);
    QVERIFY(m_item->barRect(0).isEmpty());
    QVERIFY(m_item->barRect(-1).isNull());
}

void tst_HistogramItem::findsTheSlotAtAPosition()
{
    QCOMPARE(m_item->indexAt(0), 0);
    QCOMPARE(m_item->indexAt(Slot - 0.1), 0);
    QCOMPARE(m_item->indexAt(Slot), 1);
    QCOMPARE(m_item->indexAt(28 * Slot - 0.1), 27);
    QCOMPARE(m_item->indexAt(28 * Slot), -1);
    QCOMPARE(m_item->indexAt(-1), -1);
}

void tst_HistogramItem::heightsFollowTheValues()
{
    // Live: 100 and 50, on an axis to 100.
    QCOMPARE(m_item->barRect(Row24).height(), Height);
    QCOMPARE(m_item->barRect(Row112).height(), Height / 2);
    QCOMPARE(m_item->barValue(Row112), 50.0);
    m_item->setCumulative(true);
    // Allocated: 1000 and 500, on an axis to 1000.
    QCOMPARE(m_item->barRect(Row24).height(), Height);
    QCOMPARE(m_item->barRect(Row112).height(), Height / 2);
    QCOMPARE(m_item->barValue(Row112), 500.0);
}

void tst_HistogramItem::heightsFollowTheLogarithm()
{
    m_item->setLogarithmic(true);
    QCOMPARE(m_item->barRect(Row24).height(), Height);
    QCOMPARE(m_item->barRect(Row112).height(),
             std::round(Height * std::log10(51) / std::log10(101)));
}

void tst_HistogramItem::smallestBarIsTwoPixelsHigh()
{
    m_model->setClasses({ { 24, 1, 0, 0, 1 }, { 32, 100000, 0, 0, 100000 } });
    // One of a hundred thousand would be a fraction of a pixel.
    QCOMPARE(m_item->barRect(Row24).height(), 2.0);
}

void tst_HistogramItem::ticksChangeOnlyWithTheAxis()
{
    m_item->setTickSpacing(50);
    const QVariantList ticks = m_item->ticks();
    QCOMPARE(ticks.size(), 2);
    QCOMPARE(ticks.at(0).toMap().value(u"value"_s).toReal(), 50.0);
    QCOMPARE(ticks.at(0).toMap().value(u"y"_s).toReal(), Height / 2);
    QCOMPARE(ticks.at(1).toMap().value(u"value"_s).toReal(), 100.0);
    QCOMPARE(ticks.at(1).toMap().value(u"y"_s).toReal(), 0.0);

    // The same axis again does not rebuild the labels.
    QSignalSpy changed(m_item, &HistogramItem::ticksChanged);
    m_model->setClasses({ { 24, 90, 0, 0, 90 } });
    QCOMPARE(changed.size(), 0);
}

void tst_HistogramItem::drawsBarsAtTheirPixels()
{
    const QImage image = m_window->grabWindow();
    const int left = Row112 * Slot + (Slot - Bar) / 2;
    QCOMPARE(image.pixelColor(left, Height / 2), QColor(Qt::red));
    QCOMPARE(image.pixelColor(left + Bar - 1, Height - 1), QColor(Qt::red));
    QCOMPARE(image.pixelColor(left, Height / 2 - 1), QColor(Qt::white));
    QCOMPARE(image.pixelColor(left - 1, Height - 2), QColor(Qt::white));
    QCOMPARE(image.pixelColor(left + Bar, Height - 2), QColor(Qt::white));
    QCOMPARE(image.pixelColor(Slot / 2, Height - 2), QColor(Qt::white));
}

void tst_HistogramItem::drawsLiveOverAllocated()
{
    m_item->setCumulative(true);
    const QImage image = m_window->grabWindow();
    const int middle = Row112 * Slot + Slot / 2;
    // Live amounts are drawn over allocated ones: 50 and 500 of 1000.
    QCOMPARE(image.pixelColor(middle, Height - 1), QColor(Qt::red));
    QCOMPARE(image.pixelColor(middle, Height - 10), QColor(Qt::red));
    QCOMPARE(image.pixelColor(middle, Height - 11), QColor(Qt::green));
    QCOMPARE(image.pixelColor(middle, Height / 2), QColor(Qt::green));
    QCOMPARE(image.pixelColor(middle, Height / 2 - 1), QColor(Qt::white));
}

void tst_HistogramItem::drawsABandBehindTheHoveredBar()
{
    const int x = Row112 * Slot;
    QCOMPARE(pixel(x, 10), QColor(Qt::white));
    m_item->setHoveredIndex(Row112);
    QCOMPARE(pixel(x, 10), QColor(Qt::yellow));
    QCOMPARE(pixel(x + Slot, 10), QColor(Qt::white));
    m_item->setHoveredIndex(28); // no such bar
    QCOMPARE(m_item->hoveredIndex(), -1);
    QCOMPARE(pixel(x, 10), QColor(Qt::white));
}

void tst_HistogramItem::animationSettles()
{
    m_item->setAnimationDuration(60);
    const int middle = Row112 * Slot + Slot / 2;
    m_model->setClasses({ { 24, 100, 0, 0, 100 }, { 112, 100, 0, 0, 100 } });
    // Geometry is of the end, so that labels do not run after the bars.
    QCOMPARE(m_item->barRect(Row112).height(), Height);
    QTRY_COMPARE(pixel(middle, 2), QColor(Qt::red));
}

void tst_HistogramItem::drawsNothingWithoutAModel()
{
    m_item->setHoveredIndex(3);
    m_item->setModel(nullptr);
    QCOMPARE(m_item->hoveredIndex(), -1);
    QCOMPARE(m_item->indexAt(5), -1);
    QCOMPARE(pixel(Row24 * Slot + Slot / 2, Height - 5), QColor(Qt::white));
    m_item->setModel(m_model.get());
    QCOMPARE(pixel(Row24 * Slot + Slot / 2, Height - 5), QColor(Qt::red));
    // Destroyed without a word.
    m_model.reset();
    QCOMPARE(m_item->indexAt(5), -1);
    m_item->setCumulative(true);
    QCOMPARE(pixel(Row24 * Slot + Slot / 2, Height - 5), QColor(Qt::white));
}

void tst_HistogramItem::resizingScalesTheBars()
{
    QSignalSpy revision(m_item, &HistogramItem::revisionChanged);
    m_item->setSize(QSizeF(28 * Slot / 2, Height / 2));
    QVERIFY(revision.size() > 0);
    QCOMPARE(m_item->barRect(Row24).height(), Height / 2);
    QCOMPARE(m_item->slotRect(1).x(), Slot / 2);
    m_item->setSize(QSizeF(0, 0));
    QCOMPARE(m_item->indexAt(0), -1);
    QCOMPARE(pixel(5, 5), QColor(Qt::white));
}

QTEST_MAIN(tst_HistogramItem)

#include "tst_histogramitem.moc"
