// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoollatencyhistory.h"

#include <QtCore/qset.h>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace QPoolStatistics {

int LatencyHistory::levelOf(qint64 nanoseconds)
{
    int level = 0;
    for (qint64 limit = 1000; nanoseconds > limit && level + 1 < LevelCount; limit *= 10)
        ++level;
    return level;
}

QString LatencyHistory::nameOfLevel(int level)
{
    static constexpr QStringView Names[] = { u"\u2264 1 \u00b5s", u"10 \u00b5s", u"100 \u00b5s", u"1 ms",
                                             u"10 ms",            u"100 ms",     u"> 100 ms" };
    static_assert(std::size(Names) == LevelCount);
    return level >= 0 && level < LevelCount ? Names[level].toString() : QString();
}

void LatencyHistory::clear()
{
    *this = {};
}

void LatencyHistory::add(const LatencyStatistics &statistics, qint64 milliseconds)
{
    QHash<qint64, LatencyDistribution> now;
    for (const EventLatency &row : statistics.events)
        now[row.thread].add(row.wait);
    const qint64 then = m_now;
    m_now = milliseconds;
    if (m_last) {
        Interval interval { then, milliseconds, {} };
        for (auto thread = now.cbegin(); thread != now.cend(); ++thread) {
            const LatencyDistribution waits = thread->since(m_last->value(thread.key()));
            if (waits.count > 0)
                interval.cells.insert(thread.key(), { waits.count, waits.p99, waits.worst });
        }
        m_intervals.append(interval);
        if (m_intervals.size() > MostIntervals)
            m_intervals.removeFirst();
    }
    m_last = now;

    QSet<qint64> shown;
    for (const Interval &interval : std::as_const(m_intervals)) {
        for (auto cell = interval.cells.cbegin(); cell != interval.cells.cend(); ++cell)
            shown.insert(cell.key());
    }
    m_rows.clear();
    for (qint64 thread : std::as_const(shown))
        m_rows.append({ thread, statistics.nameOf(thread) });
    std::sort(m_rows.begin(), m_rows.end(), [&](const Row &a, const Row &b) {
        return std::make_pair(a.thread != statistics.pid, a.thread)
                < std::make_pair(b.thread != statistics.pid, b.thread);
    });
}

} // namespace QPoolStatistics
