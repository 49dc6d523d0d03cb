// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A model of five thousand rows behind a filter and a view: filtered, sorted, changed.

#include "scene.h"

#include <QtCore/qcoreapplication.h>
#include <QtCore/qregularexpression.h>
#include <QtCore/qsortfilterproxymodel.h>
#include <QtGui/qstandarditemmodel.h>
#include <QtWidgets/qtableview.h>

namespace {

constexpr int Rows = 5000;

class Filter : public Scene
{
public:
    Filter()
    {
        Sequence numbers(1);
        for (int i = 0; i < Rows; ++i)
            m_model.appendRow(row(i, numbers.below(Rows)));
        m_proxy.setSourceModel(&m_model);
        m_proxy.setSortRole(Qt::UserRole);
        m_view.setModel(&m_proxy);
        m_view.resize(500, 400);
        m_view.show();
    }

    void turn(int number) override
    {
        m_proxy.setFilterKeyColumn(0);
        for (const char *pattern : { "1", "12", "[02468]$", "row (3|4)" }) {
            m_proxy.setFilterRegularExpression(QRegularExpression(QLatin1String(pattern)));
            QCoreApplication::processEvents();
        }
        m_proxy.setFilterFixedString(QString());
        m_proxy.sort(number % 3, number % 2 ? Qt::AscendingOrder : Qt::DescendingOrder);
        for (int i = 0; i < 200; ++i) {
            m_model.removeRow(i * 20);
            m_model.appendRow(row(number * 200 + i, i));
            m_model.item(i * 20, 1)->setText(QStringLiteral("changed in turn %1").arg(number));
        }
        QCoreApplication::processEvents();
    }

private:
    static QList<QStandardItem *> row(int number, int value)
    {
        QList<QStandardItem *> items;
        for (const QString &text : { QStringLiteral("row %1").arg(number), QString::number(value),
                                     QStringLiteral("note on %1").arg(number) }) {
            auto *item = new QStandardItem(text);
            item->setData(value, Qt::UserRole);
            items.append(item);
        }
        return items;
    }

    QStandardItemModel m_model;
    QSortFilterProxyModel m_proxy;
    QTableView m_view;
};

const RegisterScene<Filter> scene("filter", 5);

} // namespace
