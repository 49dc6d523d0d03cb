// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "trenditem.h"

#include "rectanglesnode.h"

#include <cmath>

using namespace Qt::StringLiterals;

namespace {

constexpr qreal ColumnWidth = 3;
constexpr qreal LineWidth = 2;

} // namespace

TrendItem::TrendItem(QQuickItem *parent)
    : ChartItem(parent)
{
    connect(this, &QQuickItem::visibleChanged, this, &TrendItem::refresh);
}

void TrendItem::setMonitor(PoolMonitor *monitor)
{
    if (m_monitor == monitor)
        return;
    if (m_monitor)
        m_monitor->disconnect(this);
    m_monitor = monitor;
    if (monitor) {
        connect(monitor, &PoolMonitor::sampled, this, &TrendItem::refresh);
        connect(monitor, &PoolMonitor::wasReset, this, [this] {
            m_axis.reset();
            refresh();
        });
    }
    refresh();
    Q_EMIT monitorChanged();
}

void TrendItem::setSeries(const QVariantList &series)
{
    m_seriesList = series;
    m_series.clear();
    for (const QVariant &entry : series) {
        const QVariantMap map = entry.toMap();
        const int quantity = map.value(u"quantity"_s).toInt();
        if (quantity < 0 || quantity >= History::QuantityCount)
            continue;
        m_series.append({ History::Quantity(quantity),
                          map.value(u"color"_s).value<QColor>(),
                          map.value(u"fill"_s).value<QColor>(),
                          {} });
    }
    refresh();
    Q_EMIT seriesChanged();
}

void TrendItem::setStacked(bool stacked)
{
    if (m_stacked == stacked)
        return;
    m_stacked = stacked;
    m_axis.reset();
    refresh();
    Q_EMIT seriesChanged();
}

void TrendItem::setBytes(bool bytes)
{
    if (isBytes() == bytes)
        return;
    m_axis.setBinary(bytes);
    refresh();
    Q_EMIT seriesChanged();
}

void TrendItem::setSeconds(int seconds)
{
    seconds = qBound(1, seconds, int(History::Longest / 1000));
    if (m_seconds == seconds)
        return;
    m_seconds = seconds;
    m_axis.reset();
    refresh();
    Q_EMIT secondsChanged();
}

void TrendItem::setHoveredX(qreal x)
{
    if (x < 0 || x > width())
        x = -1;
    if (qFuzzyCompare(m_hoveredX + 2, x + 2))
        return;
    m_hoveredX = x;
    update();
    Q_EMIT hoveredXChanged();
}

int TrendItem::columnCount() const
{
    return int(width() / ColumnWidth);
}

void TrendItem::refresh()
{
    const int columns = columnCount();
    // Hidden charts are not updated; they refresh when they become visible.
    if (!m_monitor || columns < 1 || !isVisible())
        return;
    const History &history = m_monitor->history();
    m_columnTime = qreal(m_seconds) * 1000 / columns;
    m_end = qint64(std::floor(qreal(history.now()) / m_columnTime) * m_columnTime);

    QList<qreal> heights(columns, 0);
    for (Series &series : m_series) {
        series.values.resize(columns);
        for (int i = 0; i < columns; ++i) {
            const qreal to = qreal(m_end) - (columns - 1 - i) * m_columnTime;
            const qreal value = history.mean(series.quantity, qint64(std::round(to - m_columnTime)),
                                             qint64(std::round(to)))
                                        .value_or(-1);
            series.values[i] = value;
            heights[i] = m_stacked ? heights[i] + qMax<qreal>(0, value) : qMax(heights[i], value);
        }
    }
    m_axis.fit(*std::max_element(heights.cbegin(), heights.cend()));
    announce();
}

qreal TrendItem::yOf(qreal value) const
{
    return std::round(height() * (1 - m_axis.fraction(value)));
}

QVariantMap TrendItem::at(qreal x) const
{
    const int columns = columnCount();
    const int column = columns - 1 - int((width() - x) / ColumnWidth);
    if (x < 0 || column < 0 || column >= columns || m_series.isEmpty())
        return {};
    QVariantList values;
    for (const Series &series : m_series) {
        if (column >= series.values.size() || series.values.at(column) < 0)
            return {};
        values.append(series.values.at(column));
    }
    return { { u"seconds"_s, (columns - 1 - column) * m_columnTime / 1000 },
             { u"values"_s, values } };
}

void TrendItem::geometryChange(const QRectF &newGeometry, const QRectF &oldGeometry)
{
    ChartItem::geometryChange(newGeometry, oldGeometry);
    if (newGeometry.width() != oldGeometry.width())
        refresh();
}

void TrendItem::draw(RectanglesNode *node)
{
    node->clear();
    drawGrid(node);
    const int columns = columnCount();
    const qreal left = width() - columns * ColumnWidth;
    QList<qreal> below(columns, 0);
    QList<qreal> bottoms(columns, height());
    for (const Series &series : std::as_const(m_series)) {
        if (series.values.size() != columns)
            continue;
        // Adjacent columns of the same height form one rectangle.
        qreal previousTop = -1;
        for (int first = 0; first < columns;) {
            const auto topAt = [&](int i) {
                return series.values.at(i) < 0 ? -1 : yOf(below.at(i) + series.values.at(i));
            };
            const qreal top = topAt(first);
            const qreal bottom = bottoms.at(first);
            int end = first + 1;
            while (end < columns && topAt(end) == top && bottoms.at(end) == bottom)
                ++end;
            if (top >= 0) {
                const qreal x = left + first * ColumnWidth;
                const qreal w = (end - first) * ColumnWidth;
                node->put({ x, top, w, bottom - top }, series.fill);
                node->put({ x, qMin(top, height() - LineWidth), w, LineWidth }, series.color);
                if (previousTop >= 0 && previousTop != top) {
                    const qreal upper = qMin(top, previousTop);
                    const qreal lower = qMin(qMax(top, previousTop) + 1, height());
                    node->put({ x, upper, 1, lower - upper }, series.color);
                }
            }
            previousTop = top;
            first = end;
        }
        if (!m_stacked)
            continue;
        for (int i = 0; i < columns; ++i) {
            below[i] += qMax<qreal>(0, series.values.at(i));
            bottoms[i] = qMin(bottoms.at(i), yOf(below.at(i)));
        }
    }
    if (m_hoveredX >= 0)
        node->put({ std::floor(m_hoveredX), 0, 1, height() }, m_hoverColor);
}
