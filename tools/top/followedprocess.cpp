// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "followedprocess.h"

#include <qpoolsession.h>

namespace {

// Long enough for stable rates, short enough to show changes.
constexpr qint64 RateWindow = 1000;

QPool::BinStatistics find(const QPool::ProcessStatistics &statistics, std::size_t domain, quint32 size)
{
    if (domain < statistics.domains.size()) {
        for (const QPool::ClassStatistics &entry : statistics.domains[domain].classes) {
            if (entry.size == size)
                return entry;
        }
    }
    return {};
}

// The counters of a running thread are not read at one moment and may appear to decrease.
quint64 since(quint64 then, quint64 now)
{
    return now > then ? now - then : 0;
}

} // namespace

Totals Totals::of(const QPool::ProcessStatistics &statistics)
{
    Totals totals;
    for (const QPool::DomainStatistics &domain : statistics.domains) {
        for (const QPool::ClassStatistics &entry : domain.classes) {
            totals.allocated += entry.allocated;
            totals.freed += entry.freed;
            totals.remote += entry.remote;
            totals.live += entry.live();
        }
    }
    return totals;
}

FollowedProcess::FollowedProcess(std::unique_ptr<QPool::MonitoredProcess> process)
    : m_process(std::move(process))
    , m_name(QString::fromStdString(m_process->name()))
    , m_since(m_process->since())
{
}

FollowedProcess::FollowedProcess(const QString &name, const QPool::ProcessStatistics &statistics, quint64 since)
    : m_name(name)
    , m_since(since)
{
    add(statistics, 0);
}

void FollowedProcess::sample(qint64 now)
{
    if (!m_process)
        return;
    add(m_process->read(), now);
    m_caches = m_process->readCaches();
    m_threadNames = QPoolStatistics::Session::threadNamesOf(qint64(m_process->pid()));
    m_state = m_process->state();
}

QPool::PublishedLatency FollowedProcess::readLatency()
{
    if (!m_process)
        return {};
    QPool::PublishedLatency latency = m_process->readLatency();
    m_state = m_process->state();
    return latency;
}

void FollowedProcess::add(const QPool::ProcessStatistics &statistics, qint64 now)
{
    m_moments.append({ now, statistics, Totals::of(statistics) });
    while (m_moments.size() > 2 && now - m_moments.at(1).time >= RateWindow)
        m_moments.removeFirst();
}

void FollowedProcess::setBaseline(bool on)
{
    if (on)
        m_baseline = statistics();
    else
        m_baseline.reset();
}

QPool::BinStatistics FollowedProcess::classCounts(std::size_t domain, quint32 size) const
{
    QPool::BinStatistics result = find(statistics(), domain, size);
    if (m_baseline) {
        const QPool::BinStatistics then = find(*m_baseline, domain, size);
        result.allocated = ::since(then.allocated, result.allocated);
        result.freed = ::since(then.freed, result.freed);
        result.remote = ::since(then.remote, result.remote);
    }
    return result;
}

double FollowedProcess::perSecond(quint64 then, quint64 now) const
{
    const qint64 elapsed = m_moments.last().time - m_moments.first().time;
    return elapsed > 0 ? double(::since(then, now)) * 1000 / double(elapsed) : -1;
}

double FollowedProcess::allocationRate() const
{
    return perSecond(m_moments.first().totals.allocated, m_moments.last().totals.allocated);
}

double FollowedProcess::freeRate() const
{
    return perSecond(m_moments.first().totals.freed, m_moments.last().totals.freed);
}

double FollowedProcess::remoteShare() const
{
    const Totals &then = m_moments.first().totals;
    const Totals &now = m_moments.last().totals;
    const quint64 freed = ::since(then.freed, now.freed);
    return freed > 0 ? qMin(1.0, double(::since(then.remote, now.remote)) / double(freed)) : 0;
}

double FollowedProcess::classRate(std::size_t domain, quint32 size) const
{
    return perSecond(find(m_moments.first().statistics, domain, size).allocated,
                     find(m_moments.last().statistics, domain, size).allocated);
}
