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
// One variable, in one of three states:
//
//   Awake    the loop is running, and nobody asked for anything since it last began to look
//   Woken    somebody did: the loop is not to sleep before it has looked at everything again
//   Waiting  the loop has looked, found nothing, and sleeps or is about to
//
//                         anyone: wakeUp()                 loop: wait begins
//                 Awake ─────────────────► Woken ──────────────────────────► Awake, don't sleep
//   loop: wait    ▲   │                      ▲
//         ends    │   │ loop: wait begins    │ anyone: wakeUp(), and a signal: an eventfd
//                 │   ▼                      │ that makes the poll() return
//                 Waiting ───────────────────┘
//
// Who asks first makes his wish visible (puts an event into the list, sets a flag), then sets
// Woken. Who is to sleep first sets Waiting, and then looks whether there is anything, the
// state included. Both are read-modify-writes of one variable, so one of them comes first:
//
// - wakeUp() first: the loop finds Woken, and does not sleep. It reads what wakeUp() wrote, or
//   what others wrote on top of it, so it sees the wish too (acquire and release; later
//   read-modify-writes continue the release sequence, which is why nobody may do with a load).
// - the loop first: wakeUp() finds Waiting, and signals. Of several that ask at once only the
//   first does so; for the others the loop is as good as awake. If the loop should have woken
//   for another reason meanwhile, the signal is one too many: the next poll() returns at once.
//
// So a wake-up can be lost in one way only: by a loop that sleeps without having set Waiting
// since it last left it, or by taking back Woken and not looking at everything afterwards.
//
// - Waiting may be set longer than the loop waits: that costs a signal, no more.
// - Only beginWait() and endWait() take back Woken, and both tell. Their callers then look at
//   everything, or make the loop do so, before the next beginWait().
//
// None of this asks which thread runs the loop, or whether the loop is Qt's. A thread that posts
// to itself finds Awake; a signal handler that interrupts a thread in poll() finds Waiting, and
// signals. tests/auto/model/wakeups.pml checks this exhaustively.
class QWakeUpState
{
public:
    enum State : int { Awake, Woken, Waiting };

    // By any thread; may be called in a signal handler. Returns true if the loop must be
    // signalled.
    static bool wakeUp(QBasicAtomicInt &state) noexcept
    {
        return state.fetchAndStoreOrdered(Woken) == Waiting;
    }
};

// The loop's side: one wait, from before the last look to after the sleep. Used by one thread
// at a time, the one that runs the loop.
class QWakeUpWait
{
public:
    // To be called before the last look whether there is anything to do. Returns true if the
    // loop was woken since it last was told so: it must not sleep then. Otherwise it may, until
    // endWait(); and if it does not after all, nothing is lost.
    bool beginWait(QBasicAtomicInt &state) noexcept
    {
        if (state.loadRelaxed() == QWakeUpState::Woken) {
            // Only the loop leaves Woken. It stays Awake: who asks from now on need not signal.
            m_waiting = false;
            state.fetchAndStoreOrdered(QWakeUpState::Awake);
            return true;
        }
        m_waiting = true;
        return state.fetchAndStoreOrdered(QWakeUpState::Waiting) == QWakeUpState::Woken;
    }

    // To be called after the sleep, before anything is done. Returns true if the loop was woken
    // by wakeUp(). What was asked for outside of a wait is left for the next beginWait(): no
    // signal was sent for it, so who looks only after a poll() has not been told yet.
    bool endWait(QBasicAtomicInt &state) noexcept
    {
        if (!m_waiting)
            return false;
        m_waiting = false;
        return state.fetchAndStoreOrdered(QWakeUpState::Awake) == QWakeUpState::Woken;
    }

    // The loop did not sleep, or was not asked when it woke. Takes back no Woken.
    void abandonWait(QBasicAtomicInt &state) noexcept
    {
        if (!m_waiting)
            return;
        m_waiting = false;
        state.testAndSetRelaxed(QWakeUpState::Waiting, QWakeUpState::Awake);
    }

private:
    bool m_waiting = false;
};

QT_END_NAMESPACE

#endif // QWAKEUPSTATE_P_H
