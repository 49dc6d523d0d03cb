// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

// The robust mutex of the system, in a segment's lock.

#include "qpoolsharedlock.h"

#include "../allocator/os/qpoolspin.h"

#include <cstring>

#if defined(__linux__) || defined(__FreeBSD__)
#  define QPOOL_HAS_ROBUST_MUTEX
#  include <cerrno>
#  include <pthread.h>
#  include <time.h>
#  if defined(__has_feature)
#    if __has_feature(thread_sanitizer)
#      define QPOOL_UNDER_TSAN
#    endif
#  elif defined(__SANITIZE_THREAD__)
#    define QPOOL_UNDER_TSAN
#  endif
#  if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#    if __GLIBC_PREREQ(2, 30)
#      define QPOOL_HAS_CLOCKLOCK
#    endif
#  endif
#endif

QPOOL_BEGIN_NAMESPACE

#if defined(QPOOL_HAS_ROBUST_MUTEX)

namespace {

static_assert(sizeof(pthread_mutex_t) <= sizeof(SharedLockState::mutex)
              && alignof(pthread_mutex_t) <= 16);

pthread_mutex_t *mutexOf(SharedLockState &state) noexcept
{
    return reinterpret_cast<pthread_mutex_t *>(state.mutex);
}

bool initialise(pthread_mutex_t *mutex) noexcept
{
    pthread_mutexattr_t attributes;
    if (pthread_mutexattr_init(&attributes) != 0)
        return false;
    const bool done = pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED) == 0
            && pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0
            && pthread_mutex_init(mutex, &attributes) == 0;
    pthread_mutexattr_destroy(&attributes);
    return done;
}

// A sleep is at most a twentieth of a second: see SharedLock.
constexpr long Moment = 50000000; // ns
constexpr unsigned Spins = 50; // before a waiter sleeps

#if defined(QPOOL_UNDER_TSAN)

// ThreadSanitizer does not see that a timed call took the mutex from a dead thread, and reports the
// unlock.
int lockForMoment(pthread_mutex_t *mutex) noexcept
{
    constexpr long Nap = 1000000;
    for (long waited = 0; waited < Moment; waited += Nap) {
        const int result = pthread_mutex_trylock(mutex);
        if (result != EBUSY)
            return result;
        const timespec nap { 0, Nap };
        nanosleep(&nap, nullptr);
    }
    return ETIMEDOUT;
}

#else

int lockForMoment(pthread_mutex_t *mutex) noexcept
{
#if defined(QPOOL_HAS_CLOCKLOCK)
    constexpr clockid_t clock = CLOCK_MONOTONIC;
#else
    constexpr clockid_t clock = CLOCK_REALTIME;
#endif
    timespec until;
    clock_gettime(clock, &until);
    until.tv_nsec += Moment;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        ++until.tv_sec;
    }
#if defined(QPOOL_HAS_CLOCKLOCK)
    return pthread_mutex_clocklock(mutex, clock, &until);
#else
    return pthread_mutex_timedlock(mutex, &until);
#endif
}

#endif

} // namespace

bool SharedLock::create(SharedLockState &state, SharedLockKind kind) noexcept
{
    return kind != SharedLockKind::Robust || initialise(mutexOf(state));
}

bool SharedLock::isSound([[maybe_unused]] const SharedLockState &state,
                         [[maybe_unused]] SharedLockKind kind) noexcept
{
#if defined(__GLIBC__)
    // The C library trusts the mutex's kind, and some kinds make other system calls.
    if (kind == SharedLockKind::Robust) {
        pthread_mutex_t sample;
        pthread_mutex_t its;
        std::memcpy(&its, state.mutex, sizeof its);
        return initialise(&sample) && its.__data.__kind == sample.__data.__kind;
    }
#endif
    return true;
}

SharedLock::Result SharedLock::lockMutex(SharedLockState &state, std::int64_t milliseconds) noexcept
{
    pthread_mutex_t *const mutex = mutexOf(state);
    int result = pthread_mutex_trylock(mutex);
    for (unsigned attempt = 0; attempt < Spins && result == EBUSY; ++attempt) {
        Detail::spinOnce();
        result = pthread_mutex_trylock(mutex);
    }
    for (std::int64_t waited = 0; result == EBUSY || result == ETIMEDOUT; waited += 50) {
        if (milliseconds >= 0 && waited >= milliseconds)
            return Result::TimedOut;
        result = lockForMoment(mutex);
    }
    if (result == 0)
        return Result::Acquired;
    if (result != EOWNERDEAD)
        return Result::Failed;
    // Immediately: the metadata, not the mutex, shows what is to be repaired, and a mutex that is
    // unlocked without this call is lost for good. A thread that is killed before the call leaves
    // it as it was.
    SharedSteps::step();
    pthread_mutex_consistent(mutex);
    return Result::FromDead;
}

void SharedLock::unlockMutex(SharedLockState &state) noexcept
{
    pthread_mutex_unlock(mutexOf(state));
}

#else

bool SharedLock::create(SharedLockState &, SharedLockKind kind) noexcept
{
    return kind != SharedLockKind::Robust;
}

bool SharedLock::isSound(const SharedLockState &, SharedLockKind kind) noexcept
{
    return kind != SharedLockKind::Robust;
}

SharedLock::Result SharedLock::lockMutex(SharedLockState &, std::int64_t) noexcept
{
    return Result::Failed;
}

void SharedLock::unlockMutex(SharedLockState &) noexcept { }

#endif

QPOOL_END_NAMESPACE
