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

#include <mutex>

QT_BEGIN_NAMESPACE

// How a thread's list of posted events is locked. Who posts and who delivers meet there, holding
// the lock for some nanoseconds each, once for every event. QMutex puts the one who comes second
// to sleep, and has the other wake him: two system calls and a change of threads, for a wait of
// nanoseconds. So he tries again for a microsecond or two, ever more rarely, and only then does
// that. Less processor time is spent in all, too: doc/wakeups.md has the figures.
namespace QPostedEventLock {

inline void relaxProcessor() noexcept
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

inline void lock(std::unique_lock<QMutex> &lock)
{
    for (int pause = 1; pause <= 64; pause *= 2) {
        if (lock.try_lock())
            return;
        for (int i = 0; i < pause; ++i)
            relaxProcessor();
    }
    lock.lock();
}

inline std::unique_lock<QMutex> lock(QMutex &mutex)
{
    std::unique_lock<QMutex> result(mutex, std::defer_lock);
    lock(result);
    return result;
}

} // namespace QPostedEventLock

QT_END_NAMESPACE

#endif // QPOSTEDEVENTLOCK_P_H
