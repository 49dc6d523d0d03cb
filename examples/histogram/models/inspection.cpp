// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "inspection.h"

#include <QtCore/qelapsedtimer.h>

namespace {

constexpr int LeastMemoryInterval = 2000;
// Readings keep a processor busy for a tenth of the time at most.
constexpr int ShareOfWorker = 10;

} // namespace

Inspection::Inspection(QObject *parent)
    : QObject(parent)
{
    // Without a parent, QML would take ownership of an object returned by a property.
    m_memory.setParent(this);
}

void Inspection::setInspector(std::shared_ptr<Inspector> inspector)
{
    m_inspector = std::move(inspector);
    m_memory.clear();
    m_readsMemory = false;
}

template <class Work, class Done>
void Inspection::start(Work work, Done done)
{
    const auto inspector = m_inspector;
    m_worker.start([inspector, work] { return work(inspector.get()); },
                   [this, inspector, done](const auto &result) {
                       if (m_inspector == inspector)
                           done(result);
                   });
}

void Inspection::readMemory()
{
    if (!m_inspector || m_readsMemory)
        return;
    m_readsMemory = true;
    struct Timed
    {
        MemoryReading reading;
        qint64 milliseconds;
    };
    start([](Inspector *inspector) {
        QElapsedTimer clock;
        clock.start();
        MemoryReading reading = inspector->memory();
        return Timed { std::move(reading), clock.elapsed() };
    }, [this](const Timed &result) {
        m_readsMemory = false;
        m_memory.setReading(result.reading);
        const int interval = qMax(LeastMemoryInterval, int(result.milliseconds) * ShareOfWorker);
        if (m_memoryInterval != interval) {
            m_memoryInterval = interval;
            Q_EMIT memoryIntervalChanged();
        }
    });
}
