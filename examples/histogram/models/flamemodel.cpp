// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "flamemodel.h"

#include <QtCore/qhash.h>

namespace {

// Less than two pixels of a window that is 900 pixels wide.
constexpr qreal LeastWidth = 0.0025;

} // namespace

void FlameModel::setStacks(const QList<HeapReading::Node> &nodes, bool byAllocated)
{
    m_nodes = nodes;
    m_byAllocated = byAllocated;
    showRows();
}

QStringList FlameModel::pathOf(int node) const
{
    QStringList path;
    for (; node > 0; node = m_nodes.at(node).parent)
        path.prepend(m_nodes.at(node).name);
    return path;
}

int FlameModel::find(const QStringList &path) const
{
    int found = 0;
    qsizetype known = 0;
    // Callers come first, so one pass is enough.
    for (int node = 1; node < m_nodes.size() && known < path.size(); ++node) {
        if (m_nodes.at(node).parent == found && m_nodes.at(node).name == path.at(known)) {
            found = node;
            ++known;
        }
    }
    return known == path.size() ? found : -1;
}

void FlameModel::zoomTo(int row)
{
    if (row < 0 || row >= m_rows.size())
        return;
    m_path = pathOf(m_rows.at(row).node);
    showRows();
}

void FlameModel::showAll()
{
    m_path.clear();
    showRows();
}

// The last function that everything goes through: those before it, from main() to the event loop, would fill the
// view.
int FlameModel::trunk() const
{
    int last = 0;
    for (int node = 1; node < m_nodes.size(); ++node) {
        if (m_nodes.at(node).parent == last && bytesOf(node) >= bytesOf(0))
            last = node;
    }
    return last;
}

void FlameModel::showRows()
{
    int root = m_nodes.isEmpty() ? -1 : find(m_path);
    if (root < 0 && !m_nodes.isEmpty()) {
        m_path.clear(); // it has gone
        root = 0;
    }
    QList<Row> wanted;
    m_depth = 0;
    const qreal whole = root < 0 ? 0 : bytesOf(root);
    if (whole > 0) {
        if (root == 0)
            root = trunk();
        if (root > 0)
            wanted.append({ 0, 0, 0, 1 });
        QHash<int, Row> shown { { root, { root, int(wanted.size()), 0, 1 } } };
        QHash<int, qreal> filled; // of each node's width, by its callees
        wanted.append(shown.value(root));
        for (int node = root + 1; node < m_nodes.size(); ++node) {
            const int parent = m_nodes.at(node).parent;
            const auto above = shown.constFind(parent);
            const qreal width = bytesOf(node) / whole;
            if (above == shown.constEnd() || width < LeastWidth)
                continue;
            const Row row { node, above->depth + 1, above->start + filled[parent], width };
            filled[parent] += width;
            shown.insert(node, row);
            wanted.append(row);
        }
        for (const Row &row : std::as_const(wanted))
            m_depth = qMax(m_depth, row.depth + 1);
    }
    updateRows(&m_rows, wanted);
    Q_EMIT changed();
}

QVariant FlameModel::value(int index, int role) const
{
    const Row &row = m_rows.at(index);
    switch (role) {
    case NameRole: {
        const HeapReading::Node &node = m_nodes.at(row.node);
        return row.depth == 1 && node.parent > 0 ? QStringLiteral("… ") + node.name : node.name;
    }
    case DepthRole: return row.depth;
    case StartRole: return row.start;
    case WidthRole: return row.width;
    case BytesRole: return bytesOf(row.node);
    case ShareRole: {
        const qreal all = bytesOf(0);
        return all > 0 ? bytesOf(row.node) / all : 0;
    }
    default: return {};
    }
}

QHash<int, QByteArray> FlameModel::roleNames() const
{
    return { { NameRole, "name" },   { DepthRole, "depth" }, { StartRole, "start" },
             { WidthRole, "extent" }, { BytesRole, "bytes" }, { ShareRole, "share" } };
}
