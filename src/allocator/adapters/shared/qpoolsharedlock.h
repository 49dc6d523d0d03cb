// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSHAREDLOCK_H
#define QPOOLSHAREDLOCK_H

#include "qpoolsharedheader.h"

QPOOL_BEGIN_NAMESPACE

// "none", "spin", "futex" or "robust"; "?" for what is none of them.
const char *lockName(SharedLockKind kind) noexcept;

/*
    The lock of a segment, whose holder may be killed at any moment.

    word names the holder of every kind (None and Robust included, whose lock it is not), by a number
    that no other thread ever has. So a thread knows that it holds the lock already, and a survivor whom
    to ask the system about. Invariants:

      word, Spin and Futex: only a compare-exchange from zero, or from the number of a thread that the
        system says is dead, makes it a number; only its holder makes it zero. Acquire and release: who
        takes it sees all that the holder before did. Of a dead holder the same is true without a
        release: the system is told of a death after the last store.
      word, Robust: written by the mutex's holder. Relaxed: a thread finds its own number there only if
        it put it there itself.
      Flag, Futex: whoever sleeps has seen it set in the word it went to sleep on; who takes the lock
        after having slept sets it, for there may be others. So the holder that gives the lock back
        finds it if anybody sleeps, and makes a system call only then.
      waking, Futex: a sleeper was woken and has not tried yet: no need to wake another, the first sets
        Flag again. It is reset before the woken thread looks at word; the holder looks at it after its
        exchange of word, which is acq_rel: if it finds Flag, as set after the reset, it finds the reset.
        A stale one costs a sleeper one turn, no more.

    No sleep is longer than a twentieth of a second. So whatever a killed process leaves undone, a wake-up
    that it owed or the flag that it should have reset, the others find out for themselves. That is true
    of the robust mutex, too: a thread that is killed between its unlock and its wake-up, while another
    takes the mutex, leaves sleepers whom nobody knows of.

    The economical wake-up is Drepper's ("Futexes Are Tricky", 2004); that one who is on the way is enough
    is from WebKit's and Go's locks.
*/
class SharedLock
{
public:
    enum class Result {
        Acquired,
        FromDead, // its holder was killed while it held it
        TimedOut,
        Failed // the system's mutex is of no more use
    };
    static constexpr std::int64_t Forever = -1;

    // Whether the system has such a lock; and makes it, in zeroed memory.
    static bool create(SharedLockState &state, SharedLockKind kind) noexcept;
    // Of a state that somebody else wrote: whether trying to lock it is safe.
    static bool isSound(const SharedLockState &state, SharedLockKind kind) noexcept;

    static bool isHeldBy(const SharedLockState &state, std::uint64_t self) noexcept
    {
        return (state.word.load(std::memory_order_relaxed) & ~Flag) == self;
    }

    // \a self is the calling thread's number, and it does not hold the lock.
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
