// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qlatencyrecorder_p.h"
#include "qlatencycalls_p.h"
#include "qlatencycollector_p.h"

#if defined(Q_OS_LINUX)
#  include <sys/prctl.h>
#  include <sys/syscall.h>
#  include <unistd.h>
#else
#  include <QtCore/qthread.h>
#endif

QT_BEGIN_NAMESPACE

namespace QEventLatency {

static quint64 currentThread() noexcept
{
#if defined(Q_OS_LINUX)
    return quint64(syscall(SYS_gettid));
#else
    return quintptr(QThread::currentThreadId());
#endif
}

// Called by the thread itself, not by the collector, so that the statistics have the names of threads
// that end soon, too.
static std::string currentThreadName()
{
#if defined(Q_OS_LINUX)
    char name[16] = {}; // the system's limit, including the null byte at the end
    if (prctl(PR_GET_NAME, name) == 0 && name[0])
        return name;
#endif
    return "thread " + std::to_string(currentThread());
}

QPoolLatencyRecorder::QPoolLatencyRecorder()
    : thread(currentThread()), threadName(currentThreadName())
{
}

void QPoolLatencyRecorder::wakeCollector() noexcept
{
    m_sinceWake = 0;
    // In a child of fork() there is none.
    if (QPoolLatencyCollector *collector = QPoolLatencyCollector::instance();
        collector && ring.size() >= Half) {
        collector->wake();
    }
}

quint32 QPoolLatencyRecorder::classOf(const QMetaObject *metaObject) noexcept
{
    return idOf(metaObject, 0, Class, [=] {
        return QPoolClassNames::instance().find(metaObject->className()).id;
    });
}

// Numbers are never given up. A number is published by the exchange, and nothing else with it: relaxed.
quint8 qpoolQueueOf(const void *threadData) noexcept
{
    constexpr std::size_t Count = QPool::LatencyPairing::QueueCount;
    static std::atomic<const void *> numbered[Count];
    for (std::size_t i = 1; threadData && i < Count; ++i) {
        const void *known = numbered[i].load(std::memory_order_relaxed);
        if (!known && numbered[i].compare_exchange_strong(known, threadData, std::memory_order_relaxed))
            return quint8(i);
        if (known == threadData)
            return quint8(i);
    }
    return 0;
}

quint32 QPoolClassNames::append(const std::string &name)
{
    m_names.push_back(name);
    return quint32(m_names.size() - 1);
}

QPoolClassNames::Name QPoolClassNames::find(const char *name)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    if (const auto known = m_ids.find(name); known != m_ids.end())
        return { m_names[known->second].c_str(), known->second };
    const quint32 id = append(name);
    m_ids.emplace(m_names.back(), id);
    return { m_names.back().c_str(), id };
}

quint32 QPoolClassNames::add(const std::string &provisional)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    return append(provisional);
}

quint32 QPoolClassNames::findCode(quintptr code)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    const auto [place, isNew] = m_codes.try_emplace(code, 0);
    if (isNew) {
        place->second = append({});
        m_unnamed.emplace(place->second, code);
    }
    return place->second;
}

quint32 QPoolClassNames::findSlot(quint32 classId, quint32 slot)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    const auto [place, isNew] = m_slots.try_emplace({ classId, slot }, 0);
    if (isNew) {
        place->second = append(m_names[classId]);
        m_parts.emplace(place->second, Parts { classId, slot });
    }
    return place->second;
}

QPoolClassNames::Parts QPoolClassNames::partsOf(quint32 id)
{
    std::unique_lock<std::mutex> lock(m_mutex);
    const auto known = m_parts.find(id);
    if (known == m_parts.end())
        return { id, 0 };
    const Parts parts = known->second;
    if (const auto unnamed = m_unnamed.find(parts.slot); unnamed != m_unnamed.end()) {
        const quintptr code = unnamed->second;
        m_unnamed.erase(unnamed);
        // It reads a file: threads that need another name must not wait.
        lock.unlock();
        const std::string name = nameOfSlotCode(code);
        lock.lock();
        m_names[parts.slot] = name;
    }
    return parts;
}

void QPoolClassNames::rename(quint32 id, const std::string &name)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_names[id] = name;
}

std::string QPoolClassNames::name(quint32 id) const
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    return m_names[id];
}

// Never destroyed: destructors of static variables deliver events, too.
QPoolClassNames &QPoolClassNames::instance()
{
    static QPoolClassNames *const names = new QPoolClassNames;
    return *names;
}

} // namespace QEventLatency

QT_END_NAMESPACE
