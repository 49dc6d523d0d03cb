// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef CHARTITEM_H
#define CHARTITEM_H

#include "valueaxis.h"

#include <QtGui/qcolor.h>
#include <QtQml/qqmlregistration.h>
#include <QtQuick/qquickitem.h>

class RectanglesNode;

// A plot with a vertical axis and grid lines. QML draws the labels at the ticks.
class ChartItem : public QQuickItem
{
    Q_OBJECT
    QML_NAMED_ELEMENT(Chart)
    QML_UNCREATABLE("the base of Histogram and Trend")
    Q_PROPERTY(QColor gridColor MEMBER m_gridColor NOTIFY colorsChanged)
    Q_PROPERTY(qreal tickSpacing READ tickSpacing WRITE setTickSpacing NOTIFY tickSpacingChanged)
    // The grid lines, each { value, y }, at least tickSpacing apart on average.
    Q_PROPERTY(QVariantList ticks READ ticks NOTIFY ticksChanged)
    // Incremented with every change of the plot; labels in QML depend on it.
    Q_PROPERTY(int revision READ revision NOTIFY revisionChanged)

public:
    explicit ChartItem(QQuickItem *parent = nullptr);

    qreal tickSpacing() const { return m_tickSpacing; }
    void setTickSpacing(qreal spacing);
    QVariantList ticks() const { return m_ticks; }
    int revision() const { return m_revision; }

Q_SIGNALS:
    void colorsChanged();
    void tickSpacingChanged();
    void ticksChanged();
    void revisionChanged();

protected:
    // Must be called after every change of the values or the axis.
    void announce();

    virtual void draw(RectanglesNode *node) = 0;
    void drawGrid(RectanglesNode *node) const;

    QSGNode *updatePaintNode(QSGNode *node, UpdatePaintNodeData *data) override;
    void geometryChange(const QRectF &newGeometry, const QRectF &oldGeometry) override;

    ValueAxis m_axis;

private:
    qreal m_tickSpacing = 34;
    QVariantList m_ticks;
    int m_revision = 0;
    QColor m_gridColor = Qt::lightGray;
};

#endif // CHARTITEM_H
