// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SEGMENTMODEL_H
#define SEGMENTMODEL_H

#include "rowmodel.h"
#include "segmentfinder.h"

#include <memory>

// The shared memory segments, sorted by name.
class SegmentModel : public RowModel
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("created by the program")

public:
    enum Role {
        NameRole = Qt::UserRole,
        ProblemRole,
        LockRole,
        BytesRole,
        UsedBytesRole,
        UsedBlocksRole,
        DeathsRole
    };

    explicit SegmentModel(std::unique_ptr<SegmentFinder> finder, QObject *parent = nullptr);

    int count() const override { return int(m_rows.size()); }

    Q_INVOKABLE void refresh();

    QHash<int, QByteArray> roleNames() const override;

protected:
    QVariant value(int row, int role) const override;

private:
    std::unique_ptr<SegmentFinder> m_finder;
    QList<ListedSegment> m_rows;
};

#endif // SEGMENTMODEL_H
