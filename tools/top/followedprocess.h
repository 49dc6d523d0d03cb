// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef FOLLOWEDPROCESS_H
#define FOLLOWEDPROCESS_H

#include "qpoolmonitoredprocess.h"

#include <QtCore/qhash.h>
#include <QtCore/qlist.h>
#include <QtCore/qstring.h>

#include <memory>
#include <optional>

// Sums over the size classes of all domains.
struct Totals
{
    quint64 allocated = 0;
    quint64 freed = 0;
    quint64 remote = 0;
    quint64 live = 0;

    static Totals of(const QPool::ProcessStatistics &statistics);
};

// A process and its recent statistics.
class FollowedProcess
{
public:
    explicit FollowedProcess(std::unique_ptr<QPool::MonitoredProcess> process);
    // With given statistics, for tests; they change only by add().
    FollowedProcess(const QString &name, const QPool::ProcessStatistics &statistics, quint64 since);

    // Reads the current statistics. \a now is in milliseconds of any monotonic clock.
    void sample(qint64 now);
    void add(const QPool::ProcessStatistics &statistics, qint64 now);
    // Excludes earlier samples from rates, after a pause.
    void forgetRates() { m_moments.remove(0, qMax<qsizetype>(0, m_moments.size() - 1)); }

    const QPool::ProcessStatistics &statistics() const { return m_moments.last().statistics; }
    const QPool::CacheListing &caches() const { return m_caches; }
    void setCaches(const QPool::CacheListing &caches) { m_caches = caches; }
    // The system's name of a thread; empty if not known.
    QString threadName(qint64 thread) const { return m_threadNames.value(thread); }
    void setThreadNames(const QHash<qint64, QString> &names) { m_threadNames = names; }
    // Its current event latency; also brings state() up to date.
    QPool::PublishedLatency readLatency();
    QPool::MonitoredProcess::State state() const { return m_state; }
    QString name() const { return m_name; }
    quint64 since() const { return m_since; }

    // Starts counts at zero, or counts from the start of the process again.
    void setBaseline(bool on);
    bool hasBaseline() const { return m_baseline.has_value(); }

    // The counts of a size class since the baseline; all zero if it is unused.
    QPool::BinStatistics classCounts(std::size_t domain, quint32 size) const;

    // Per second; negative if unknown.
    double allocationRate() const;
    double freeRate() const;
    double remoteShare() const; // of recent frees
    double classRate(std::size_t domain, quint32 size) const;

private:
    struct Moment
    {
        qint64 time;
        QPool::ProcessStatistics statistics;
        Totals totals;
    };

    double perSecond(quint64 then, quint64 now) const;

    std::unique_ptr<QPool::MonitoredProcess> m_process;
    QPool::MonitoredProcess::State m_state = QPool::MonitoredProcess::Publishing;
    QString m_name;
    quint64 m_since = 0;
    QList<Moment> m_moments; // about one second, never empty
    QPool::CacheListing m_caches; // of the last sample
    QHash<qint64, QString> m_threadNames; // of the last sample
    std::optional<QPool::ProcessStatistics> m_baseline;
};

#endif // FOLLOWEDPROCESS_H
