// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef HEATSTRIPITEM_H
#define HEATSTRIPITEM_H

#include "latencymodel.h"

#include <QtGui/qcolor.h>
#include <QtQml/qqmlregistration.h>
#include <QtQuick/qquickitem.h>

// A thread's events over the last two minutes: an interval has the colour of the p99 of their waits, or of the length
// of their queue, as the model says. Now is at the right end.
class HeatStripItem : public QQuickItem
{
    Q_OBJECT
    QML_NAMED_ELEMENT(HeatStrip)
    Q_PROPERTY(LatencyModel *model READ model WRITE setModel NOTIFY modelChanged)
    Q_PROPERTY(int thread READ thread WRITE setThread NOTIFY threadChanged) // its row
    Q_PROPERTY(QVariantList colors READ colors WRITE setColors NOTIFY colorsChanged) // of the levels
    Q_PROPERTY(QColor emptyColor READ emptyColor WRITE setEmptyColor NOTIFY colorsChanged)

public:
    static constexpr qint64 Span = 120'000; // milliseconds

    explicit HeatStripItem(QQuickItem *parent = nullptr);

    LatencyModel *model() const { return m_model; }
    void setModel(LatencyModel *model);
    int thread() const { return m_thread; }
    void setThread(int thread);
    QVariantList colors() const { return m_colors; }
    void setColors(const QVariantList &colors);
    QColor emptyColor() const { return m_emptyColor; }
    void setEmptyColor(const QColor &color);

    // What happened there; empty if there were no events.
    Q_INVOKABLE QString tipAt(qreal x) const;
    // The level of the interval there, or -1.
    Q_INVOKABLE int levelAt(qreal x) const;

Q_SIGNALS:
    void modelChanged();
    void threadChanged();
    void colorsChanged();

protected:
    QSGNode *updatePaintNode(QSGNode *node, UpdatePaintNodeData *data) override;
    void geometryChange(const QRectF &newGeometry, const QRectF &oldGeometry) override;

private:
    bool isShown() const { return m_model && m_thread >= 0 && m_thread < m_model->threadCount(); }
    QPoolStatistics::LatencyHistory::Cell cell(int interval) const;
    int level(int interval) const;
    qreal xOf(qint64 age) const;
    int intervalAt(qreal x) const; // or -1

    LatencyModel *m_model = nullptr;
    int m_thread = -1;
    QVariantList m_colors;
    QColor m_emptyColor = Qt::lightGray;
};

#endif // HEATSTRIPITEM_H
