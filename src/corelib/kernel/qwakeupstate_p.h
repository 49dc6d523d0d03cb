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

// Whether a loop that is to wake up must be signalled, which takes a system call, or looks by itself
// before it sleeps.
//
// One variable, in one of four states:
//
//   Awake      the loop is running, and nobody has called wakeUp() since it last began a wait
//   Woken      somebody has: the next wait must not sleep
//   Waiting    the loop has begun a wait, and sleeps or is about to
//   Signalled  somebody called wakeUp() meanwhile, and nobody after that: the signal, which makes
//              poll() return, was sent or is about to be
//
//                  wakeUp()                           wakeUp(), and a signal
//          Awake ────────────► Woken         Waiting ────────────────────────► Signalled
//                                ▲                                                 │
//                                └─────────────────────────────────────────────────┘
//                                                     wakeUp()
//
//   beginWait():  Awake ─► Waiting         endWait():  Waiting, Signalled ─► Awake
//                 Woken, Signalled ─► Awake, and the loop does not sleep
//                                          endTurn():  any ─► Awake
//
// The state stands for stock Qt's eventfd, which is readable when the state is Woken, and so ends the
// next poll at once. What a loop does besides, and when, is Qt's own code: so events are delivered, and
// signals emitted, in Qt's order.
//
// A thread that wakes the loop first makes visible what it did (appends an event, sets a flag), and then
// changes the state. The loop first sets Waiting, and then looks whether there is anything to do
// (GLib), or looks at the state alone (UNIX: there, whatever was done before the last look made it
// Woken). Both changes are read-modify-writes of one variable, so one comes first:
//
// - wakeUp() first: the loop finds Woken, and does not sleep. It reads what wakeUp() wrote, or
//   what others wrote on top of it, so it sees what was done, too (acquire and release; all that
//   others do in between are read-modify-writes, which continue the release sequence). That is
//   why wakeUp() must not return because it sees Woken: the loop may have taken that back.
// - the loop first: wakeUp() finds Waiting, and signals. The threads that call it after that need
//   not: the loop will be awake. If it wakes for another reason before the signal is sent, that is one
//   too many: the next poll() returns at once.
//
// So a wake-up can be lost in one way only: by a loop that sleeps without a beginWait() that has
// just returned false, or that takes back Woken without looking at everything before it next sleeps.
//
// - Waiting may last longer than the loop waits. That costs a signal, no more.
// - endWait() leaves Woken: GLib's sources look one after the other, and one that has looked already
//   may be what the second wakeUp() was for. The next turn does not sleep then. The first one's signal
//   comes before that look, or makes the next poll() return; so Signalled need not be left.
// - endTurn() takes it: after its poll the UNIX dispatcher looks at everything in the next turn, before
//   it sleeps. It must not be called if poll() did not return for a file descriptor: the eventfd is not
//   read then.
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
    // before: it must not sleep then. Otherwise it may, until endWait(); nothing is lost if it
    // does not after all.
    static bool beginWait(QBasicAtomicInt &state) noexcept
    {
        // It stays Awake then: who asks from now on need not signal.
        const bool woken = isWoken(state.loadRelaxed());
        return isWoken(state.fetchAndStoreOrdered(woken ? Awake : Waiting)) || woken;
    }

    // After the sleep, before anything is done.
    static void endWait(QBasicAtomicInt &state) noexcept
    {
        int now = state.loadAcquire();
        while (now >= Waiting && !state.testAndSetOrdered(now, Awake, now)) { }
    }

    // After the sleep, where all that the loop was woken for is looked at in the next turn. Returns
    // true if it was woken by wakeUp().
    static bool endTurn(QBasicAtomicInt &state) noexcept
    {
        return isWoken(state.fetchAndStoreOrdered(Awake));
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
