// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QLATENCYRECORDER_P_H
#define QLATENCYRECORDER_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

// Empty for other modules of Qt, which do not find the allocator's headers.
#if __has_include("qpoolglobal.h")

#include "pools/concurrency/qspscqueue.h"
#include "qlatencyrecord_p.h"

#include <QtCore/qglobal.h>

#include <atomic>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

QT_FORWARD_DECLARE_STRUCT(QMetaObject)

QT_BEGIN_NAMESPACE

namespace QEventLatency {

// Keeps names of classes until the process ends: a meta object may be gone when its name is read.
class QPoolClassNames
{
public:
    struct Name
    {
        const char *text = nullptr; // never freed
        quint32 id = 0;
    };

    // Any thread.
    Name find(const char *name);
    // A new id with a provisional name, for a class whose own name is not known yet.
    quint32 add(const std::string &provisional);
    void rename(quint32 id, const std::string &name);
    std::string name(quint32 id) const;
    static QPoolClassNames &instance();

private:
    mutable std::mutex m_mutex;
    std::deque<std::string> m_names { "?" }; // the first is for unknown classes
    std::unordered_map<std::string_view, quint32> m_ids;
};

/*
    The records of one thread. Only the thread pushes; only the collector pops, with its lock held.

    Invariants and orderings
      dropped  the number of records for which the ring was full. Only the thread writes it; relaxed,
               because it publishes nothing else.
      ended    the thread sets it once, after its last push. Release; the collector acquires it before it
               empties the ring, and deletes the recorder after that.
*/
class QPoolLatencyRecorder
{
public:
    static constexpr std::size_t Capacity = 8192;
    static constexpr std::size_t Half = Capacity / 2;

    QPoolLatencyRecorder();

    // Inline, and not by reference to a record: a record that is built in memory by stores of single
    // members, and copied to the ring by wider loads, would make the processor wait for these stores.
    QPOOL_ALWAYS_INLINE void push(quint64 event, quint64 time, quint64 other, quint32 classId,
                                  quint16 type, QPool::LatencyRecord::Kind kind) noexcept
    {
        const QPool::LatencyRecord record { event, time, other, classId, type, kind };
        if (Q_UNLIKELY(!ring.tryPush(record)))
            dropped.store(dropped.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        // A thread that is faster than the collector expects wakes it, once for each half of the ring.
        if (Q_UNLIKELY(++m_sinceWake == Half))
            wakeCollector();
    }
    quint32 classOf(const QMetaObject *metaObject) noexcept;

    QPool::SpscQueue<QPool::LatencyRecord> ring { Capacity, std::nothrow };
    std::atomic<quint64> dropped { 0 };
    std::atomic<bool> ended { false };
    const quint64 thread; // its number, as the system's tools show it
    const std::string threadName; // as those tools show it; QThread sets it, to the object's name or class
    quint64 lastPost = 0; // the time of the last post, and its event
    quint64 lastEvent = 0;
    unsigned index = 0; // the collector's

private:
    Q_NEVER_INLINE void wakeCollector() noexcept;

    // The thread's classes. Compare the name, too: another meta object, or its name, may have the same
    // address by now.
    struct Known
    {
        const QMetaObject *metaObject = nullptr;
        QPoolClassNames::Name name;
    };
    static constexpr std::size_t KnownCount = 128;
    Known m_known[KnownCount];
    std::size_t m_sinceWake = 0;
};

} // namespace QEventLatency

QT_END_NAMESPACE

#endif // __has_include("qpoolglobal.h")

#endif // QLATENCYRECORDER_P_H
