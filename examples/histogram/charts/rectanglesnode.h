// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef RECTANGLESNODE_H
#define RECTANGLESNODE_H

#include <QtGui/qcolor.h>
#include <QtQuick/qquickitem.h>
#include <QtQuick/qquickwindow.h>
#include <QtQuick/qsgrectanglenode.h>

// Plain rectangles in painting order. Charts use nothing else, because rectangle nodes exist on the
// GPU and on the software renderer since Qt 6.0. The base class is a transform node, although nothing
// is transformed: the software renderer stores the position of such a node in the painting order, so
// rectangles can be added later.
class RectanglesNode : public QSGTransformNode
{
public:
    explicit RectanglesNode(QQuickWindow *window)
        : m_window(window)
    {
    }

    // For updatePaintNode() of an item: returns the former node, or a new one. If the item has no
    // size, deletes the former node and returns null.
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

    // Does not touch unchanged rectangles, because the software renderer repaints only changed areas.
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

    // Before the first put(), for a chart whose rectangles all move with each change: of those that move over others,
    // the software renderer leaves parts.
    void clear() { finish(); }

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
