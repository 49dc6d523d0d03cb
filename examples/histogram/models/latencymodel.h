// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef LATENCYMODEL_H
#define LATENCYMODEL_H

#include "latencyreading.h"
#include "rowmodel.h"

#include <qpoollatencyhistory.h>

#include <QtCore/qvariant.h>

// How long events wait and how long their handlers run: one row for each class, type and thread. It also has the waits
// and the queue of each thread over time, and the histograms of a selected row. Times are in nanoseconds.
class LatencyModel : public RowModel
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("created by PoolMonitor")
    Q_PROPERTY(State state READ state NOTIFY changed)
    Q_PROPERTY(QString problem READ problem NOTIFY changed)
    Q_PROPERTY(int total READ total NOTIFY changed) // rows
    Q_PROPERTY(qint64 leftOut READ leftOut NOTIFY changed) // rows that were added up
    Q_PROPERTY(qint64 delivered READ delivered NOTIFY changed)
    Q_PROPERTY(qint64 notDelivered READ notDelivered NOTIFY changed)
    Q_PROPERTY(qint64 unfinished READ unfinished NOTIFY changed)
    Q_PROPERTY(double unfinishedGrowth READ unfinishedGrowth NOTIFY changed) // per second, since the last reading
    Q_PROPERTY(qint64 dropped READ dropped NOTIFY changed)
    Q_PROPERTY(qint64 waitP99 READ waitP99 NOTIFY changed) // of all events
    Q_PROPERTY(qint64 worstWait READ worstWait NOTIFY changed)
    Q_PROPERTY(int part READ part WRITE setPart NOTIFY changed) // of the order: 0 waits, 1 runs
    Q_PROPERTY(int measure READ measure WRITE setMeasure NOTIFY changed) // 0 p99, 1 worst, 2 total
    Q_PROPERTY(QString search READ search WRITE setSearch NOTIFY changed)
    Q_PROPERTY(bool hasSelection READ hasSelection NOTIFY changed)
    Q_PROPERTY(QVariantMap selection READ selection NOTIFY changed) // the values of the row, by role
    Q_PROPERTY(QVariantList bars READ bars NOTIFY changed) // its histograms: end, waits, runs
    Q_PROPERTY(int threadCount READ threadCount NOTIFY changed) // with events in the last minutes
    Q_PROPERTY(int strip READ strip WRITE setStrip NOTIFY changed) // what is shown over time: 0 waits, 1 queues
    Q_PROPERTY(QStringList levels READ levels NOTIFY changed) // names of the levels of that

public:
    using Statistics = QPoolStatistics::LatencyStatistics;

    enum State { Impossible, NotRecorded, Unreadable, Empty, Ready };
    Q_ENUM(State)
    enum Role {
        ClassRole = Qt::UserRole,
        TypeRole,
        ThreadRole, // its name
        DeliveredRole,
        RemovedRole,
        DiedRole, // with the receiver
        CompressedRole,
        LostRole,
        NotDeliveredRole, // the sum of these
        WaitP50Role,
        WaitP99Role,
        WaitWorstRole,
        RunP50Role,
        RunP99Role,
        RunWorstRole,
        BarRole, // share of the largest row, by the sort key, 0 to 1
        SelectedRole
    };

    using RowModel::RowModel;

    State state() const { return m_state; }
    QString problem() const { return m_problem; }
    int count() const override { return int(m_rows.size()); }
    int total() const { return int(m_statistics.events.size()); }
    qint64 leftOut() const { return m_statistics.leftOut; }
    qint64 delivered() const { return m_sum.delivered; }
    qint64 notDelivered() const { return m_sum.notDelivered(); }
    qint64 unfinished() const { return m_statistics.unfinished; }
    double unfinishedGrowth() const { return m_unfinishedGrowth; }
    qint64 dropped() const { return m_statistics.dropped; }
    qint64 waitP99() const { return m_sum.wait.p99; }
    qint64 worstWait() const { return m_sum.wait.worst; }
    int part() const { return m_order.part; }
    void setPart(int part);
    int measure() const { return m_order.measure; }
    void setMeasure(int measure);
    int strip() const { return m_strip; }
    void setStrip(int strip);
    QString search() const { return m_search; }
    void setSearch(const QString &text);
    bool hasSelection() const { return m_selected.has_value(); }
    QVariantMap selection() const;
    QVariantList bars() const;
    int threadCount() const { return int(m_history.rows().size()); }
    QStringList levels() const;
    const QPoolStatistics::LatencyHistory &history() const { return m_history; }
    QByteArray json() const { return m_state == Empty || m_state == Ready ? m_json : QByteArray(); }

    Q_INVOKABLE QString threadName(int thread) const;
    Q_INVOKABLE QString threadText(int thread) const; // its longest waits or queue, for screen readers
    Q_INVOKABLE void select(int row);
    Q_INVOKABLE void clearSelection();

    // \a milliseconds are those of any monotonic clock.
    void setReading(const LatencyReading &reading, qint64 milliseconds);
    void interrupt(); // for a pause
    void clear();

    QHash<int, QByteArray> roleNames() const override;

Q_SIGNALS:
    void changed();

protected:
    QVariant value(int row, int role) const override;

private:
    using Row = QPoolStatistics::EventLatency;

    void fail(State state, const QString &problem);
    void showRows();
    QVariant value(const Row &row, int role) const;
    const Row *selectedRow() const;

    State m_state = Impossible;
    QString m_problem;
    QByteArray m_json;
    Statistics m_statistics;
    Row m_sum;
    QPoolStatistics::LatencyHistory m_history;
    qint64 m_intervalEnd = 0;
    double m_unfinishedGrowth = 0;
    bool m_isInterrupted = false;
    QPoolStatistics::LatencyOrder m_order;
    QPoolStatistics::LatencyHistory::Quantity m_strip = QPoolStatistics::LatencyHistory::Wait;
    QString m_search;
    QList<Row> m_rows;
    std::optional<Row> m_selected; // as it was then
};

#endif // LATENCYMODEL_H
