// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "chartitem.h"

#include "rectanglesnode.h"

#include <cmath>

using namespace Qt::StringLiterals;

namespace {

constexpr int MostGridLines = 5;

} // namespace

ChartItem::ChartItem(QQuickItem *parent)
    : QQuickItem(parent)
{
    setFlag(ItemHasContents);
    connect(this, &ChartItem::colorsChanged, this, &QQuickItem::update);
}

void ChartItem::setTickSpacing(qreal spacing)
{
    if (qFuzzyCompare(m_tickSpacing, spacing))
        return;
    m_tickSpacing = spacing;
    announce();
    Q_EMIT tickSpacingChanged();
}

void ChartItem::announce()
{
    QVariantList ticks;
    const int most = qBound(1, int(height() / qMax<qreal>(1, m_tickSpacing)), MostGridLines);
    for (qreal value : m_axis.ticks(most)) {
        const qreal y = std::round(height() * (1 - m_axis.fraction(value)));
        ticks.append(QVariantMap { { u"value"_s, value }, { u"y"_s, y } });
    }
    // A new list rebuilds all labels, so an equal one is not assigned.
    if (m_ticks != ticks) {
        m_ticks = ticks;
        Q_EMIT ticksChanged();
    }
    ++m_revision;
    update();
    Q_EMIT revisionChanged();
}

void ChartItem::drawGrid(RectanglesNode *node) const
{
    for (const QVariant &line : m_ticks)
        node->put({ 0, line.toMap().value(u"y"_s).toReal(), width(), 1 }, m_gridColor);
    node->put({ 0, height() - 1, width(), 1 }, m_gridColor);
}

void ChartItem::geometryChange(const QRectF &newGeometry, const QRectF &oldGeometry)
{
    QQuickItem::geometryChange(newGeometry, oldGeometry);
    if (newGeometry.size() != oldGeometry.size())
        announce();
}

QSGNode *ChartItem::updatePaintNode(QSGNode *node, UpdatePaintNodeData *)
{
    RectanglesNode *rectangles = RectanglesNode::begin(*this, node);
    if (!rectangles)
        return nullptr;
    draw(rectangles);
    rectangles->finish();
    return rectangles;
}
