// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "sparklineitem.h"

#include "rectanglesnode.h"

#include <cmath>

SparklineItem::SparklineItem(QQuickItem *parent)
    : QQuickItem(parent)
{
    setFlag(ItemHasContents);
}

void SparklineItem::setValues(const QVariantList &values)
{
    if (m_values == values)
        return;
    m_values = values;
    update();
    Q_EMIT valuesChanged();
}

void SparklineItem::setSlotCount(int count)
{
    count = qMax(1, count);
    if (m_slotCount == count)
        return;
    m_slotCount = count;
    update();
    Q_EMIT slotCountChanged();
}

void SparklineItem::setColor(const QColor &color)
{
    if (m_color == color)
        return;
    m_color = color;
    update();
    Q_EMIT colorChanged();
}

QSGNode *SparklineItem::updatePaintNode(QSGNode *node, UpdatePaintNodeData *)
{
    RectanglesNode *rectangles = RectanglesNode::begin(*this, node);
    if (!rectangles)
        return nullptr;
    qreal largest = 1;
    for (const QVariant &value : std::as_const(m_values))
        largest = qMax(largest, value.toReal());
    const qreal slot = width() / m_slotCount;
    const qreal barWidth = qMax<qreal>(1, std::floor(slot) - (slot >= 3 ? 1 : 0));
    const qsizetype count = qMin<qsizetype>(m_values.size(), m_slotCount);
    for (qsizetype i = 0; i < count; ++i) {
        const qreal value = m_values.at(m_values.size() - 1 - i).toReal();
        const qreal barHeight = qMax<qreal>(1, std::round(value / largest * height()));
        const qreal x = std::round(width() - (i + 1) * slot);
        rectangles->put({ x, height() - barHeight, barWidth, barHeight }, m_color);
    }
    rectangles->finish();
    return rectangles;
}
