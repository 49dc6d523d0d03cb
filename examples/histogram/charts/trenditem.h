// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef TRENDITEM_H
#define TRENDITEM_H

#include "chartitem.h"
#include "poolmonitor.h"

#include <QtCore/qpointer.h>

// Values of the last minutes as areas, either stacked or in front of each other. A column shows the
// mean of its interval. Columns have fixed times, so that past values keep their shape when they move
// to the left.
class TrendItem : public ChartItem
{
    Q_OBJECT
    QML_NAMED_ELEMENT(Trend)
    Q_PROPERTY(PoolMonitor *monitor READ monitor WRITE setMonitor NOTIFY monitorChanged)
    // Each { quantity, color, fill }, from the bottom if stacked, otherwise from the back.
    Q_PROPERTY(QVariantList series READ series WRITE setSeries NOTIFY seriesChanged)
    Q_PROPERTY(bool stacked READ isStacked WRITE setStacked NOTIFY seriesChanged)
    Q_PROPERTY(bool bytes READ isBytes WRITE setBytes NOTIFY seriesChanged)
    Q_PROPERTY(int seconds READ seconds WRITE setSeconds NOTIFY secondsChanged)
    Q_PROPERTY(qreal hoveredX READ hoveredX WRITE setHoveredX NOTIFY hoveredXChanged)
    Q_PROPERTY(QColor hoverColor MEMBER m_hoverColor NOTIFY colorsChanged)

public:
    enum Quantity {
        EventRate = History::EventRate,
        ObjectRate = History::ObjectRate,
        PrivateRate = History::PrivateRate,
        HeapRate = History::HeapRate,
        LiveBytes = History::LiveBytes,
        CommittedBytes = History::CommittedBytes,
        Backlog = History::Backlog
    };
    Q_ENUM(Quantity)

    explicit TrendItem(QQuickItem *parent = nullptr);

    PoolMonitor *monitor() const { return m_monitor; }
    void setMonitor(PoolMonitor *monitor);
    QVariantList series() const { return m_seriesList; }
    void setSeries(const QVariantList &series);
    bool isStacked() const { return m_stacked; }
    void setStacked(bool stacked);
    bool isBytes() const { return m_axis.isBinary(); }
    void setBytes(bool bytes);
    int seconds() const { return m_seconds; }
    void setSeconds(int seconds);
    qreal hoveredX() const { return m_hoveredX; } // negative: none
    void setHoveredX(qreal x);

    // The values at x in the order of the series: { seconds (before now), values }; empty if unknown.
    Q_INVOKABLE QVariantMap at(qreal x) const;
    Q_INVOKABLE qreal yOf(qreal value) const;

Q_SIGNALS:
    void monitorChanged();
    void seriesChanged();
    void secondsChanged();
    void hoveredXChanged();

protected:
    void draw(RectanglesNode *node) override;
    void geometryChange(const QRectF &newGeometry, const QRectF &oldGeometry) override;

private:
    struct Series
    {
        History::Quantity quantity;
        QColor color;
        QColor fill;
        QList<qreal> values; // one per column; negative: unknown
    };

    int columnCount() const;
    void refresh();

    QPointer<PoolMonitor> m_monitor;
    QVariantList m_seriesList;
    QList<Series> m_series;
    bool m_stacked = false;
    int m_seconds = 60;
    qreal m_columnTime = 0; // milliseconds
    qint64 m_end = 0; // end of the last column
    qreal m_hoveredX = -1;
    QColor m_hoverColor = Qt::transparent;
};

#endif // TRENDITEM_H
