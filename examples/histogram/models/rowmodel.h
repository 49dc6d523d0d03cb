// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef ROWMODEL_H
#define ROWMODEL_H

#include <QtCore/qabstractitemmodel.h>
#include <QtCore/qlist.h>
#include <QtQml/qqmlregistration.h>

#include <algorithm>
#include <numeric>

// A list that is updated repeatedly, with most of its rows unchanged.
class RowModel : public QAbstractListModel
{
    Q_OBJECT
    QML_ANONYMOUS
    Q_PROPERTY(int count READ count NOTIFY countChanged) // rows shown
    // The row that a view is at, or -1. It goes where its content goes, in models that know which rows are the same.
    Q_PROPERTY(int currentRow READ currentRow WRITE setCurrentRow NOTIFY currentRowChanged)

public:
    using QAbstractListModel::QAbstractListModel;

    virtual int count() const = 0;

    int currentRow() const { return m_currentRow; }
    void setCurrentRow(int row)
    {
        if (row == m_currentRow)
            return;
        m_currentRow = row;
        Q_EMIT currentRowChanged();
    }

    int rowCount(const QModelIndex &parent = {}) const final { return parent.isValid() ? 0 : count(); }
    QVariant data(const QModelIndex &index, int role) const final
    {
        return checkIndex(index, CheckIndexOption::IndexIsValid) ? value(index.row(), role) : QVariant();
    }

Q_SIGNALS:
    void countChanged();
    void currentRowChanged();

protected:
    virtual QVariant value(int row, int role) const = 0;

    template <class Row>
    static qint64 sum(const QList<Row> &rows, qint64 Row::*number)
    {
        return std::accumulate(rows.cbegin(), rows.cend(), qint64(0),
                               [number](qint64 total, const Row &row) { return total + row.*number; });
    }

    // Changes the rows shown into the rows wanted, each at its position, so that a view keeps its
    // scroll position. For rows whose order changes from time to time. \a isSame: whether two rows are of the same thing.
    template <class Row, class Same>
    void updateRows(QList<Row> *shown, const QList<Row> &wanted, Same isSame)
    {
        const int before = int(shown->size());
        const int after = int(wanted.size());
        auto goesTo = wanted.cend();
        if (m_currentRow >= 0 && m_currentRow < before) {
            goesTo = std::find_if(wanted.cbegin(), wanted.cend(),
                                  [&](const Row &row) { return isSame(shown->at(m_currentRow), row); });
        }
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
        announce(before);
        if (goesTo != wanted.cend())
            setCurrentRow(int(goesTo - wanted.cbegin()));
    }

    template <class Row>
    void updateRows(QList<Row> *shown, const QList<Row> &wanted)
    {
        updateRows(shown, wanted, [](const Row &, const Row &) { return false; });
    }

    // Changes the rows shown into the rows wanted, row by row, so that a view keeps its position
    // and its selection. Both lists are ordered by before(); rows with the same id are the same row.
    template <class Row, class Before, class Id>
    void replaceRows(QList<Row> *shown, const QList<Row> &wanted, Before before, Id id)
    {
        const int previous = int(shown->size());
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
        announce(previous);
    }

private:
    void announce(int previousCount)
    {
        if (count() > 0)
            Q_EMIT dataChanged(index(0), index(count() - 1));
        if (count() != previousCount)
            Q_EMIT countChanged();
    }

    int m_currentRow = -1;
};

#endif // ROWMODEL_H
