// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLLATENCYHISTORY_H
#define QPOOLLATENCYHISTORY_H

#include "qpoollatencystatistics.h"

#include <QtCore/qhash.h>

namespace QPoolStatistics {

// How long a thread's events waited in each of the last intervals, by the differences between readings, and how many
// of its events were unfinished at the end of each.
class LatencyHistory
{
public:
    static constexpr int MostIntervals = 120;
    enum Quantity { Wait, Queue };
    // A level is a decade: up to 1 us, 10 us, 100 us, 1 ms, 10 ms, 100 ms, and longer; or up to 1 event, 10, and so
    // on. -1 means no events.
    static constexpr int LevelCount = 7;
    static int levelOf(Quantity quantity, qint64 value);
    static QString nameOfLevel(Quantity quantity, int level);

    struct Cell
    {
        qint64 count = 0; // delivered in the interval
        qint64 p99 = 0; // of their waits
        qint64 worst = 0;
        qint64 unfinished = 0; // at its end

        int level(Quantity quantity) const
        {
            const bool isEmpty = quantity == Wait ? count == 0 : unfinished == 0;
            return isEmpty ? -1 : levelOf(quantity, quantity == Wait ? p99 : unfinished);
        }
    };

    struct Row
    {
        qint64 thread = 0;
        QString name;
    };

    // \a milliseconds are those of any monotonic clock. The first reading has no interval yet.
    void add(const LatencyStatistics &statistics, qint64 milliseconds);
    void clear();
    // The next reading has no interval, either: after a pause.
    void interrupt() { m_last.reset(); }

    bool isEmpty() const { return m_intervals.isEmpty(); }
    int intervalCount() const { return int(m_intervals.size()); }
    // The times from the beginning and the end of that interval to the last reading, in milliseconds. The
    // first interval is the oldest.
    qint64 ageOfBegin(int interval) const { return m_now - m_intervals.at(interval).begin; }
    qint64 ageOfEnd(int interval) const { return m_now - m_intervals.at(interval).end; }

    // Threads with events in any of the intervals: the main thread first, then by number.
    const QList<Row> &rows() const { return m_rows; }
    Cell cell(qint64 thread, int interval) const { return m_intervals.at(interval).cells.value(thread); }

private:
    struct Interval
    {
        qint64 begin = 0;
        qint64 end = 0;
        QHash<qint64, Cell> cells; // by thread
    };

    qint64 m_now = 0;
    std::optional<QHash<qint64, LatencyDistribution>> m_last; // the waits by thread, since the start
    QList<Interval> m_intervals;
    QList<Row> m_rows;
};

} // namespace QPoolStatistics

#endif // QPOOLLATENCYHISTORY_H
