# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# The dispatchers signal a loop only if it sleeps or is about to sleep. The protocol is in
# src/corelib/kernel/qwakeupstate_p.h.

qpool_concern(wakeups)

# GLib asks a source twice in each turn whether it is ready: before the poll (prepare) and, if it was
# not ready, after it (check). Qt answers both in one function; check passes no timeout. Qt's own code
# and serial numbers decide whether the source is ready, so events are delivered when stock Qt delivers
# them. Where stock Qt would find its eventfd readable in the poll, the state is Woken, and the turn
# does not sleep.
set(_qpool_glib src/corelib/kernel/qeventdispatcher_glib.cpp)
qpool_edit(${_qpool_glib} AFTER "#include <private/qthread_p.h>\n" [[
#if QT_CONFIG(economical_wakeup)
#  include "qwakeupstate_p.h"
#endif
]])
qpool_edit(${_qpool_glib} AFTER "    QEventDispatcherGlibPrivate *d;\n" [[
#if QT_CONFIG(economical_wakeup)
    QBasicAtomicInt wakeUpState; // GLib sets a new GSource to zero: Awake
#endif
]])
# Runs before Qt checks the list and the serial number.
qpool_edit(${_qpool_glib} AFTER "static gboolean postEventSourcePrepare(GSource *s, gint *timeout)\n{\n" [[
#if QT_CONFIG(economical_wakeup)
    QBasicAtomicInt &wakeUpState = reinterpret_cast<GPostEventSource *>(s)->wakeUpState;
    if (!timeout)
        QWakeUpState::endWait(wakeUpState);
    const bool woken = timeout && QWakeUpState::beginWait(wakeUpState);
    if (woken)
        *timeout = 0;
#endif
]])
qpool_edit(${_qpool_glib} AFTER "    *timeout = canWait ? -1 : 0;\n" [[
#if QT_CONFIG(economical_wakeup)
    if (woken)
        *timeout = 0;
#endif
]])
qpool_edit(${_qpool_glib} BEFORE "    QCoreApplication::sendPostedEvents();\n" [[
#if QT_CONFIG(economical_wakeup)
    // GLib does not call check() of a source that was ready before the poll.
    QWakeUpState::abandonWait(source->wakeUpState);
#endif
]])
qpool_edit(${_qpool_glib} AFTER "    d->postEventSource->serialNumber.ref();\n" [[
#if QT_CONFIG(economical_wakeup)
    if (!QWakeUpState::wakeUp(d->postEventSource->wakeUpState))
        return;
    const QWakeUpSignal signal;
#endif
]])

# The lock of the list of posted events spins first: src/corelib/kernel/qpostedeventlock_p.h.
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

# UNIX: Qt writes to the eventfd once for each turn in which an event was posted, even if the thread
# itself posted it. Where Qt would find the eventfd readable, the state is Woken or the signal is on its
# way: the turn then does not sleep, and counts as one that handled something, as in Qt.
set(_qpool_unix src/corelib/kernel/qeventdispatcher_unix.cpp)
qpool_edit(${_qpool_unix} AFTER "#include \"qeventdispatcher_unix_p.h\"\n" [[
#if QT_CONFIG(economical_wakeup)
#  include "qwakeupstate_p.h"
#endif
]])
# Local variables hide the member of the same name, so that Qt's conditions on it always hold.
qpool_edit(${_qpool_unix} AFTER "void QThreadPipe::wakeUp()\n{\n" [[
#if QT_CONFIG(economical_wakeup)
    if (!QWakeUpState::wakeUp(wakeUps))
        return;
    const QWakeUpSignal signal;
    QAtomicInt wakeUps(0);
#endif
]])
qpool_edit(${_qpool_unix} AFTER "    Q_ASSERT(pfd.fd == fds[0]);\n" [[
#if QT_CONFIG(economical_wakeup)
    QAtomicInt wakeUps(1);
#endif
]])
# The last step before the poll, after the slots of aboutToBlock(), which may run a loop. Before 6.7 the
# time to wait is a timespec.
qpool_find_in_source(${_qpool_unix} "    timespec *tm = nullptr;\n" _qpool_timespec)
if(_qpool_timespec)
    set(_qpool_no_wait "        wait_tm = { 0, 0 };\n        tm = &wait_tm;\n")
else()
    set(_qpool_no_wait "        deadline = QDeadlineTimer();\n")
endif()
qpool_edit(${_qpool_unix} BEFORE "    d->pollfds.append(d->threadPipe.prepare());\n" "\
#if QT_CONFIG(economical_wakeup)
    bool woken = QWakeUpState::beginWait(d->threadPipe.wakeUps);
    if (woken) {
${_qpool_no_wait}    }
#endif
")
# Notifiers that an outer turn has left are activated, too, when stock Qt's poll returns for the eventfd alone.
qpool_edit(${_qpool_unix} AFTER "    case 0:\n" [[
#if QT_CONFIG(economical_wakeup)
        if (woken && include_notifiers)
            nevents += d->activateSocketNotifiers();
#endif
]])
# Runs before anything is handled, because a handler may run a loop, too. If something else ended the
# poll, a signal on its way ends the next one.
qpool_edit(${_qpool_unix} BEFORE "        nevents += d->threadPipe.check(d->pollfds.takeLast());\n" [[
#if QT_CONFIG(economical_wakeup)
        woken |= QWakeUpState::endTurn(d->threadPipe.wakeUps);
#endif
]])
qpool_edit(${_qpool_unix} BEFORE "    if (include_timers)\n" [[
#if QT_CONFIG(economical_wakeup)
    QWakeUpState::abandonWait(d->threadPipe.wakeUps);
    nevents += woken;
#endif
]])
