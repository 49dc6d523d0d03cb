# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# The dispatchers signal a loop only if it sleeps, or is about to. The protocol is in
# src/corelib/kernel/qwakeupstate_p.h.

# GLib asks a source twice in each turn: whether it is ready before the poll (prepare), and, if
# it was not, after it (check). Qt answers both in one function; in the latter there is no
# timeout. Whoever runs the context, it never sleeps without having asked all sources. Qt's own
# serial numbers stay as they are from the first turn on.
set(_qpool_glib src/corelib/kernel/qeventdispatcher_glib.cpp)
qpool_edit(${_qpool_glib} AFTER "#include <private/qthread_p.h>\n" [[
#if QT_CONFIG(economical_wakeup)
#  include "qwakeupstate_p.h"
#endif
]])
qpool_edit(${_qpool_glib} AFTER "    QEventDispatcherGlibPrivate *d;\n" [[
#if QT_CONFIG(economical_wakeup)
    QBasicAtomicInt wakeUpState; // zero, as all of a new GSource: Awake
    bool delivering; // and no nested loop has looked yet at what is still to be delivered
#endif
]])
qpool_edit(${_qpool_glib} AFTER "static gboolean postEventSourcePrepare(GSource *s, gint *timeout)\n{\n" [[
#if QT_CONFIG(economical_wakeup)
    {
        GPostEventSource *source = reinterpret_cast<GPostEventSource *>(s);
        QEventDispatcherGlibPrivate *d = source->d;
        if (timeout) {
            d->wakeUpCalled = QWakeUpState::beginWait(source->wakeUpState) || source->delivering;
            source->delivering = false;
        } else {
            d->wakeUpCalled = QWakeUpState::endWait(source->wakeUpState);
        }
        if (d->wakeUpCalled)
            return true;
    }
#endif
]])
qpool_edit(${_qpool_glib} BEFORE "    QCoreApplication::sendPostedEvents();\n" [[
#if QT_CONFIG(economical_wakeup)
    // GLib does not ask anew who has said before that he is ready.
    QWakeUpState::abandonWait(source->wakeUpState);
    source->delivering = true;
#endif
]])
qpool_edit(${_qpool_glib} AFTER "    QCoreApplication::sendPostedEvents();\n" [[
#if QT_CONFIG(economical_wakeup)
    source->delivering = false;
#endif
]])
qpool_edit(${_qpool_glib} BEFORE "    d->postEventSource->serialNumber.ref();\n" [[
#if QT_CONFIG(economical_wakeup)
    if (!QWakeUpState::wakeUp(d->postEventSource->wakeUpState))
        return;
#else
]])
qpool_edit(${_qpool_glib} AFTER "    d->postEventSource->serialNumber.ref();\n" [[
#endif
]])

# The list of posted events is locked patiently: src/corelib/kernel/qpostedeventlock_p.h.
set(_qpool_application src/corelib/kernel/qcoreapplication.cpp)
qpool_edit(${_qpool_application} AFTER "#include \"qcoreapplication_p.h\"\n" [[
#if QT_CONFIG(economical_wakeup)
#  include "qpostedeventlock_p.h"
#endif
]])
set(_qpool_lock "        auto temporaryLocker = qt_unique_lock(locker.threadData->postEventList.mutex);\n")
qpool_edit(${_qpool_application} BEFORE "${_qpool_lock}" [[
#if QT_CONFIG(economical_wakeup)
        auto temporaryLocker = QPostedEventLock::lockToPost(locker.threadData->postEventList.mutex);
#else
]])
qpool_edit(${_qpool_application} AFTER "${_qpool_lock}" "#endif\n")
set(_qpool_relock "        locker.unlock();\n        const auto relocker = qScopeGuard([&locker] { locker.lock(); });\n")
qpool_edit(${_qpool_application} BEFORE "${_qpool_relock}" [[
#if QT_CONFIG(economical_wakeup)
        const qsizetype behind = data->postEventList.size() - i;
        locker.unlock();
        const auto relocker = qScopeGuard([&locker, behind] {
            QPostedEventLock::lockToDeliver(locker, behind);
        });
#else
]])
qpool_edit(${_qpool_application} AFTER "${_qpool_relock}" "#endif\n")

# UNIX: Qt writes to the eventfd once for each turn in which something was posted, be it by the
# thread itself. A turn that was asked for without one has handled something, as Qt counts it.
set(_qpool_unix src/corelib/kernel/qeventdispatcher_unix.cpp)
qpool_edit(${_qpool_unix} AFTER "#include \"qeventdispatcher_unix_p.h\"\n" [[
#if QT_CONFIG(economical_wakeup)
#  include "qwakeupstate_p.h"
#  include <QtCore/qscopeguard.h>
#endif
]])
# The two local variables stand in for the member, whose answers Qt's conditions are to be spared.
qpool_edit(${_qpool_unix} AFTER "void QThreadPipe::wakeUp()\n{\n" [[
#if QT_CONFIG(economical_wakeup)
    if (!QWakeUpState::wakeUp(wakeUps))
        return;
    QAtomicInt wakeUps(0);
#endif
]])
qpool_edit(${_qpool_unix} AFTER "    Q_ASSERT(pfd.fd == fds[0]);\n" [[
#if QT_CONFIG(economical_wakeup)
    QAtomicInt wakeUps(1);
#endif
]])
set(_qpool_can_wait "    const bool canWait = (threadData->canWaitLocked()\n")
qpool_edit(${_qpool_unix} BEFORE "${_qpool_can_wait}" [[
#if QT_CONFIG(economical_wakeup)
    bool woken = QWakeUpState::beginWait(d->threadPipe.wakeUps);
    const auto waitEnder = qScopeGuard([d] { QWakeUpState::abandonWait(d->threadPipe.wakeUps); });
#endif
]])
qpool_edit(${_qpool_unix} AFTER "${_qpool_can_wait}" [[
#if QT_CONFIG(economical_wakeup)
                          && !woken
#endif
]])
# A slot of aboutToBlock() may have run a loop of its own, which ended this wait and took the
# signals meant for it: the wait begins anew, and if there is something to do by now the poll is
# made to return at once.
qpool_edit(${_qpool_unix} AFTER "        emit aboutToBlock();\n" [[
#if QT_CONFIG(economical_wakeup)
    if (canWait && (QWakeUpState::beginWait(d->threadPipe.wakeUps) || !threadData->canWaitLocked())) {
        while (QWakeUpState::beginWait(d->threadPipe.wakeUps)) { }
        wakeUp();
    }
#endif
]])
qpool_edit(${_qpool_unix} BEFORE "        nevents += d->threadPipe.check(d->pollfds.takeLast());\n" [[
#if QT_CONFIG(economical_wakeup)
        woken |= QWakeUpState::endWait(d->threadPipe.wakeUps);
#endif
]])
qpool_edit(${_qpool_unix} BEFORE "    if (include_timers)\n" [[
#if QT_CONFIG(economical_wakeup)
    woken |= QWakeUpState::endWait(d->threadPipe.wakeUps);
    nevents += woken;
#endif
]])
