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

// How a thread's list of posted events is locked. Who posts and who delivers meet there, holding
// the lock for some nanoseconds each, once for every event. QMutex puts the one who comes second
// to sleep, and has the other wake him: two system calls and a change of threads, for a wait of
// nanoseconds. So he tries again for a microsecond or two, ever more rarely, and only then does
// that.
//
// If two processors take the lock by turns, an event each, they spend most of their time on
// passing the list's memory to and fro. So a loop that finds the list locked leaves it to those
// who post for a moment, and has the more to deliver undisturbed then. It does so only while not
// many events wait: it must not fall behind for good. doc/wakeups.md has the figures, and how much
// later an event may be delivered for it.
//
// Mutexes and the clock are template parameters for the test alone.
namespace QPostedEventLock {

inline constexpr std::chrono::microseconds Patience { 10 };
inline constexpr qsizetype Many = 1024;

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
    if (behind < Many) {
        const auto end = Clock::now() + Patience;
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
