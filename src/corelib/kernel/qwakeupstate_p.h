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

#include <pthread.h>

QT_BEGIN_NAMESPACE

// Decides whether wakeUp() must signal the loop, which takes a system call, or whether the loop will look
// for work by itself before it sleeps.
//
// One variable, in one of four states:
//
//   Awake      the loop is running, and no thread has called wakeUp() since it last began a wait
//   Woken      a thread has called wakeUp(): the next wait must not sleep
//   Waiting    the loop has begun a wait, and sleeps or is about to
//   Signalled  one thread has called wakeUp() since, and no other after it: the signal, which makes
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
// The state replaces stock Qt's eventfd, which is readable when the state is Woken, and so ends the next
// poll at once. Everything else that a loop does is Qt's own code: so events are delivered, and signals
// emitted, in Qt's order.
//
// A thread that wakes the loop first makes its work visible (appends an event, sets a flag), and then
// changes the state. The loop first sets Waiting, and then checks whether there is work (GLib), or checks
// the state alone (UNIX: there, all work before the last check made the state Woken). Both changes are
// read-modify-writes of one variable, so one of them comes first:
//
// - wakeUp() first: the loop finds Woken, and does not sleep. It reads the value that wakeUp() wrote, or
//   one that other threads wrote after it, so it sees the work, too (acquire and release; the other
//   threads' changes in between are all read-modify-writes, which continue the release sequence). For this
//   reason wakeUp() must not return early if it sees Woken: the loop may have reset the state since.
// - the loop first: wakeUp() finds Waiting, and signals. Threads that call it after that need not signal:
//   the loop will be awake. If the loop wakes for another reason before the signal is sent, the signal is
//   superfluous, and makes the next poll() return at once.
//
// So a wake-up can be lost in one way only: by a loop that sleeps without a beginWait() that has just
// returned false, or that resets Woken and does not check for all work before it next sleeps.
//
// - Waiting may last longer than the loop waits. That costs a signal, no more.
// - endWait() keeps Woken: GLib checks its sources one after the other, and the second wakeUp() may have
//   been for a source that was checked already. Then the next turn does not sleep. The signal of the first
//   wakeUp() comes before that check, or makes the next poll() return; so endWait() need not keep
//   Signalled.
// - endTurn() resets Woken: after its poll the UNIX dispatcher checks for all work in the next turn, before
//   it sleeps. It must not be called if poll() did not return for a file descriptor, because then the
//   eventfd is not read.
//
// None of this depends on which thread runs the loop, or on whether the loop is Qt's. A thread that posts
// to itself finds Awake; a signal handler that interrupts a thread in poll() finds Waiting, and signals.
// tests/auto/model/wakeups.pml checks it exhaustively.
class QWakeUpState
{
public:
    enum State : int { Awake, Woken, Waiting, Signalled };

    // Any thread and any signal handler may call it. Returns true if the caller must signal the loop.
    static bool wakeUp(QBasicAtomicInt &state) noexcept
    {
        if (state.loadRelaxed() == Waiting && state.testAndSetOrdered(Waiting, Signalled))
            return true;
        return state.fetchAndStoreOrdered(Woken) == Waiting;
    }

    // Only the thread that runs the loop calls the functions below, one thread at a time.

    // Called before the last check for work. Returns true if the loop was woken before: then it must not
    // sleep. Otherwise it may sleep, until endWait(); it need not.
    static bool beginWait(QBasicAtomicInt &state) noexcept
    {
        // If it was woken, the state becomes Awake: later callers of wakeUp() need not signal.
        const bool woken = isWoken(state.loadRelaxed());
        return isWoken(state.fetchAndStoreOrdered(woken ? Awake : Waiting)) || woken;
    }

    // Called after the sleep, before any work.
    static void endWait(QBasicAtomicInt &state) noexcept
    {
        int now = state.loadAcquire();
        while (now >= Waiting && !state.testAndSetOrdered(now, Awake, now)) { }
    }

    // Called after the sleep by a loop that checks for all work in the next turn. Returns true if
    // wakeUp() woke it.
    static bool endTurn(QBasicAtomicInt &state) noexcept
    {
        return isWoken(state.fetchAndStoreOrdered(Awake));
    }

    // Resets Waiting if neither endWait() nor endTurn() did: the loop did not sleep, or did not check
    // for a wake-up after the sleep.
    static void abandonWait(QBasicAtomicInt &state) noexcept
    {
        if (state.loadRelaxed() == Waiting)
            state.testAndSetRelaxed(Waiting, Awake);
    }

private:
    static bool isWoken(int state) noexcept { return state == Woken || state == Signalled; }
};

// Exists while a thread signals. The system call is a cancellation point: a thread that ended in it, by
// QThread::terminate(), would leave the loop asleep, because others find Signalled and rely on it.
class QWakeUpSignal
{
public:
#if defined(PTHREAD_CANCEL_DISABLE) // not on Android
    QWakeUpSignal() noexcept { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &m_before); }
    ~QWakeUpSignal() { pthread_setcancelstate(m_before, nullptr); }
#else
    QWakeUpSignal() noexcept { }
    ~QWakeUpSignal() { }
#endif
    Q_DISABLE_COPY_MOVE(QWakeUpSignal)

private:
    [[maybe_unused]] int m_before = 0;
};

QT_END_NAMESPACE

#endif // QWAKEUPSTATE_P_H
