// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SPARKLINEITEM_H
#define SPARKLINEITEM_H

#include <QtGui/qcolor.h>
#include <QtQml/qqmlregistration.h>
#include <QtQuick/qquickitem.h>

// A row of small bars without axes, which shows the trend of recent values. The latest value is at
// the right end.
class SparklineItem : public QQuickItem
{
    Q_OBJECT
    QML_NAMED_ELEMENT(Sparkline)
    Q_PROPERTY(QVariantList values READ values WRITE setValues NOTIFY valuesChanged)
    Q_PROPERTY(int slotCount READ slotCount WRITE setSlotCount NOTIFY slotCountChanged)
    Q_PROPERTY(QColor color READ color WRITE setColor NOTIFY colorChanged)

public:
    explicit SparklineItem(QQuickItem *parent = nullptr);

    QVariantList values() const { return m_values; }
    void setValues(const QVariantList &values);
    int slotCount() const { return m_slotCount; }
    void setSlotCount(int count);
    QColor color() const { return m_color; }
    void setColor(const QColor &color);

Q_SIGNALS:
    void valuesChanged();
    void slotCountChanged();
    void colorChanged();

protected:
    QSGNode *updatePaintNode(QSGNode *node, UpdatePaintNodeData *data) override;

private:
    QVariantList m_values;
    int m_slotCount = 48;
    QColor m_color = Qt::blue;
};

#endif // SPARKLINEITEM_H
