// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "histogramitem.h"

#include "rectanglesnode.h"

#include <cmath>

namespace {

constexpr qreal SmallestBar = 2;
constexpr qreal BarShare = 0.7; // of a slot; the rest is the gap

qreal mix(qreal from, qreal to, qreal progress)
{
    return from + (to - from) * progress;
}

} // namespace

HistogramItem::HistogramItem(QQuickItem *parent)
    : ChartItem(parent)
{
    m_animation.setStartValue(0.0);
    m_animation.setEndValue(1.0);
    m_animation.setDuration(160);
    m_animation.setEasingCurve(QEasingCurve::OutCubic);
    connect(&m_animation, &QVariantAnimation::valueChanged, this, &QQuickItem::update);
}

void HistogramItem::setModel(SizeClassModel *model)
{
    if (m_model == model)
        return;
    if (m_model)
        m_model->disconnect(this);
    m_model = model;
    if (model)
        connect(model, &SizeClassModel::valuesChanged, this, [this] { updateBars(true); });
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
    const SizeClassStatistics &sizeClass = m_model->at(index);
    return qreal(m_cumulative ? sizeClass.allocated : sizeClass.live);
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
        const SizeClassStatistics &sizeClass = m_model->at(i);
        m_to.append({ m_axis.fraction(qreal(sizeClass.live)),
                      m_cumulative ? m_axis.fraction(qreal(sizeClass.allocated)) : 0 });
    }
    // A new size class moves the others, so there is no start for an animation.
    m_from = from.size() == count ? from : m_to;

    m_animation.stop();
    if (animated && m_animation.duration() > 0 && isVisible() && window())
        m_animation.start();
    else
        m_from = m_to;
    announce();
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
    // Whole pixels, so that all bars have the same width and sharp edges.
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

void HistogramItem::draw(RectanglesNode *node)
{
    node->put(slotRect(m_hoveredIndex), m_hoverColor);
    drawGrid(node);
    for (int i = 0; i < m_to.size(); ++i) {
        const Heights heights = shown(i);
        node->put(barRect(i, heights.allocated), m_allocatedColor);
        node->put(barRect(i, heights.live), m_liveColor);
    }
}
