// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef FOLLOWEDPROCESS_H
#define FOLLOWEDPROCESS_H

#include "qpoolmonitoredprocess.h"

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

    static Totals of(const QPool::ProcessStatistics &figures);
};

// A process and what it did lately.
class FollowedProcess
{
public:
    explicit FollowedProcess(std::unique_ptr<QPool::MonitoredProcess> process);
    // Figures from elsewhere, for tests; such a process never changes by itself.
    FollowedProcess(const QString &name, const QPool::ProcessStatistics &figures, quint64 since);

    // Takes the figures of the moment, \a now in milliseconds of any clock that never goes back.
    void sample(qint64 now);
    void add(const QPool::ProcessStatistics &figures, qint64 now);
    // What happened until now no longer counts into rates: the viewer looked away.
    void forgetRates() { m_moments.remove(0, qMax<qsizetype>(0, m_moments.size() - 1)); }

    const QPool::ProcessStatistics &figures() const { return m_moments.last().figures; }
    const QPool::CacheListing &caches() const { return m_caches; }
    void setCaches(const QPool::CacheListing &caches) { m_caches = caches; }
    QPool::MonitoredProcess::State state() const { return m_state; }
    QString name() const { return m_name; }
    quint64 since() const { return m_since; }

    // Counts from now on, or from the start again.
    void setBaseline(bool on);
    bool hasBaseline() const { return m_baseline.has_value(); }

    // A class's figures, counted from the baseline; all zero if it was never used.
    QPool::BinStatistics classFigures(std::size_t domain, quint32 size) const;

    // Per second; negative while they are not known.
    double allocationRate() const;
    double freeRate() const;
    double remoteShare() const; // of what was freed lately
    double classRate(std::size_t domain, quint32 size) const;

private:
    struct Moment
    {
        qint64 time;
        QPool::ProcessStatistics figures;
        Totals totals;
    };

    double perSecond(quint64 then, quint64 now) const;

    std::unique_ptr<QPool::MonitoredProcess> m_process;
    QPool::MonitoredProcess::State m_state = QPool::MonitoredProcess::Publishing;
    QString m_name;
    quint64 m_since = 0;
    QList<Moment> m_moments; // the last second or so, never empty
    QPool::CacheListing m_caches; // of the last moment
    std::optional<QPool::ProcessStatistics> m_baseline;
};

#endif // FOLLOWEDPROCESS_H
