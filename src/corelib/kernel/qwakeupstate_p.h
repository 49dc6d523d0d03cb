// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QWAKEUPSTATE_P_H
#define QWAKEUPSTATE_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

#include <QtCore/qatomic.h>

QT_BEGIN_NAMESPACE

// Whether a loop that is asked to wake up must be signalled, which takes a system call, or will
// look by itself before it sleeps.
//
// One variable, in one of four states:
//
//   Awake      the loop is running, and nobody asked for anything since it last began a wait
//   Woken      somebody did: the loop must look at everything again before it sleeps
//   Waiting    the loop has looked, found nothing, and sleeps or is about to
//   Signalled  somebody asked it to wake up meanwhile, and nobody after him: his signal, which
//              makes the poll() return, is sent or about to be
//
//                  wakeUp()                           wakeUp(), and a signal
//          Awake ────────────► Woken         Waiting ────────────────────────► Signalled
//                                ▲                                                 │
//                                └─────────────────────────────────────────────────┘
//                                                     wakeUp()
//
//   beginWait():  Awake ─► Waiting         endWait():  Waiting, Signalled ─► Awake
//                 Woken, Signalled ─► Awake, and the loop does not sleep
//
// Who asks first makes his wish visible (puts an event into the list, sets a flag), and then
// changes the state. Who is to sleep first sets Waiting, and then looks whether there is
// anything, the state included. Both are read-modify-writes of one variable, so one comes first:
//
// - wakeUp() first: the loop finds Woken, and does not sleep. It reads what wakeUp() wrote, or
//   what others wrote on top of it, so it sees the wish too (acquire and release; all that
//   others do in between are read-modify-writes, which continue the release sequence). That is
//   why wakeUp() must not return because it sees Woken: the loop may have taken that back.
// - the loop first: wakeUp() finds Waiting, and signals. For all who ask after that the loop is
//   as good as awake. If it wakes for another reason before the signal is sent, that is one too
//   many: the next poll() returns at once.
//
// So a wake-up can be lost in one way only: by a loop that sleeps without a beginWait() that has
// just returned false, or that takes back Woken without looking at everything afterwards.
//
// - Waiting may last longer than the loop waits. That costs a signal, no more.
// - Only beginWait() takes back Woken: a whole turn follows, with a poll() that does not sleep.
//   endWait() tells of it, too, but leaves it: GLib's sources look one after the other, and one
//   that has looked already may be what the second who asked has done something for. The first
//   one's signal comes before that look, or makes the next poll() return; so Signalled need not
//   be left.
//
// None of this asks which thread runs the loop, or whether the loop is Qt's. A thread that posts
// to itself finds Awake; a signal handler that interrupts a thread in poll() finds Waiting, and
// signals. tests/auto/model/wakeups.pml checks it exhaustively.
class QWakeUpState
{
public:
    enum State : int { Awake, Woken, Waiting, Signalled };

    // By any thread; may be called in a signal handler. Returns true if the loop must be
    // signalled.
    static bool wakeUp(QBasicAtomicInt &state) noexcept
    {
        if (state.loadRelaxed() == Waiting && state.testAndSetOrdered(Waiting, Signalled))
            return true;
        return state.fetchAndStoreOrdered(Woken) == Waiting;
    }

    // The rest is called by whoever runs the loop, one thread at a time.

    // Before the last look whether there is anything to do. Returns true if the loop was woken
    // since: it must not sleep then. Otherwise it may, until endWait(); nothing is lost if it
    // does not after all.
    static bool beginWait(QBasicAtomicInt &state) noexcept
    {
        // It stays Awake then: who asks from now on need not signal.
        const bool woken = isWoken(state.loadRelaxed());
        return isWoken(state.fetchAndStoreOrdered(woken ? Awake : Waiting)) || woken;
    }

    // After the sleep, before anything is done. Returns true if the loop was woken by wakeUp().
    static bool endWait(QBasicAtomicInt &state) noexcept
    {
        int now = state.loadAcquire();
        while (now >= Waiting && !state.testAndSetOrdered(now, Awake, now)) { }
        return isWoken(now);
    }

    // When the loop did not sleep, or was not asked when it woke.
    static void abandonWait(QBasicAtomicInt &state) noexcept
    {
        if (state.loadRelaxed() == Waiting)
            state.testAndSetRelaxed(Waiting, Awake);
    }

private:
    static bool isWoken(int state) noexcept { return state == Woken || state == Signalled; }
};

QT_END_NAMESPACE

#endif // QWAKEUPSTATE_P_H
