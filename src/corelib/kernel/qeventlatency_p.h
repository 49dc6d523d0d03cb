// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QEVENTLATENCY_P_H
#define QEVENTLATENCY_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

#include <QtCore/qglobal.h>

#include <atomic>
#include <cstddef>

QT_FORWARD_DECLARE_CLASS(QEvent)
QT_FORWARD_DECLARE_CLASS(QObject)

QT_BEGIN_NAMESPACE

// Qt's own functions report here what becomes of a posted event. See doc/observe.md.
//
// If recording is off, each call is a load of one byte and a branch that is not taken. If it is on, each
// thread records what it does in its own ring, without a lock or a system call; the collector does the
// rest.
namespace QEventLatency {

// Whether recording is on. Set while QtCore is loaded, before there are events, and reset in a child of
// fork(), which has no collector: no order with anything else is needed.
Q_DECL_HIDDEN extern std::atomic<bool> recording;

inline bool isOn() noexcept
{
    return Q_UNLIKELY(recording.load(std::memory_order_relaxed));
}

// Called with the list locked, before the event is compressed or appended.
Q_DECL_HIDDEN void posting(const QObject *receiver, const QEvent *event) noexcept;

// Called after posting(), by the same thread: the event was deleted instead.
Q_DECL_HIDDEN void compressed() noexcept;

// Called after the event was removed from the list, which is still locked.
Q_DECL_HIDDEN void removed(const QObject *receiver, const QEvent *event) noexcept;

// Sends the event, which was removed from the list.
Q_DECL_HIDDEN void deliver(QObject *receiver, QEvent *event);

} // namespace QEventLatency

QT_END_NAMESPACE

// Plain C, so that any program can look it up at run time. Documented where it is defined.
extern "C" Q_CORE_EXPORT std::size_t qt_pool_allocator_latency(char *buffer, std::size_t size);

#endif // QEVENTLATENCY_P_H
