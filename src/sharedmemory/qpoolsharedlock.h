// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSHAREDLOCK_H
#define QPOOLSHAREDLOCK_H

#include "qpoolsharedheader.h"

QPOOL_BEGIN_NAMESPACE

// Returns "none", "spin", "futex" or "robust"; "?" for any other value.
const char *lockName(SharedLockKind kind) noexcept;

/*
    The lock of a segment, whose holder may be killed at any moment.

    For every kind, word identifies the holder (also for None and Robust, where it is not the lock
    itself), by a number that no other thread ever has. A thread therefore knows whether it holds
    the lock already, and a survivor knows which thread to ask the system about. Invariants:

    - word, Spin and Futex: only a compare-exchange from zero, or from the number of a thread that
      the system reports as dead, stores a number; only the holder stores zero. Acquire and release:
      a thread that takes the lock sees everything that the previous holder did. For a dead holder
      this is true without a release: the system reports a death after the last store. A thread of a
      process that has called exec() lives on, but the segment is no longer mapped there, so it is
      as good as dead. The new program finds the thread's number if it attaches the segment again:
      see wasAbandoned().
    - word, Robust: written by the mutex's holder. Relaxed: a thread finds its own number there only
      if it stored it itself.
    - Flag, Futex: a sleeper has seen it set in the word on which it went to sleep; a thread that
      takes the lock after a sleep sets it, because there may be other sleepers. So the holder finds
      it on release if any thread sleeps, and makes a system call only then.
    - waking, Futex: a sleeper was woken and has not tried yet: no other needs to be woken, because
      the first sets Flag again. It is reset before the woken thread reads word. The holder reads it
      after its exchange of word, which is acq_rel: if it finds Flag as set after the reset, it
      finds the reset. A stale value costs a sleeper one turn, no more.

    No sleep is longer than a twentieth of a second. So the others notice by themselves whatever a
    killed process leaves undone, a wake-up that it did not make or the flag that it did not reset.
    This is needed for the robust mutex, too: a thread that is killed between its unlock and its
    wake-up, while another takes the mutex, leaves sleepers that no thread knows of.

    The economical wake-up is Drepper's ("Futexes Are Tricky", 2004); that one woken thread at a
    time suffices is from WebKit's and Go's locks.
*/
class SharedLock
{
public:
    enum class Result {
        Acquired,
        FromDead, // its holder was killed while it held the lock
        TimedOut,
        Failed // the system's mutex is no longer usable
    };
    static constexpr std::int64_t Forever = -1;

    // For a process that has just mapped the segment, and so cannot hold the lock: if the calling
    // thread's number is in it, the thread was the holder before exec(). Then the thread takes the
    // lock as from a dead holder, unless another does first. Changes Flag, so that a thread that
    // looked for the mapping just before fails; a wrong Flag costs a wake-up, or a sleep of a
    // twentieth of a second. Robust: the system has released the mutex at exec(), and whoever takes
    // it is told so; only the number is removed.
    static bool wasAbandoned(SharedLockState &state, SharedLockKind kind, std::uint64_t self) noexcept;

    // Initialises the lock in zeroed memory; returns whether the system has this kind.
    static bool create(SharedLockState &state, SharedLockKind kind) noexcept;
    // For a state that another process wrote: whether trying to lock it is safe.
    static bool isSound(const SharedLockState &state, SharedLockKind kind) noexcept;

    static bool isHeldBy(const SharedLockState &state, std::uint64_t self) noexcept
    {
        return (state.word.load(std::memory_order_relaxed) & ~Flag) == self;
    }

    // \a self is the calling thread's number; the thread does not hold the lock.
    QPOOL_ALWAYS_INLINE static Result acquire(SharedLockState &state, SharedLockKind kind,
                                              std::uint64_t self,
                                              std::int64_t milliseconds = Forever) noexcept
    {
        if (QPOOL_LIKELY(kind == SharedLockKind::Futex || kind == SharedLockKind::Spin)) {
            std::uint64_t nobody = 0;
            if (QPOOL_LIKELY(state.word.compare_exchange_strong(
                        nobody, self, std::memory_order_acquire, std::memory_order_relaxed))) {
                SharedSteps::step();
                return Result::Acquired;
            }
        }
        return acquireSlow(state, kind, self, milliseconds);
    }

    QPOOL_ALWAYS_INLINE static void release(SharedLockState &state, SharedLockKind kind) noexcept
    {
        if (QPOOL_LIKELY(kind == SharedLockKind::Futex)) {
            const std::uint64_t word = state.word.exchange(0, std::memory_order_acq_rel);
            SharedSteps::step();
            if (QPOOL_UNLIKELY(word & Flag))
                wake(state);
            return;
        }
        state.word.store(0, std::memory_order_release);
        SharedSteps::step();
        if (kind == SharedLockKind::Robust)
            unlockMutex(state);
    }

private:
    static constexpr std::uint64_t Flag = Os::ThreadIdentity::Flag;

    // Whether the thread may still release the lock.
    static bool mayRelease(const SharedLockState &state, std::uint64_t holder) noexcept;
    static Result acquireSlow(SharedLockState &state, SharedLockKind kind, std::uint64_t self,
                              std::int64_t milliseconds) noexcept;
    static Result spin(SharedLockState &state, std::uint64_t self, std::int64_t milliseconds) noexcept;
    static Result sleep(SharedLockState &state, std::uint64_t self, std::int64_t milliseconds) noexcept;
    static Result lockMutex(SharedLockState &state, std::int64_t milliseconds) noexcept;
    static void unlockMutex(SharedLockState &state) noexcept;
    static void wake(SharedLockState &state) noexcept;
};

QPOOL_END_NAMESPACE

#endif // QPOOLSHAREDLOCK_H
