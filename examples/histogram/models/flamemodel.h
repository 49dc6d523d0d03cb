// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef FLAMEMODEL_H
#define FLAMEMODEL_H

#include "heapreading.h"
#include "rowmodel.h"

// The stacks as a flame graph: a row for each function that is wide enough to be seen, below its caller.
class FlameModel : public RowModel
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("created by SiteModel")
    Q_PROPERTY(int depth READ depth NOTIFY changed) // levels
    Q_PROPERTY(bool zoomed READ isZoomed NOTIFY changed)

public:
    enum Role {
        NameRole = Qt::UserRole, // empty: all; an ellipsis in front: of its callers some are left out
        DepthRole,
        StartRole, // 0 to 1
        WidthRole, // the same
        BytesRole,
        ShareRole // of all, 0 to 1
    };

    using RowModel::RowModel;

    int count() const override { return int(m_rows.size()); }
    int depth() const { return m_depth; }
    bool isZoomed() const { return !m_path.isEmpty(); }

    void setStacks(const QList<HeapReading::Node> &nodes, bool byAllocated);
    // Gives a function all of the width; its callers are left out.
    Q_INVOKABLE void zoomTo(int row);
    Q_INVOKABLE void showAll();

    QHash<int, QByteArray> roleNames() const override;

Q_SIGNALS:
    void changed();

protected:
    QVariant value(int row, int role) const override;

private:
    struct Row
    {
        int node;
        int depth;
        qreal start;
        qreal width;
    };

    qreal bytesOf(int node) const { return m_byAllocated ? m_nodes.at(node).allocated : m_nodes.at(node).inUse; }
    QStringList pathOf(int node) const;
    int trunk() const;
    int find(const QStringList &path) const;
    void showRows();

    QList<HeapReading::Node> m_nodes;
    QList<Row> m_rows;
    QStringList m_path; // from the outermost function to the one that has all of the width
    bool m_byAllocated = false;
    int m_depth = 0;
};

#endif // FLAMEMODEL_H
