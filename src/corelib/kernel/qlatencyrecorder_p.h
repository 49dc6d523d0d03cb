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

// Empty to modules of Qt, which do not find the allocator's headers.
#if __has_include("stats/qpoollatencyrecord.h")

#include "adapters/concurrency/qspscqueue.h"
#include "stats/qpoollatencyrecord.h"

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

// Names of classes for good: a meta object may be gone when somebody reads of its class.
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
    // One that nobody else has, until its own name is known.
    quint32 add(const std::string &provisional);
    void rename(quint32 id, const std::string &name);
    std::string name(quint32 id) const;
    static QPoolClassNames &instance();

private:
    mutable std::mutex m_mutex;
    std::deque<std::string> m_names { "?" }; // the first is for those that are not known
    std::unordered_map<std::string_view, quint32> m_ids;
};

/*
    What one thread notes. It alone pushes; the collector, under its lock, alone pops.

    Invariants and orderings
      dropped  how many records found the ring full. Written by the thread alone; relaxed, for nothing
               else is learned by it.
      ended    goes to true once, by the thread, after its last push. Release; the collector acquires it
               before it empties the ring, and deletes the recorder after that.
*/
class QPoolLatencyRecorder
{
public:
    static constexpr std::size_t Capacity = 8192;
    static constexpr std::size_t Half = Capacity / 2;

    QPoolLatencyRecorder();

    void push(const QPool::LatencyRecord &record) noexcept;
    quint32 classOf(const QMetaObject *metaObject) noexcept;

    QPool::SpscQueue<QPool::LatencyRecord> ring { Capacity, std::nothrow };
    std::atomic<quint64> dropped { 0 };
    std::atomic<bool> ended { false };
    const quint64 thread; // its number, as the system's own tools show it
    const std::string threadName; // the same; QThread sets it, to the object's name or its class
    quint64 lastPost = 0; // the time of it, and the event
    quint64 lastEvent = 0;
    unsigned index = 0; // the collector's

private:
    // The thread's classes. The name is compared, too: the memory of a meta object, and of its name, may
    // be another one's by now.
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

#endif // __has_include("stats/qpoollatencyrecord.h")

#endif // QLATENCYRECORDER_P_H
