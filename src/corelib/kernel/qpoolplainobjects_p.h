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

// What QObject's constructor and destructors do to an object of which nobody knows anything yet,
// or any more: no parent when it is made; no connection, child, QPointer, binding or posted event
// when it goes. That is most of them. Qt's code, which comes after, looks for each of these
// one by one, and saves its registers for what it may have to do about them; here all are asked
// for first, and if there are none the rest is a handful of stores.
//
// Nothing else runs in between, so asking first is as good: what could give the object a
// connection or a child is code of the program's, and that is called for ChildRemoved alone, by
// Qt as well as here the last thing that is done.
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

// All flags that Qt's constructor sets late, or never. With those that it sets first they are one
// word, and one store. By itself Qt writes a byte of it and then reads two, for which the
// processor waits until the byte has reached the cache: a tenth of what a new object costs.
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

// True, and the object belongs to the calling thread, unless that takes more than a reference.
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

// True, and what is left to do is to leave the parent, if nobody has to be told of the end of the
// object. With binding data, or none of a status after an unfinished move to another thread, it
// is not plain.
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

// True, and the reference to the thread is dropped, if the private part has nothing else to give
// back.
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
