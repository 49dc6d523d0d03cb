// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QLATENCYCALLS_P_H
#define QLATENCYCALLS_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

// Empty for other modules of Qt, which do not find the allocator's headers.
#if __has_include("qpoolglobal.h")

#include "qlatencyrecorder_p.h"

QT_FORWARD_DECLARE_CLASS(QEvent)

QT_BEGIN_NAMESPACE

// The signal that a queued call comes from, and the slot that it calls. Each is looked up once by each
// thread.
namespace QEventLatency {

// The id of the signal; 0 if the event is no queued call, or comes from no signal. Called before other
// threads see the event.
quint32 signalOf(QPoolLatencyRecorder *recorder, const QEvent *event) noexcept;

// The id of the receiver's class, with the slot if the event is a queued call. Called by the receiver's
// thread, before the call.
quint32 receiverOf(QPoolLatencyRecorder *recorder, const QObject *receiver, const QEvent *event) noexcept;

// The name of the function at \a code, or of the functor whose code that is. Reads the symbols of the module's
// file if the module does not export it; without these it is the module and the place in it.
std::string nameOfSlotCode(quintptr code);

// The name of the class whose vtable begins there; empty if no module exports it.
std::string nameOfVtable(quintptr firstWord);

} // namespace QEventLatency

QT_END_NAMESPACE

#endif // __has_include("qpoolglobal.h")

#endif // QLATENCYCALLS_P_H
