// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef HISTORY_H
#define HISTORY_H

#include "snapshot.h"

#include <QtCore/qlist.h>

#include <optional>

// The values of the last minutes that charts over time show.
class History
{
public:
    enum Quantity {
        EventRate, // allocations per second
        ObjectRate,
        PrivateRate,
        HeapRate,
        LiveBytes,
        CommittedBytes,
        Backlog, // chunks
        QuantityCount
    };

    static constexpr qint64 Longest = 10 * 60 * 1000; // milliseconds

    void add(const Snapshot &snapshot, qint64 milliseconds) { add(HistoryPoint::of(snapshot, milliseconds)); }
    void add(const HistoryPoint &point);
    void clear();

    bool isEmpty() const { return m_moments.isEmpty(); }
    qint64 now() const { return m_moments.isEmpty() ? 0 : m_moments.last().point.milliseconds; }

    // For a file: times are before the last one.
    QList<HistoryPoint> points() const;

    // The mean over (from, to]. Without a sample in this interval it is the value of the interval
    // between the samples around it. Empty before the first sample, after the last one, and in a gap.
    std::optional<qreal> mean(Quantity quantity, qint64 from, qint64 to) const;

    qint64 highestCommitted() const { return m_highestCommitted; }

private:
    struct Moment
    {
        HistoryPoint point;
        std::array<qreal, QuantityCount> values {};
    };

    QList<Moment> m_moments;
    qint64 m_highestCommitted = 0;
};

#endif // HISTORY_H
