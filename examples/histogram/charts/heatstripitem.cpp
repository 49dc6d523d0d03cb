// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "heatstripitem.h"

#include "rectanglesnode.h"

#include <qpoolstatisticsnumber.h>

#include <cmath>

HeatStripItem::HeatStripItem(QQuickItem *parent)
    : QQuickItem(parent)
{
    setFlag(ItemHasContents);
    connect(this, &HeatStripItem::colorsChanged, this, &QQuickItem::update);
}

void HeatStripItem::setModel(LatencyModel *model)
{
    if (m_model == model)
        return;
    if (m_model)
        m_model->disconnect(this);
    m_model = model;
    if (model)
        connect(model, &LatencyModel::changed, this, &QQuickItem::update);
    update();
    Q_EMIT modelChanged();
}

void HeatStripItem::setThread(int thread)
{
    if (m_thread == thread)
        return;
    m_thread = thread;
    update();
    Q_EMIT threadChanged();
}

void HeatStripItem::setColors(const QVariantList &colors)
{
    if (m_colors == colors)
        return;
    m_colors = colors;
    Q_EMIT colorsChanged();
}

void HeatStripItem::setEmptyColor(const QColor &color)
{
    if (m_emptyColor == color)
        return;
    m_emptyColor = color;
    Q_EMIT colorsChanged();
}

void HeatStripItem::geometryChange(const QRectF &newGeometry, const QRectF &oldGeometry)
{
    QQuickItem::geometryChange(newGeometry, oldGeometry);
    update();
}

QPoolStatistics::LatencyHistory::Cell HeatStripItem::cell(int interval) const
{
    const QPoolStatistics::LatencyHistory &history = m_model->history();
    return history.cell(history.rows().at(m_thread).thread, interval);
}

int HeatStripItem::level(int interval) const
{
    return cell(interval).level(QPoolStatistics::LatencyHistory::Quantity(m_model->strip()));
}

qreal HeatStripItem::xOf(qint64 age) const
{
    return std::round(width() * (1 - qreal(qMin(age, Span)) / qreal(Span)));
}

int HeatStripItem::intervalAt(qreal x) const
{
    if (!isShown())
        return -1;
    const QPoolStatistics::LatencyHistory &history = m_model->history();
    for (int i = 0; i < history.intervalCount(); ++i) {
        if (x >= xOf(history.ageOfBegin(i)) && x < xOf(history.ageOfEnd(i)))
            return i;
    }
    return -1;
}

int HeatStripItem::levelAt(qreal x) const
{
    const int interval = intervalAt(x);
    return interval < 0 ? -1 : level(interval);
}

QString HeatStripItem::tipAt(qreal x) const
{
    const int interval = intervalAt(x);
    if (interval < 0)
        return {};
    const QPoolStatistics::LatencyHistory::Cell values = cell(interval);
    if (values.count == 0 && values.unfinished == 0)
        return {};
    const QString ago = tr("%1 s ago: ").arg(m_model->history().ageOfEnd(interval) / 1000);
    const QString left = tr("%1 unfinished").arg(QPoolStatistics::count(values.unfinished));
    if (values.count == 0)
        return ago + left;
    return ago
            + tr("%1 events, wait p99 %2, worst %3; ")
                      .arg(QPoolStatistics::count(values.count), QPoolStatistics::duration(double(values.p99)),
                           QPoolStatistics::duration(double(values.worst)))
            + left;
}

QSGNode *HeatStripItem::updatePaintNode(QSGNode *node, UpdatePaintNodeData *)
{
    RectanglesNode *rectangles = RectanglesNode::begin(*this, node);
    if (!rectangles)
        return nullptr;
    rectangles->put({ 0, 0, width(), height() }, m_emptyColor);
    const int intervals = isShown() ? m_model->history().intervalCount() : 0;
    for (int i = 0; i < intervals; ++i) {
        const int shown = level(i);
        if (shown < 0 || shown >= m_colors.size())
            continue;
        const qreal left = xOf(m_model->history().ageOfBegin(i));
        const qreal right = xOf(m_model->history().ageOfEnd(i));
        // Long intervals are set apart; short ones have no room for a gap.
        const qreal gap = right - left >= 4 ? 1 : 0;
        rectangles->put({ left, 0, right - left - gap, height() }, m_colors.at(shown).value<QColor>());
    }
    rectangles->finish();
    return rectangles;
}
