// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoollatencyhistory.h"

#include <QtCore/qset.h>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace QPoolStatistics {

int LatencyHistory::levelOf(Quantity quantity, qint64 value)
{
    int level = 0;
    for (qint64 limit = quantity == Wait ? 1000 : 1; value > limit && level + 1 < LevelCount; limit *= 10)
        ++level;
    return level;
}

QString LatencyHistory::nameOfLevel(Quantity quantity, int level)
{
    static constexpr QStringView Names[][LevelCount] = {
        { u"\u2264 1 \u00b5s", u"10 \u00b5s", u"100 \u00b5s", u"1 ms", u"10 ms", u"100 ms", u"> 100 ms" },
        { u"1", u"10", u"100", u"1,000", u"10,000", u"100,000", u"> 100,000" }
    };
    return level >= 0 && level < LevelCount ? Names[quantity][level].toString() : QString();
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
                interval.cells.insert(thread.key(), { waits.count, waits.p99, waits.worst, 0 });
        }
        for (const ThreadLatency &thread : statistics.threads) {
            if (thread.unfinished > 0)
                interval.cells[thread.id].unfinished = thread.unfinished;
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
