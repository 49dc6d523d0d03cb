// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOSTEDEVENTLOCK_P_H
#define QPOSTEDEVENTLOCK_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

#include <QtCore/qmutex.h>

#include <chrono>
#include <mutex>

QT_BEGIN_NAMESPACE

// How a thread's list of posted events is locked. The threads that post and the one that delivers
// each hold the lock for some nanoseconds, once for every event. If the lock is taken, QMutex puts the
// thread to sleep, and the other thread wakes it: two system calls and two context switches, for a wait
// of nanoseconds. So the thread first retries for a microsecond or two, at growing intervals.
//
// If two processors take the lock in turns, for one event each, they spend most of their time on
// transferring the list's cache lines. So a loop that finds the lock taken pauses for a moment, and then
// has more events to deliver undisturbed. It does so only while few events wait, because it must not fall
// behind for good. doc/maintainers.md has the measurements, and how much the pause may delay an event.
//
// Mutexes and the clock are template parameters for the test alone.
namespace QPostedEventLock {

inline constexpr std::chrono::microseconds RetryDelay { 10 };
inline constexpr qsizetype ManyEvents = 1024;

inline void relaxProcessor() noexcept
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

template <typename Mutex>
void lock(std::unique_lock<Mutex> &lock)
{
    for (int pause = 1; pause <= 64; pause *= 2) {
        if (lock.try_lock())
            return;
        for (int i = 0; i < pause; ++i)
            relaxProcessor();
    }
    lock.lock();
}

inline std::unique_lock<QMutex> lockToPost(QMutex &mutex)
{
    std::unique_lock<QMutex> result(mutex, std::defer_lock);
    lock(result);
    return result;
}

// \a behind is the number of events that wait to be delivered.
template <typename Clock = std::chrono::steady_clock, typename Mutex>
void lockToDeliver(std::unique_lock<Mutex> &toLock, qsizetype behind)
{
    if (toLock.try_lock())
        return;
    if (behind < ManyEvents) {
        const auto end = Clock::now() + RetryDelay;
        do {
            for (int i = 0; i < 16; ++i)
                relaxProcessor();
        } while (Clock::now() < end);
    }
    lock(toLock);
}

} // namespace QPostedEventLock

QT_END_NAMESPACE

#endif // QPOSTEDEVENTLOCK_P_H
