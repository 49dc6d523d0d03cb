// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "workload.h"

#include <QtCore/qthread.h>

namespace {

constexpr qsizetype RatesTrailLength = 60;

} // namespace

Workload::Workload(const Texts &texts, Rates rates, QObject *parent)
    : QObject(parent)
    , m_texts(texts)
    , m_rates(rates)
    , m_rate(rates.usual)
{
}

void Workload::setRate(int perSecond)
{
    perSecond = qBound(m_rates.lowest, perSecond, m_rates.highest);
    if (m_rate.exchange(perSecond, std::memory_order_relaxed) != perSecond)
        Q_EMIT rateChanged();
}

int Workload::due(std::chrono::milliseconds tick, qreal *carry) const
{
    *carry += rate() * qreal(tick.count()) / 1000;
    const int whole = int(*carry);
    *carry -= whole;
    return whole;
}

void Workload::setRunning(bool running)
{
    if (running)
        start();
    else
        stop();
}

void Workload::start()
{
    if (m_state == Running)
        return;
    const bool held = m_state == Held;
    if (held)
        doStop();
    m_state = Running;
    doStart();
    if (!held)
        Q_EMIT runningChanged();
}

void Workload::hold()
{
    if (m_state != Running)
        return;
    m_state = Held;
    doHold();
}

void Workload::stop()
{
    if (m_state == Stopped)
        return;
    m_state = Stopped;
    doStop();
    Q_EMIT runningChanged();
    refresh();
}

void Workload::refresh()
{
    const qint64 operations = this->operations();
    const qint64 more = operations - m_shownOperations;
    if (more == 0 && !isRunning())
        return; // the trail of a stopped workload remains
    m_trail.append(more);
    if (m_trail.size() > RatesTrailLength)
        m_trail.removeFirst();
    m_shownOperations = operations;
    Q_EMIT operationsChanged();
}

void Workload::finishThread(QThread &thread, QObject *objectInThread)
{
    // Posted events are delivered in order, so this call is the last.
    QMetaObject::invokeMethod(
            objectInThread, [&thread] { thread.quit(); }, Qt::QueuedConnection);
    thread.wait();
}
