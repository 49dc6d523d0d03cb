// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLFUTEXCALL_H
#define QPOOLFUTEXCALL_H

#include "../qpoolglobal.h"

#include <linux/futex.h>
#include <linux/types.h>
#include <sys/syscall.h>
#include <unistd.h>

// Linux's system call, for qpoolfutex.cpp and qpoolsharedfutex.cpp: the C library has no function
// for it. The caller preserves errno.

QPOOL_BEGIN_NAMESPACE

namespace Os {

// FUTEX_WAIT or FUTEX_WAIT_PRIVATE; waits for ever if \a nanoseconds is negative.
inline long futexWaitCall(const void *word, int operation, std::uint32_t expected,
                          std::int64_t nanoseconds) noexcept
{
    constexpr std::int64_t second = 1000000000;
    constexpr std::int64_t most = 1 << 30; // seconds; a longer sleep ends early, as any may
    const std::int64_t seconds = nanoseconds / second;
#if defined(SYS_futex)
    // The system's own time structure. It is not the C library's where that has moved to 64 bits
    // and the system call has not.
    using Part = __kernel_long_t;
    constexpr long call = SYS_futex;
#else
    // New 32-bit systems have only the call with 64-bit times.
    using Part = std::int64_t;
    constexpr long call = SYS_futex_time64;
#endif
    struct
    {
        Part seconds;
        Part nanoseconds;
    } const time = { Part(seconds < most ? seconds : most), Part(nanoseconds % second) };
    return syscall(call, word, operation, expected, nanoseconds < 0 ? nullptr : &time, nullptr, 0);
}

// FUTEX_WAKE or FUTEX_WAKE_PRIVATE; wakes one thread.
inline void futexWakeCall(const void *word, int operation) noexcept
{
#if defined(SYS_futex)
    syscall(SYS_futex, word, operation, 1, nullptr, nullptr, 0);
#else
    syscall(SYS_futex_time64, word, operation, 1, nullptr, nullptr, 0);
#endif
}

} // namespace Os

QPOOL_END_NAMESPACE

#endif // QPOOLFUTEXCALL_H
