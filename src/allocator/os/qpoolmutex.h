// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLMUTEX_H
#define QPOOLMUTEX_H

#include "../qpoolglobal.h"

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

    Not std::mutex on POSIX systems: its lock() needs the C++ library to throw, and the malloc front
    is loaded into programs without that library.

    Invariant: m_forking is non-null only while the mutex is held for a fork, and then only the
    thread that it identifies gets past lock() or try_lock(). unlock() therefore need not check
    which thread calls. Relaxed: a thread sees its own stores in order, and any other thread finds
    either null or a value that is not its own.
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
        lockSystem();
        m_forking.store(&s_self, std::memory_order_relaxed);
    }

    void unlockAfterFork() noexcept
    {
        m_forking.store(nullptr, std::memory_order_relaxed);
        unlockSystem();
    }

private:
    // Whether the calling thread holds it for a fork.
    bool isHeldToFork() const noexcept
    {
        const char *forking = m_forking.load(std::memory_order_relaxed);
        return QPOOL_UNLIKELY(forking) && forking == &s_self;
    }

#if defined(_WIN32)
    void lockSystem() { m_mutex.lock(); }
    bool tryLockSystem() { return m_mutex.try_lock(); }
    void unlockSystem() { m_mutex.unlock(); }
    std::mutex m_mutex;
#else
    void lockSystem() noexcept { pthread_mutex_lock(&m_mutex); }
    bool tryLockSystem() noexcept { return pthread_mutex_trylock(&m_mutex) == 0; }
    void unlockSystem() noexcept { pthread_mutex_unlock(&m_mutex); }
    pthread_mutex_t m_mutex = PTHREAD_MUTEX_INITIALIZER;
#endif
    std::atomic<const char *> m_forking { nullptr };

    // Its address identifies the thread.
    static inline QPOOL_THREAD_LOCAL char s_self QPOOL_TLS_MODEL = 0;
};

inline void lockToFork(Mutex &mutex) noexcept { mutex.lockToFork(); }
inline void unlockAfterFork(Mutex &mutex) noexcept { mutex.unlockAfterFork(); }
#endif // QPOOL_FREESTANDING

QPOOL_END_NAMESPACE

#endif // QPOOLMUTEX_H
