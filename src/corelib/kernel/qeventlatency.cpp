// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qeventlatency_p.h"
#include "qlatencycalls_p.h"
#include "qlatencycollector_p.h"

#include "os/qpoolenvironment.h"
#include "os/qpoolwishes.h"

#include <QtCore/qcoreapplication.h>
#include <QtCore/qcoreevent.h>
#include <QtCore/private/qobject_p.h>

#include <cstring>

#include <pthread.h>

using QPool::LatencyRecord;
using QPool::Os::TickClock;

QT_BEGIN_NAMESPACE

namespace QEventLatency {

Q_CONSTINIT std::atomic<bool> recording { false };

namespace {

// The thread's recorder; null before it has one, Ended after it has none any more.
QPOOL_THREAD_LOCAL QPOOL_TLS_MODEL QPoolLatencyRecorder *ownRecorder = nullptr;
QPoolLatencyRecorder *const Ended = reinterpret_cast<QPoolLatencyRecorder *>(1);

// Called when the thread ends. It may post later, in other keys' destructors, which are repeated until none has a
// value: such events are counted as dropped. Qt's own key has the thread's last events, such as those of
// QThread::finished() in threads of the program's.
void endRecorder(void *recorder) noexcept
{
    ownRecorder = Ended;
    static_cast<QPoolLatencyRecorder *>(recorder)->ended.store(true, std::memory_order_release);
}

Q_NEVER_INLINE QPoolLatencyRecorder *makeRecorder() noexcept
{
    QPoolLatencyCollector *collector = QPoolLatencyCollector::instance();
    if (!collector) // a child of fork()
        return nullptr;
    if (ownRecorder == nullptr) {
        try {
            auto recorder = std::make_unique<QPoolLatencyRecorder>();
            QPoolLatencyRecorder *result = recorder.get();
            collector->add(std::move(recorder));
            ownRecorder = result;
            static const pthread_key_t end = [] {
                pthread_key_t key;
                return pthread_key_create(&key, &endRecorder) == 0 ? key : pthread_key_t(-1);
            }();
            pthread_setspecific(end, result); // a thread that has no room for it never ends here
            return result;
        } catch (const std::bad_alloc &) {
            // The next record tries again.
        }
    }
    collector->countStray();
    return nullptr;
}

inline QPoolLatencyRecorder *recorder() noexcept
{
    QPoolLatencyRecorder *own = ownRecorder;
    return Q_LIKELY(quintptr(own) > quintptr(Ended)) ? own : makeRecorder();
}

// The address of the receiver's vtable, in most cases that of its class. Another thread may own the
// receiver: then only that thread may call metaObject().
inline quint64 firstWord(const QObject *receiver) noexcept
{
    quintptr word;
    std::memcpy(&word, static_cast<const void *>(receiver), sizeof(word));
    return word;
}

// The caller has the list of events locked, or is the receiver's thread.
inline quint8 queueOf(QPoolLatencyRecorder *own, const QObject *receiver) noexcept
{
    return own->queueOf(QObjectPrivate::get(receiver)->threadData.loadRelaxed());
}

} // namespace

void posting(const QObject *receiver, const QEvent *event) noexcept
{
    if (QPoolLatencyRecorder *own = recorder()) {
        const quint32 signal = signalOf(own, event);
        const quint64 now = TickClock::now();
        own->push(quintptr(event), now, firstWord(receiver), signal, quint16(event->type()),
                  LatencyRecord::Posted, queueOf(own, receiver));
        own->lastPost = now;
        own->lastEvent = quintptr(event);
    }
}

void compressed() noexcept
{
    if (QPoolLatencyRecorder *own = recorder())
        own->push(own->lastEvent, own->lastPost, 0, 0, 0, LatencyRecord::Compressed, 0);
}

void removed(const QObject *receiver, const QEvent *event) noexcept
{
    if (QPoolLatencyRecorder *own = recorder()) {
        const bool died = QObjectPrivate::get(receiver)->wasDeleted;
        own->push(quintptr(event), TickClock::now(), firstWord(receiver), 0,
                  quint16(event->type()),
                  died ? LatencyRecord::ReceiverDied : LatencyRecord::Removed, 0);
    }
}

void deliver(QObject *receiver, QEvent *event)
{
    QPoolLatencyRecorder *own = recorder();
    if (!own) {
        QCoreApplication::sendEvent(receiver, event);
        return;
    }
    // Runs even if the handler throws.
    struct Delivery
    {
        ~Delivery()
        {
            own->push(event, TickClock::now(), begin, name, type, LatencyRecord::Delivered, queue);
        }
        QPoolLatencyRecorder *const own;
        const quint64 event;
        const quint32 name;
        const quint16 type;
        const quint8 queue;
        const quint64 begin;
    };
    // Read before the handler runs, as it may delete or reuse both; the clock last.
    const Delivery delivery { own, quintptr(event), receiverOf(own, receiver, event),
                              quint16(event->type()), queueOf(own, receiver), TickClock::now() };
    QCoreApplication::sendEvent(receiver, event);
}

// Runs before there are events, and before the program can change its environment.
[[maybe_unused]] static const bool begun = [] {
    const char *wishes = QPool::Os::environment("QT_POOL_ALLOCATOR");
    if (wishes && QPool::hasWish(wishes, "latency"))
        QPoolLatencyCollector::begin();
    return true;
}();

} // namespace QEventLatency

QT_END_NAMESPACE
