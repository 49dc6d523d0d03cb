// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "histogramitem.h"

#include <QtQuick/qquickwindow.h>
#include <QtQuick/qsgrectanglenode.h>

#include <cmath>

using namespace Qt::StringLiterals;

namespace {

constexpr int GridLines = 5; // at most; a fixed number keeps the node tree fixed
constexpr qreal SmallestBar = 2;
constexpr qreal BarShare = 0.7; // of a slot, the rest is gap

// The rectangles in painting order: hover band, grid, bars.
class BarsNode : public QSGNode
{
public:
    void resize(QQuickWindow *window, qsizetype count)
    {
        while (m_rectangles.size() > count) {
            QSGRectangleNode *node = m_rectangles.takeLast();
            removeChildNode(node);
            delete node;
        }
        while (m_rectangles.size() < count) {
            QSGRectangleNode *node = window->createRectangleNode();
            appendChildNode(node);
            m_rectangles.append(node);
        }
    }

    void put(const QRectF &rect, const QColor &color)
    {
        QSGRectangleNode *node = m_rectangles.at(m_next++);
        node->setRect(rect);
        node->setColor(color);
    }

    void begin() { m_next = 0; }
    void finish()
    {
        while (m_next < m_rectangles.size())
            put({}, Qt::transparent);
    }

private:
    QList<QSGRectangleNode *> m_rectangles; // owned by the node tree
    qsizetype m_next = 0;
};

qreal mix(qreal from, qreal to, qreal progress)
{
    return from + (to - from) * progress;
}

} // namespace

HistogramItem::HistogramItem(QQuickItem *parent)
    : QQuickItem(parent)
{
    setFlag(ItemHasContents);
    m_animation.setStartValue(0.0);
    m_animation.setEndValue(1.0);
    m_animation.setDuration(160);
    m_animation.setEasingCurve(QEasingCurve::OutCubic);
    connect(&m_animation, &QVariantAnimation::valueChanged, this, &QQuickItem::update);
    connect(this, &HistogramItem::colorsChanged, this, &QQuickItem::update);
}

void HistogramItem::setModel(SizeClassModel *model)
{
    if (m_model == model)
        return;
    if (m_model)
        m_model->disconnect(this);
    m_model = model;
    if (model)
        connect(model, &SizeClassModel::figuresChanged, this, [this] { updateBars(true); });
    setHoveredIndex(-1);
    m_axis.reset();
    updateBars(false);
    Q_EMIT modelChanged();
}

void HistogramItem::setCumulative(bool cumulative)
{
    if (m_cumulative == cumulative)
        return;
    m_cumulative = cumulative;
    m_axis.reset();
    updateBars(true);
    Q_EMIT scaleChanged();
}

void HistogramItem::setLogarithmic(bool logarithmic)
{
    if (isLogarithmic() == logarithmic)
        return;
    m_axis.setLogarithmic(logarithmic);
    updateBars(true);
    Q_EMIT scaleChanged();
}

void HistogramItem::setHoveredIndex(int index)
{
    if (!m_model || index < 0 || index >= m_model->count())
        index = -1;
    if (m_hoveredIndex == index)
        return;
    m_hoveredIndex = index;
    update();
    Q_EMIT hoveredIndexChanged();
}

void HistogramItem::setAnimationDuration(int milliseconds)
{
    milliseconds = qMax(0, milliseconds);
    if (m_animation.duration() == milliseconds)
        return;
    m_animation.stop();
    m_animation.setDuration(milliseconds);
    update();
    Q_EMIT animationDurationChanged();
}

qreal HistogramItem::barValue(int index) const
{
    if (!m_model || index < 0 || index >= m_model->count())
        return 0;
    const SizeClassFigures &figures = m_model->at(index);
    return qreal(m_cumulative ? figures.allocated : figures.live);
}

void HistogramItem::updateBars(bool animated)
{
    QList<Heights> from;
    for (int i = 0; i < m_to.size(); ++i)
        from.append(shown(i));

    const int count = m_model ? m_model->count() : 0;
    qreal largest = 0;
    for (int i = 0; i < count; ++i)
        largest = qMax(largest, barValue(i));
    m_axis.fit(largest);

    m_to.clear();
    for (int i = 0; i < count; ++i) {
        const SizeClassFigures &figures = m_model->at(i);
        m_to.append({ m_axis.fraction(qreal(figures.live)),
                      m_cumulative ? m_axis.fraction(qreal(figures.allocated)) : 0 });
    }
    // A class that was not there before shifts the others: nothing to glide from.
    m_from = from.size() == count ? from : m_to;

    m_animation.stop();
    if (animated && m_animation.duration() > 0 && isVisible() && window())
        m_animation.start();
    else
        m_from = m_to;
    announce();
}

void HistogramItem::setTickSpacing(qreal spacing)
{
    if (qFuzzyCompare(m_tickSpacing, spacing))
        return;
    m_tickSpacing = spacing;
    announce();
    Q_EMIT tickSpacingChanged();
}

void HistogramItem::announce()
{
    QVariantList ticks;
    const int most = qBound(1, int(height() / qMax<qreal>(1, m_tickSpacing)), GridLines);
    for (qreal value : m_axis.ticks(most)) {
        const qreal y = std::round(height() * (1 - m_axis.fraction(value)));
        ticks.append(QVariantMap { { u"value"_s, value }, { u"y"_s, y } });
    }
    // Labels are made anew for a new list, so only then.
    if (m_ticks != ticks) {
        m_ticks = ticks;
        Q_EMIT ticksChanged();
    }
    ++m_revision;
    update();
    Q_EMIT revisionChanged();
}

HistogramItem::Heights HistogramItem::shown(int index) const
{
    if (m_animation.state() != QAbstractAnimation::Running)
        return m_to.at(index);
    const qreal progress = m_animation.currentValue().toReal();
    const Heights &from = m_from.at(index);
    const Heights &to = m_to.at(index);
    return { mix(from.live, to.live, progress), mix(from.allocated, to.allocated, progress) };
}

int HistogramItem::indexAt(qreal x) const
{
    const int count = m_model ? m_model->count() : 0;
    if (count == 0 || width() <= 0 || x < 0 || x >= width())
        return -1;
    return qMin(int(x * count / width()), count - 1);
}

QRectF HistogramItem::slotRect(int index) const
{
    const int count = m_model ? m_model->count() : 0;
    if (index < 0 || index >= count)
        return {};
    const qreal slot = width() / count;
    return { index * slot, 0, slot, height() };
}

QRectF HistogramItem::barRect(int index, qreal fraction) const
{
    const QRectF slot = slotRect(index);
    // Whole pixels: all bars get one width and crisp edges.
    const qreal barWidth = qMax<qreal>(1, std::floor(slot.width() * BarShare));
    const qreal left = std::round(slot.center().x() - barWidth / 2);
    const qreal barHeight = fraction > 0 ? qMax(SmallestBar, std::round(fraction * height())) : 0;
    return { left, height() - barHeight, barWidth, barHeight };
}

QRectF HistogramItem::barRect(int index) const
{
    if (index < 0 || index >= m_to.size())
        return {};
    const Heights &heights = m_to.at(index);
    return barRect(index, qMax(heights.live, heights.allocated));
}

void HistogramItem::geometryChange(const QRectF &newGeometry, const QRectF &oldGeometry)
{
    QQuickItem::geometryChange(newGeometry, oldGeometry);
    if (newGeometry.size() != oldGeometry.size())
        announce();
}

QSGNode *HistogramItem::updatePaintNode(QSGNode *node, UpdatePaintNodeData *)
{
    if (width() <= 0 || height() <= 0) {
        delete node;
        return nullptr;
    }
    auto *bars = static_cast<BarsNode *>(node);
    if (!bars)
        bars = new BarsNode;

    constexpr qsizetype HoverBand = 1;
    constexpr qsizetype Baseline = 1;
    bars->resize(window(), HoverBand + GridLines + Baseline + 2 * m_to.size());
    bars->begin();
    bars->put(slotRect(m_hoveredIndex), m_hoverColor);
    for (const QVariant &line : std::as_const(m_ticks))
        bars->put({ 0, line.toMap().value(u"y"_s).toReal(), width(), 1 }, m_gridColor);
    bars->put({ 0, height() - 1, width(), 1 }, m_gridColor);
    for (int i = 0; i < m_to.size(); ++i) {
        const Heights heights = shown(i);
        bars->put(barRect(i, heights.allocated), m_allocatedColor);
        bars->put(barRect(i, heights.live), m_liveColor);
    }
    bars->finish();
    return bars;
}
