// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef ROWMODEL_H
#define ROWMODEL_H

#include <QtCore/qabstractitemmodel.h>
#include <QtCore/qlist.h>
#include <QtQml/qqmlregistration.h>

// A list that is updated repeatedly, with most of its rows unchanged.
class RowModel : public QAbstractListModel
{
    Q_OBJECT
    QML_ANONYMOUS

public:
    using QAbstractListModel::QAbstractListModel;

protected:
    // Changes the rows shown into the rows wanted, each at its position, so that a view keeps its
    // scroll position. For rows whose order changes from time to time.
    template <class Row>
    void updateRows(QList<Row> *shown, const QList<Row> &wanted)
    {
        const int before = int(shown->size());
        const int after = int(wanted.size());
        if (after < before) {
            beginRemoveRows({}, after, before - 1);
            shown->resize(after);
            endRemoveRows();
        }
        if (after > before) {
            beginInsertRows({}, before, after - 1);
            *shown = wanted;
            endInsertRows();
        }
        *shown = wanted;
        if (after > 0)
            Q_EMIT dataChanged(index(0), index(after - 1));
    }

    // Changes the rows shown into the rows wanted, row by row, so that a view keeps its position
    // and its selection. Both lists are ordered by before(); rows with the same id are the same row.
    template <class Row, class Before, class Id>
    void replaceRows(QList<Row> *shown, const QList<Row> &wanted, Before before, Id id)
    {
        int row = 0;
        for (const Row &next : wanted) {
            while (row < shown->size() && before(shown->at(row), next)) {
                beginRemoveRows({}, row, row);
                shown->removeAt(row);
                endRemoveRows();
            }
            if (row == shown->size() || shown->at(row).*id != next.*id) {
                beginInsertRows({}, row, row);
                shown->insert(row, next);
                endInsertRows();
            } else {
                (*shown)[row] = next;
            }
            ++row;
        }
        if (row < shown->size()) {
            beginRemoveRows({}, row, int(shown->size()) - 1);
            shown->resize(row);
            endRemoveRows();
        }
        if (row > 0)
            Q_EMIT dataChanged(index(0), index(row - 1));
    }
};

#endif // ROWMODEL_H
