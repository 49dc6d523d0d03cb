// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "sizeclassmodel.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace {

// Steps of 8 bytes up to 128, where most events and objects are, then four classes per doubling.
QList<SizeClassStatistics> classesOfObjects()
{
    QList<SizeClassStatistics> rows;
    for (int size = 8; size <= 128; size += 8)
        rows.append(SizeClassStatistics { size });
    for (int size : { 160, 192, 224, 256, 320, 384, 448, 512, 640, 768, 896, 1024 })
        rows.append(SizeClassStatistics { size });
    return rows;
}

// Steps of 16 bytes, the alignment of malloc(), up to 256; then eight classes per doubling, four from 1024 on;
// then fractions of a page.
QList<SizeClassStatistics> classesOfHeap()
{
    QList<SizeClassStatistics> rows;
    for (int size = 16; size <= 256; size += 16)
        rows.append(SizeClassStatistics { size });
    for (int doubling = 256; doubling < 1024; doubling *= 2) {
        for (int step = 1; step <= 8; ++step)
            rows.append(SizeClassStatistics { doubling + step * doubling / 8 });
    }
    for (int doubling = 1024; doubling < 8192; doubling *= 2) {
        for (int step = 1; step <= 4; ++step)
            rows.append(SizeClassStatistics { doubling + step * doubling / 4 });
    }
    for (int inPage = 7; inPage >= 1; --inPage)
        rows.append(SizeClassStatistics { 65536 / inPage / 16 * 16 });
    return rows;
}

} // namespace

SizeClassModel::SizeClassModel(Layout layout, QObject *parent)
    : RowModel(parent)
    , m_rows(layout == Heap ? classesOfHeap() : classesOfObjects())
{
    showRows();
}

void SizeClassModel::setFilter(const QPoolStatistics::Filter &filter)
{
    m_filter = filter;
    beginResetModel();
    showRows();
    endResetModel();
    Q_EMIT countChanged();
    Q_EMIT valuesChanged();
}

void SizeClassModel::showRows()
{
    m_shown.clear();
    for (qsizetype row = 0; row < m_rows.size(); ++row) {
        if (m_filter.matchesSize(m_rows.at(row).size))
            m_shown.append(row);
    }
}

QVariantMap SizeClassModel::values(int row) const
{
    if (row < 0 || row >= count())
        return {};
    const SizeClassStatistics &f = at(row);
    return { { u"size"_s, f.size },
             { u"allocated"_s, f.allocated },
             { u"freed"_s, f.freed },
             { u"remote"_s, f.remote },
             { u"live"_s, f.live } };
}

QList<int> SizeClassModel::usedRows() const
{
    QList<int> rows;
    for (int row = 0; row < count(); ++row) {
        if (at(row).allocated > 0)
            rows.append(row);
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [this](int a, int b) { return at(a).allocated > at(b).allocated; });
    return rows;
}

void SizeClassModel::setClasses(const QList<SizeClassStatistics> &classes)
{
    for (const SizeClassStatistics &f : classes) {
        const auto at = std::lower_bound(m_rows.cbegin(), m_rows.cend(), f.size,
                                         [](const auto &row, int size) { return row.size < size; });
        if (at != m_rows.cend() && at->size == f.size)
            continue;
        const qsizetype row = at - m_rows.cbegin();
        const int shownRow = int(std::lower_bound(m_shown.cbegin(), m_shown.cend(), row)
                                 - m_shown.cbegin());
        const bool shown = m_filter.matchesSize(f.size);
        if (shown)
            beginInsertRows({}, shownRow, shownRow);
        m_rows.insert(row, SizeClassStatistics { f.size });
        showRows();
        if (shown)
            endInsertRows();
        Q_EMIT countChanged();
    }

    m_total = {};
    auto next = classes.cbegin();
    for (SizeClassStatistics &row : m_rows) {
        const bool used = next != classes.cend() && next->size == row.size;
        row = used ? *next++ : SizeClassStatistics { row.size };
        m_total.allocated += row.allocated;
        m_total.freed += row.freed;
        m_total.remote += row.remote;
        m_total.live += row.live;
    }
    if (count() > 0)
        Q_EMIT dataChanged(index(0), index(count() - 1));
    Q_EMIT valuesChanged();
}

QVariant SizeClassModel::value(int row, int role) const
{
    const SizeClassStatistics &f = at(row);
    switch (role) {
    case SizeRole:
        return f.size;
    case AllocatedRole:
        return f.allocated;
    case FreedRole:
        return f.freed;
    case RemoteRole:
        return f.remote;
    case LiveRole:
        return f.live;
    default:
        return {};
    }
}

QHash<int, QByteArray> SizeClassModel::roleNames() const
{
    return { { SizeRole, "size" },
             { AllocatedRole, "allocated" },
             { FreedRole, "freed" },
             { RemoteRole, "remote" },
             { LiveRole, "live" } };
}
