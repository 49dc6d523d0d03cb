// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLMUTEX_H
#define QPOOLMUTEX_H

#include "qpoolos.h"

#include <atomic>

#if defined(QPOOL_FREESTANDING)
// no thread library
#elif defined(_WIN32)
#  include <mutex>
#else
#  include <pthread.h>
#endif

QPOOL_BEGIN_NAMESPACE

// For fork handlers of a pool whose lock is not a Mutex.
template <class Lock>
void lockToFork(Lock &lock) noexcept { lock.lock(); }
template <class Lock>
void unlockAfterFork(Lock &lock) noexcept { lock.unlock(); }

#ifndef QPOOL_FREESTANDING
/*
    A mutex that a thread takes before it calls fork(), and that this thread may use meanwhile as if
    it were free: fork handlers of other libraries, which run while it is held, allocate and free.
    It guards no half-done change then, because the thread took it before it began anything.

    fork() may also be called by a signal handler, which may have interrupted anything. The only
    thread of a process therefore takes nothing before it forks: a lock that is held is held by this
    thread itself, further up its stack. To wait for it would be to wait for ever. The child is a copy
    of this stack: if its handler returns, it goes on with the change and unlocks. As in the C
    library's own fork(), a process that once had more threads counts as one that has, and there the
    handler must not have interrupted a thread that holds the lock.

    A signal may also interrupt fork() itself, between the handlers before and after it. The inner
    fork() then finds the mutex held for the outer one; only the outer one's handlers release it.

    Not std::mutex on POSIX systems: its lock() needs the C++ library to throw, and the malloc front
    is loaded into programs without that library.

    Invariants
    - m_forking is non-null only while the mutex is held for a fork, and then only the thread that it
      identifies gets past lock() or try_lock(). unlock() therefore need not check which thread calls.
      Relaxed: a thread sees its own stores in order, and any other thread finds either null or a
      value that is not its own.
    - m_nested is how often that thread called lockToFork() again without unlockAfterFork(). Only
      that thread accesses it. A handler that interrupts such a call leaves it as it was.
    - unlockAfterFork() releases what the same call of fork() took and nothing else, whether another
      thread was started or ended meanwhile.
*/
class Mutex
{
public:
#if defined(_WIN32)
    Mutex() = default; // not constexpr in all C++ libraries of Windows
#else
    constexpr Mutex() = default;
#endif
    Mutex(const Mutex &) = delete;
    Mutex &operator=(const Mutex &) = delete;

    void lock() noexcept
    {
        if (QPOOL_LIKELY(!isHeldToFork()))
            lockSystem();
    }

    bool try_lock() noexcept { return isHeldToFork() || tryLockSystem(); }

    void unlock() noexcept
    {
        if (QPOOL_LIKELY(!m_forking.load(std::memory_order_relaxed)))
            unlockSystem();
    }

    void lockToFork() noexcept
    {
        if (isHeldToFork()) {
            ++m_nested;
        } else if (!Os::isSingleThreaded()) {
            lockSystem();
            m_forking.store(&s_self, std::memory_order_relaxed);
        }
    }

    void unlockAfterFork() noexcept
    {
        if (!isHeldToFork())
            return;
        if (m_nested > 0) {
            --m_nested;
            return;
        }
        m_forking.store(nullptr, std::memory_order_relaxed);
        unlockSystem();
    }

    // Whether the calling thread holds it for a fork. In the child, before unlockAfterFork(): whether
    // other threads may have been at work when their process forked.
    bool isHeldToFork() const noexcept
    {
        const char *forking = m_forking.load(std::memory_order_relaxed);
        return QPOOL_UNLIKELY(forking) && forking == &s_self;
    }

private:
#if defined(_WIN32)
    void lockSystem() { m_mutex.lock(); }
    bool tryLockSystem() { return m_mutex.try_lock(); }
    void unlockSystem() { m_mutex.unlock(); }
    std::mutex m_mutex;
#else
    void lockSystem() noexcept { pthread_mutex_lock(&m_mutex); }
    bool tryLockSystem() noexcept { return pthread_mutex_trylock(&m_mutex) == 0; }
    void unlockSystem() noexcept { pthread_mutex_unlock(&m_mutex); }
#  if defined(PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP)
    // A thread that finds it locked tries for a moment before it sleeps: what it guards takes less time than that.
    pthread_mutex_t m_mutex = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
#  else
    pthread_mutex_t m_mutex = PTHREAD_MUTEX_INITIALIZER;
#  endif
#endif
    std::atomic<const char *> m_forking { nullptr };
    unsigned m_nested = 0;

    // Its address identifies the thread.
    static inline QPOOL_THREAD_LOCAL char s_self QPOOL_TLS_MODEL = 0;
};

inline void lockToFork(Mutex &mutex) noexcept { mutex.lockToFork(); }
inline void unlockAfterFork(Mutex &mutex) noexcept { mutex.unlockAfterFork(); }
#endif // QPOOL_FREESTANDING

QPOOL_END_NAMESPACE

#endif // QPOOLMUTEX_H
