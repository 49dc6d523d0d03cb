// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A graphics scene of two thousand items that move, collide, are drawn and are removed.

#include "scene.h"

#include <QtCore/qcoreapplication.h>
#include <QtGui/qpainterpath.h>
#include <QtWidgets/qgraphicsitem.h>
#include <QtWidgets/qgraphicsscene.h>
#include <QtWidgets/qgraphicsview.h>

namespace {

constexpr int Items = 2000;
constexpr int Side = 4000;

class Graphics : public Scene
{
public:
    Graphics()
        : m_scene(0, 0, Side, Side)
        , m_view(&m_scene)
    {
        m_view.resize(400, 300);
        m_view.show();
    }

    void turn(int number) override
    {
        Sequence places(number);
        QList<QGraphicsItem *> items;
        for (int i = 0; i < Items; ++i) {
            QGraphicsItem *item = make(i);
            item->setPos(places.below(Side), places.below(Side));
            item->setFlag(QGraphicsItem::ItemIsSelectable);
            item->setData(0, i);
            m_scene.addItem(item);
            items.append(item);
        }
        for (int step = 0; step < 4; ++step) {
            for (QGraphicsItem *item : std::as_const(items))
                item->moveBy(places.below(21) - 10, places.below(21) - 10);
            qsizetype met = 0;
            for (int i = 0; i < Items; i += 20)
                met += items.at(i)->collidingItems(Qt::IntersectsItemBoundingRect).size();
            items.at(step)->setToolTip(QString::number(met));
            m_view.centerOn(items.at(step * 100));
            QCoreApplication::processEvents();
        }
        m_scene.clear();
    }

private:
    static QGraphicsItem *make(int number)
    {
        switch (number % 4) {
        case 0:
            return new QGraphicsRectItem(0, 0, 30, 20);
        case 1:
            return new QGraphicsEllipseItem(0, 0, 25, 25);
        case 2:
            return new QGraphicsSimpleTextItem(QStringLiteral("item %1").arg(number));
        default:
            QPainterPath path;
            for (int i = 0; i < 8; ++i)
                path.lineTo(i * 5, i % 2 * 10);
            return new QGraphicsPathItem(path);
        }
    }

    QGraphicsScene m_scene;
    QGraphicsView m_view;
};

const RegisterScene<Graphics> scene("graphics", 10);

} // namespace
