// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef RECTANGLESNODE_H
#define RECTANGLESNODE_H

#include <QtGui/qcolor.h>
#include <QtQuick/qquickitem.h>
#include <QtQuick/qquickwindow.h>
#include <QtQuick/qsgrectanglenode.h>

// A number of plain rectangles in painting order. That is all the charts draw
// with: such nodes exist on the GPU and on the software renderer, in every Qt
// since 6.0. A transform node, although it transforms nothing: the software
// renderer remembers where such a node is, and so where rectangles go that are
// added to it later.
class RectanglesNode : public QSGTransformNode
{
public:
    explicit RectanglesNode(QQuickWindow *window)
        : m_window(window)
    {
    }

    // What an item's updatePaintNode() has to draw with, the one it returned before or a new one;
    // null if the item has no size, and the former node is gone.
    static RectanglesNode *begin(const QQuickItem &item, QSGNode *former)
    {
        if (item.width() <= 0 || item.height() <= 0) {
            delete former;
            return nullptr;
        }
        auto *node = static_cast<RectanglesNode *>(former);
        if (!node)
            node = new RectanglesNode(item.window());
        node->m_next = 0;
        return node;
    }

    // An unchanged rectangle is not touched: the software renderer
    // repaints only where something changed.
    void put(const QRectF &rect, const QColor &color)
    {
        if (rect.isEmpty() || color.alpha() == 0)
            return;
        if (m_next == m_rectangles.size()) {
            QSGRectangleNode *node = m_window->createRectangleNode();
            appendChildNode(node);
            m_rectangles.append(node);
            node->setRect(rect);
            node->setColor(color);
        } else {
            QSGRectangleNode *node = m_rectangles.at(m_next);
            if (node->rect() != rect)
                node->setRect(rect);
            if (node->color() != color)
                node->setColor(color);
        }
        ++m_next;
    }

    void finish()
    {
        while (m_rectangles.size() > m_next) {
            QSGRectangleNode *node = m_rectangles.takeLast();
            removeChildNode(node);
            delete node;
        }
    }

private:
    QQuickWindow *m_window;
    QList<QSGRectangleNode *> m_rectangles; // owned by the node tree
    qsizetype m_next = 0;
};

#endif // RECTANGLESNODE_H
