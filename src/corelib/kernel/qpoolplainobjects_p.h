// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLPLAINOBJECTS_P_H
#define QPOOLPLAINOBJECTS_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

#include "qobject_p.h"

#include <private/qhooks_p.h>
#include <private/qthread_p.h>

QT_BEGIN_NAMESPACE

#ifdef Q_OS_UNIX
// qthread_unix.cpp's. Null in a thread that has none yet, and in one that is about to end:
// QThreadData::current() makes one then.
Q_CONSTINIT extern thread_local QThreadData *currentThreadData
#  if defined(__GLIBC__) && defined(Q_CC_GNU)
        // QtCore is there when a program starts, so that one load finds it.
        __attribute__((tls_model("initial-exec")))
#  endif
        ;
#endif

// What QObject's constructor and destructors do for a plain object: one that is made without a parent,
// and that has no connection, child, QPointer, binding or posted event when it is destroyed. Most objects
// are plain. Qt's code, which follows, checks for each of these one by one, and saves registers for the
// work that each may need. The functions here check for all of them first; if there are none, the rest is
// a handful of stores.
//
// No other code runs in between, so checking first gives the same result: only the program's code could
// give the object a connection or a child, and that is called for ChildRemoved alone, which is the last
// step in Qt's code as well as here.
namespace QPoolPlainObjects {

// A flag that older versions do not have.
template <typename Data>
Q_ALWAYS_INLINE auto clearReceiveParentEvents(Data *d, int)
        -> decltype(void(d->receiveParentEvents))
{
    d->receiveParentEvents = false;
}
template <typename Data>
Q_ALWAYS_INLINE void clearReceiveParentEvents(Data *, long)
{
}

// All flags that Qt's constructor sets late, or never. Together with those that it sets first they are
// one word, which takes one store. Qt's own code writes a byte of the word and then reads two bytes, for
// which the processor waits until the byte has reached the cache: a tenth of the cost of a new object.
Q_ALWAYS_INLINE void clearFlags(QObjectData *d)
{
    d->isWindow = false;
    d->deleteLaterCalled = false;
    d->isQuickItem = false;
    d->willBeWidget = false;
    d->wasWidget = false;
    d->unused = 0;
    clearReceiveParentEvents(d, 0);
}

// Makes the calling thread the object's thread and returns true, or returns false if that takes more than
// a reference to the thread's data.
Q_ALWAYS_INLINE bool tryMake([[maybe_unused]] QObjectPrivate *d)
{
#ifdef Q_OS_UNIX
    QThreadData *data = currentThreadData;
    if (Q_UNLIKELY(!data || qtHookData[QHooks::AddQObject]))
        return false;
    data->takeReference();
    d->threadData.storeRelaxed(data);
    return true;
#else
    return false;
#endif
}

// Returns true if no other object must be notified of the object's end; then the caller only has to remove
// it from its parent. An object with binding data, or whose binding status is invalid after an unfinished
// move to another thread, is not plain.
Q_ALWAYS_INLINE bool tryDestroy(QObjectPrivate *d)
{
    const bool plain = !d->sharedRefcount.loadRelaxed() && !d->connections.loadRelaxed()
                       && !d->declarativeData && d->children.isEmpty()
                       && d->bindingStorage.isEmpty() && d->bindingStorage.isValid()
                       && !qtHookData[QHooks::RemoveQObject];
    if (Q_UNLIKELY(!plain))
        return false;
    d->leaveBindings();
    return true;
}

// Drops the reference to the thread's data and returns true if the private part has nothing else to
// release.
Q_ALWAYS_INLINE bool tryRelease(QObjectPrivate *d)
{
    if (Q_UNLIKELY(d->extraData || d->postedEvents.loadRelaxed() || d->metaObject))
        return false;
    d->threadData.loadRelaxed()->dropReference();
    return true;
}

} // namespace QPoolPlainObjects

QT_END_NAMESPACE

#endif // QPOOLPLAINOBJECTS_P_H
