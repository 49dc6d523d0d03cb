// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef HISTOGRAMITEM_H
#define HISTOGRAMITEM_H

#include "chartitem.h"
#include "sizeclassmodel.h"

#include <QtCore/qpointer.h>
#include <QtCore/qvariantanimation.h>

// One bar per size class.
class HistogramItem : public ChartItem
{
    Q_OBJECT
    QML_NAMED_ELEMENT(Histogram)
    Q_PROPERTY(SizeClassModel *model READ model WRITE setModel NOTIFY modelChanged)
    Q_PROPERTY(bool cumulative READ isCumulative WRITE setCumulative NOTIFY scaleChanged)
    Q_PROPERTY(bool logarithmic READ isLogarithmic WRITE setLogarithmic NOTIFY scaleChanged)
    Q_PROPERTY(int hoveredIndex READ hoveredIndex WRITE setHoveredIndex NOTIFY hoveredIndexChanged)
    Q_PROPERTY(int animationDuration READ animationDuration WRITE setAnimationDuration NOTIFY
                       animationDurationChanged)
    Q_PROPERTY(QColor liveColor MEMBER m_liveColor NOTIFY colorsChanged)
    Q_PROPERTY(QColor allocatedColor MEMBER m_allocatedColor NOTIFY colorsChanged)
    Q_PROPERTY(QColor hoverColor MEMBER m_hoverColor NOTIFY colorsChanged)

public:
    explicit HistogramItem(QQuickItem *parent = nullptr);

    SizeClassModel *model() const { return m_model; }
    void setModel(SizeClassModel *model);
    bool isCumulative() const { return m_cumulative; }
    void setCumulative(bool cumulative);
    bool isLogarithmic() const { return m_axis.isLogarithmic(); }
    void setLogarithmic(bool logarithmic);
    int hoveredIndex() const { return m_hoveredIndex; }
    void setHoveredIndex(int index);
    int animationDuration() const { return m_animation.duration(); }
    void setAnimationDuration(int milliseconds);

    Q_INVOKABLE int indexAt(qreal x) const; // -1 outside
    Q_INVOKABLE QRectF slotRect(int index) const;
    Q_INVOKABLE QRectF barRect(int index) const; // after the animation
    Q_INVOKABLE qreal barValue(int index) const; // the value that its height shows

Q_SIGNALS:
    void modelChanged();
    void scaleChanged();
    void hoveredIndexChanged();
    void animationDurationChanged();

protected:
    void draw(RectanglesNode *node) override;

private:
    struct Heights
    {
        qreal live = 0;
        qreal allocated = 0;
    }; // as fractions of the axis

    void updateBars(bool animated);
    QRectF barRect(int index, qreal fraction) const;
    Heights shown(int index) const;

    QPointer<SizeClassModel> m_model;
    QVariantAnimation m_animation;
    QList<Heights> m_from;
    QList<Heights> m_to;
    bool m_cumulative = false;
    int m_hoveredIndex = -1;
    QColor m_liveColor = Qt::blue;
    QColor m_allocatedColor = Qt::lightGray;
    QColor m_hoverColor = Qt::transparent;
};

#endif // HISTOGRAMITEM_H
