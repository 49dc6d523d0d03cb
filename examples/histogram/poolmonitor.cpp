// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "poolmonitor.h"

#include <chrono>

using namespace std::chrono_literals;

namespace {

constexpr auto SampleInterval = 200ms;
// Long enough to calm the figure, short enough to follow a switch being turned.
constexpr qint64 RateWindow = 1000;

} // namespace

PoolMonitor::PoolMonitor(QObject *parent)
    : QObject(parent)
{
    m_clock.start();
    m_timer.setInterval(SampleInterval);
    connect(&m_timer, &QTimer::timeout, this, &PoolMonitor::sample);
    // QML would otherwise take objects returned from properties for its own.
    for (SizeClassModel &model : m_classes)
        model.setParent(this);
    m_arenas.setParent(this);
    if (m_source.isAvailable()) {
        sample();
        m_timer.start();
    }
}

void PoolMonitor::setPaused(bool paused)
{
    if (m_paused == paused)
        return;
    m_paused = paused;
    if (paused) {
        m_timer.stop();
    } else if (m_source.isAvailable()) {
        // What happened during the pause is not this second's rate.
        m_moments.clear();
        m_timer.start();
    }
    Q_EMIT pausedChanged();
}

void PoolMonitor::sample()
{
    if (m_source.isAvailable())
        apply(m_source.read(), m_clock.elapsed());
}

void PoolMonitor::trim()
{
    m_source.trim();
    if (!m_paused)
        sample();
}

void PoolMonitor::apply(const QByteArray &json, qint64 milliseconds)
{
    QString error;
    std::optional<Snapshot> snapshot = Snapshot::fromJson(json, &error);
    if (!snapshot) {
        setState(Damaged, error);
        return;
    }
    m_json = json;
    m_snapshot = std::move(*snapshot);
    updateRate(milliseconds);
    for (int d = 0; d < DomainCount; ++d)
        m_classes[size_t(d)].setFigures(m_snapshot.domain(Domain(d)));
    m_arenas.setArenas(m_snapshot.arenas, m_snapshot.pid);
    setState(m_snapshot.enabled ? Ready : Disabled);
    Q_EMIT sampled();
}

void PoolMonitor::updateRate(qint64 milliseconds)
{
    const Moment now { milliseconds, m_snapshot.totalAllocated() };
    // Another process, or one whose counters were reset: start afresh.
    if (!m_moments.isEmpty() && now.allocated < m_moments.last().allocated)
        m_moments.clear();
    m_moments.append(now);
    while (m_moments.size() > 2 && now.milliseconds - m_moments.at(1).milliseconds >= RateWindow)
        m_moments.removeFirst();
    const Moment &then = m_moments.first();
    const qint64 elapsed = now.milliseconds - then.milliseconds;
    m_rate = elapsed > 0 ? qreal(now.allocated - then.allocated) * 1000 / qreal(elapsed) : 0;
}

void PoolMonitor::setState(State state, const QString &error)
{
    if (m_state == state && m_error == error)
        return;
    m_state = state;
    m_error = error;
    Q_EMIT stateChanged();
}
