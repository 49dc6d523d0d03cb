// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "inspection.h"

#include <QtCore/qelapsedtimer.h>

#include <utility>

namespace {

constexpr int LeastReadingInterval = 2000;
// Readings keep a processor busy for a tenth of the time at most.
constexpr int ShareOfWorker = 10;

} // namespace

// What a source without an inspector has.
template <class Reading>
static Reading notSaved()
{
    Reading reading;
    reading.error = Inspection::tr("They are read from a running process: a saved snapshot does not have them");
    return reading;
}

Inspection::Inspection(QObject *parent)
    : QObject(parent)
{
    // Without a parent, QML would take ownership of objects returned by properties.
    m_memory.setParent(this);
    m_holders.setParent(this);
    m_sites.setParent(this);
}

void Inspection::setInspector(std::shared_ptr<Inspector> inspector)
{
    m_inspector = std::move(inspector);
    m_memory.clear();
    m_readsMemory = false;
    m_sites.clear();
    m_readsSites = false;
    closeClass();
}

template <class Work, class Done>
void Inspection::start(Work work, Done done)
{
    const auto inspector = m_inspector;
    m_worker.start(
            [inspector, work] {
                QElapsedTimer clock;
                clock.start();
                auto result = work(inspector.get());
                return std::pair(std::move(result), clock.elapsed());
            },
            [this, inspector, done](const auto &result) {
                if (m_inspector != inspector)
                    return;
                const int interval = qMax(LeastReadingInterval, int(result.second) * ShareOfWorker);
                if (m_interval != interval) {
                    m_interval = interval;
                    Q_EMIT intervalChanged();
                }
                done(result.first);
            });
}

void Inspection::readMemory()
{
    if (!m_inspector || std::exchange(m_readsMemory, true))
        return;
    start([](Inspector *inspector) { return inspector->memory(); },
          [this](const MemoryReading &reading) {
              m_readsMemory = false;
              m_memory.setReading(reading);
          });
}

void Inspection::chooseClass(const QString &domain, const QString &title)
{
    ++m_choice;
    m_readsHolders = false;
    m_holders.choose(domain, title);
    readHolders();
}

// The objects first: the names of code take longer.
void Inspection::readHolders()
{
    if (!m_inspector && m_holders.isChosen()) {
        m_holders.setObjects(notSaved<ObjectReading>());
        m_holders.setHeap(notSaved<HeapReading>());
    }
    if (!m_inspector || !m_holders.isChosen() || std::exchange(m_readsHolders, true))
        return;
    const QString type = m_holders.type();
    const int choice = m_choice;
    start([type](Inspector *inspector) {
        return type == Inspector::noClass() ? ObjectReading() : inspector->objects(type);
    }, [this, type, choice](const ObjectReading &objects) {
        if (m_choice != choice)
            return;
        m_holders.setObjects(objects);
        start([type](Inspector *inspector) { return inspector->heap(type); },
              [this, choice](const HeapReading &heap) {
                  if (m_choice != choice)
                      return;
                  m_readsHolders = false;
                  m_holders.setHeap(heap);
              });
    });
}

void Inspection::readSites()
{
    if (!m_inspector)
        m_sites.setReading(notSaved<HeapReading>());
    if (!m_inspector || std::exchange(m_readsSites, true))
        return;
    start([](Inspector *inspector) { return inspector->heap(); },
          [this](const HeapReading &reading) {
              m_readsSites = false;
              m_sites.setReading(reading);
          });
}

void Inspection::setSampled(bool sampled)
{
    if (!m_inspector)
        return;
    start([sampled](Inspector *inspector) {
        HeapReading result;
        result.error = inspector->setSampled(sampled);
        return result.error.isEmpty() ? inspector->heap() : result;
    }, [this](const HeapReading &reading) { m_sites.setReading(reading); });
}
