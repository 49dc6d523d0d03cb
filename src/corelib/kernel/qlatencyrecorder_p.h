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

#include <QtCore/qobjectdefs.h>

#include <atomic>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

QT_BEGIN_NAMESPACE

namespace QEventLatency {

// Keeps names of classes, signals and slots until the process ends: a meta object may be gone when its name is
// read. 0 is no name's id.
class QPoolClassNames
{
public:
    struct Name
    {
        const char *text = nullptr; // never freed
        quint32 id = 0;
    };
    struct Parts
    {
        quint32 classId = 0;
        quint32 slot = 0;
    };

    // Any thread.
    Name find(const char *name);
    // A new id with a provisional name, for a class whose own name is not known yet.
    quint32 add(const std::string &provisional);
    void rename(quint32 id, const std::string &name);
    // The id of a slot of which only the code is known, and which has no name before its code is named.
    quint32 findCode(quintptr code);
    quint32 findSlot(quint32 classId, quint32 slot); // an id that stands for both
    // Of an id of findSlot() both, of others that id alone. Names the code.
    Parts partsOf(quint32 id);
    std::string name(quint32 id) const;
    static QPoolClassNames &instance();

private:
    quint32 append(const std::string &name); // with the lock held

    mutable std::mutex m_mutex;
    std::deque<std::string> m_names { "?" }; // the first is for unknown classes
    std::unordered_map<std::string_view, quint32> m_ids;
    std::map<quintptr, quint32> m_codes;
    std::unordered_map<quint32, quintptr> m_unnamed; // codes, by the slot's id
    std::map<std::pair<quint32, quint32>, quint32> m_slots; // by class and slot
    std::unordered_map<quint32, Parts> m_parts;
};

// The number of the list of events of a thread, by the address of its data, which a later thread may have, too. 0 if
// 255 others have one. Any thread.
quint8 qpoolQueueOf(const void *threadData) noexcept;

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
    QPOOL_ALWAYS_INLINE void push(quint64 event, quint64 time, quint64 other, quint32 name, quint16 type,
                                  QPool::LatencyRecord::Kind kind, quint8 queue) noexcept
    {
        const QPool::LatencyRecord record { event, time, other, name, type, kind, queue };
        if (Q_UNLIKELY(!ring.tryPush(record)))
            dropped.store(dropped.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        // A thread that is faster than the collector expects wakes it, once for each half of the ring.
        if (Q_UNLIKELY(++m_sinceWake == Half))
            wakeCollector();
    }
    enum Kind : quint8 { Class, Signal, Slot, Code };
    // Looks up the id of a class, or of a signal or slot of it, which \a key tells from others of the kind.
    // Calls \a find() if the thread does not know it yet; 0 if there is no memory for that.
    template <class Find>
    quint32 idOf(const QMetaObject *metaObject, quintptr key, Kind kind, Find &&find) noexcept
    {
        const quintptr address = quintptr(metaObject) + (key << 4) + kind;
        Known &known = m_known[(address >> 4 ^ address >> 11) % KnownCount];
        const char *name = metaObject->className();
        if (Q_LIKELY(known.metaObject == metaObject && known.key == key && known.kind == kind
                     && std::strcmp(known.className, name) == 0))
            return known.id;
        try {
            // First what may throw.
            const char *const text = QPoolClassNames::instance().find(name).text;
            const quint32 id = find();
            known = { metaObject, key, text, id, kind };
            return id;
        } catch (const std::bad_alloc &) {
            return 0;
        }
    }
    quint32 classOf(const QMetaObject *metaObject) noexcept;
    // As qpoolQueueOf().
    quint8 queueOf(const void *thread) noexcept
    {
        KnownQueue &known = m_knownQueues[quintptr(thread) / 64 % KnownQueueCount];
        if (Q_UNLIKELY(known.thread != thread))
            known = { thread, qpoolQueueOf(thread) };
        return known.number;
    }

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

    // The thread's classes and their signals and slots. Compare the name, too: another meta object, or its
    // name, may have the same address by now.
    struct Known
    {
        const QMetaObject *metaObject = nullptr;
        quintptr key = 0;
        const char *className = nullptr;
        quint32 id = 0;
        Kind kind = Class;
    };
    static constexpr std::size_t KnownCount = 128;
    Known m_known[KnownCount];
    struct KnownQueue
    {
        const void *thread = nullptr;
        quint8 number = 0;
    };
    static constexpr std::size_t KnownQueueCount = 8;
    KnownQueue m_knownQueues[KnownQueueCount];
    std::size_t m_sinceWake = 0;
};

} // namespace QEventLatency

QT_END_NAMESPACE

#endif // __has_include("qpoolglobal.h")

#endif // QLATENCYRECORDER_P_H
