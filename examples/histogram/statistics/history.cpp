// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "history.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

// There are no statistics for the time in which the program was stopped or the window was paused.
constexpr qint64 LongestGap = 3000;

} // namespace

void History::add(const HistoryPoint &point)
{
    Moment moment;
    moment.point = point;
    moment.values[LiveBytes] = qreal(point.liveBytes);
    moment.values[CommittedBytes] = qreal(point.committedBytes);
    moment.values[Backlog] = qreal(point.backlog);
    for (size_t d = 0; d < DomainCount; ++d)
        moment.values[EventRate + d] = std::numeric_limits<qreal>::quiet_NaN(); // unknown

    if (!m_moments.isEmpty()) {
        const HistoryPoint &last = m_moments.constLast().point;
        const qint64 elapsed = point.milliseconds - last.milliseconds;
        for (size_t d = 0; d < DomainCount && elapsed > 0 && elapsed <= LongestGap; ++d) {
            const qint64 more = point.allocated[d] - last.allocated[d];
            // The counters of running threads are not read at one moment and may appear to decrease.
            moment.values[EventRate + d] = qMax<qreal>(0, qreal(more) * 1000 / qreal(elapsed));
        }
    }
    m_highestCommitted = qMax(m_highestCommitted, point.committedBytes);
    m_moments.append(moment);

    const auto old = std::find_if(m_moments.cbegin(), m_moments.cend(), [&](const Moment &m) {
        return point.milliseconds - m.point.milliseconds <= Longest;
    });
    // In blocks, because removing one entry per sample would move the whole list each time.
    if (old - m_moments.cbegin() > 256)
        m_moments.erase(m_moments.cbegin(), old);
}

QList<HistoryPoint> History::points() const
{
    QList<HistoryPoint> result;
    for (const Moment &moment : m_moments) {
        result.append(moment.point);
        result.last().milliseconds -= now();
    }
    return result;
}

void History::clear()
{
    m_moments.clear();
    m_highestCommitted = 0;
}

std::optional<qreal> History::mean(Quantity quantity, qint64 from, qint64 to) const
{
    const auto after = [](qint64 time, const Moment &moment) { return time < moment.point.milliseconds; };
    const auto first = std::upper_bound(m_moments.cbegin(), m_moments.cend(), from, after);
    const auto end = std::upper_bound(first, m_moments.cend(), to, after);
    qreal sum = 0;
    int known = 0;
    for (auto moment = first; moment != end; ++moment) {
        const qreal value = moment->values[size_t(quantity)];
        if (!std::isnan(value)) {
            sum += value;
            ++known;
        }
    }
    if (known > 0)
        return sum / known;
    if (first != end)
        return std::nullopt;
    // Values between two samples are known, values after the last one are not.
    if (first == m_moments.cbegin() || first == m_moments.cend())
        return std::nullopt;
    const Moment &before = *(first - 1);
    if (first->point.milliseconds - before.point.milliseconds > LongestGap)
        return std::nullopt;
    const qreal value = first->values[size_t(quantity)];
    return std::isnan(value) ? std::nullopt : std::optional(value);
}
