// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "segmentmodel.h"

#include <algorithm>

namespace {

bool byName(const ListedSegment &a, const ListedSegment &b)
{
    return a.name < b.name;
}

} // namespace

SegmentModel::SegmentModel(std::unique_ptr<SegmentFinder> finder, QObject *parent)
    : RowModel(parent)
    , m_finder(std::move(finder))
{
}

void SegmentModel::refresh()
{
    QList<ListedSegment> found = m_finder->find();
    std::sort(found.begin(), found.end(), byName);
    replaceRows(&m_rows, found, byName, &ListedSegment::name);
}

QVariant SegmentModel::value(int row, int role) const
{
    const ListedSegment &segment = m_rows.at(row);
    switch (role) {
    case NameRole:
        return segment.name;
    case ProblemRole:
        return segment.problem;
    case LockRole:
        return segment.lock;
    case BytesRole:
        return segment.bytes;
    case UsedBytesRole:
        return segment.usedBytes;
    case UsedBlocksRole:
        return segment.usedBlocks;
    case DeathsRole:
        return segment.deaths;
    default:
        return {};
    }
}

QHash<int, QByteArray> SegmentModel::roleNames() const
{
    return { { NameRole, "name" },
             { ProblemRole, "problem" },
             { LockRole, "lock" },
             { BytesRole, "bytes" },
             { UsedBytesRole, "usedBytes" },
             { UsedBlocksRole, "usedBlocks" },
             { DeathsRole, "deaths" } };
}
