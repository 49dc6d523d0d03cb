// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SIZECLASSMODEL_H
#define SIZECLASSMODEL_H

#include "rowmodel.h"
#include "snapshot.h"

#include <qpoolstatisticsfilter.h>

// The size classes of one domain, smallest first. The classes of the allocator have rows from the
// start, so that bars do not move when a class is first used.
class SizeClassModel : public RowModel
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("created by PoolMonitor")
    Q_PROPERTY(qint64 allocated READ allocated NOTIFY valuesChanged)
    Q_PROPERTY(qint64 freed READ freed NOTIFY valuesChanged)
    Q_PROPERTY(qint64 remote READ remote NOTIFY valuesChanged)
    Q_PROPERTY(qint64 live READ live NOTIFY valuesChanged)

public:
    // The size classes of the heap follow the alignment of malloc().
    enum Layout { Objects, Heap };
    enum Role { SizeRole = Qt::UserRole, AllocatedRole, FreedRole, RemoteRole, LiveRole };

    explicit SizeClassModel(Layout layout = Objects, QObject *parent = nullptr);

    int count() const override { return int(m_shown.size()); } // classes shown
    qint64 allocated() const { return m_total.allocated; }
    qint64 freed() const { return m_total.freed; }
    qint64 remote() const { return m_total.remote; }
    qint64 live() const { return m_total.live; }

    const SizeClassStatistics &at(int row) const { return m_rows.at(m_shown.at(row)); }
    Q_INVOKABLE QVariantMap values(int row) const;
    Q_INVOKABLE QList<int> usedRows() const; // the most allocated first

    void setClasses(const QList<SizeClassStatistics> &classes); // sorted by size
    void setFilter(const QPoolStatistics::Filter &filter); // the totals still include all classes

    QHash<int, QByteArray> roleNames() const override;

Q_SIGNALS:
    void valuesChanged();

protected:
    QVariant value(int row, int role) const override;

private:
    void showRows();

    QList<SizeClassStatistics> m_rows;
    QList<qsizetype> m_shown; // which of these, in the same order
    QPoolStatistics::Filter m_filter;
    SizeClassStatistics m_total;
};

#endif // SIZECLASSMODEL_H
