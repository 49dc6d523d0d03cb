// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qlatencyrecorder_p.h"
#include "qlatencycollector_p.h"

#include <QtCore/qobjectdefs.h>

#include <cstring>

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
    const quintptr address = quintptr(metaObject);
    Known &known = m_known[(address >> 4 ^ address >> 11) % KnownCount];
    const char *name = metaObject->className();
    if (Q_LIKELY(known.metaObject == metaObject && std::strcmp(known.name.text, name) == 0))
        return known.name.id;
    try {
        known.name = QPoolClassNames::instance().find(name);
        known.metaObject = metaObject;
        return known.name.id;
    } catch (const std::bad_alloc &) {
        return 0;
    }
}

QPoolClassNames::Name QPoolClassNames::find(const char *name)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    if (const auto known = m_ids.find(name); known != m_ids.end())
        return { m_names[known->second].c_str(), known->second };
    m_names.emplace_back(name);
    const auto id = quint32(m_names.size() - 1);
    m_ids.emplace(m_names.back(), id);
    return { m_names.back().c_str(), id };
}

quint32 QPoolClassNames::add(const std::string &provisional)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_names.push_back(provisional);
    return quint32(m_names.size() - 1);
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
