// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolsharedfutex.h"

#if defined(__linux__)
#  include "qpoolunix.h"

#  include <linux/futex.h>
#  include <linux/types.h>
#  include <sys/syscall.h>
#  include <unistd.h>
#else
#  include <chrono>
#  include <thread>
#endif

QPOOL_BEGIN_NAMESPACE

namespace Os {

#if defined(__linux__)

static_assert(sizeof(std::atomic<std::uint64_t>) == 8, "the system looks at the word itself");

// The system compares 32 bits.
static const void *lowerHalf(const std::atomic<std::uint64_t> &word) noexcept
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return reinterpret_cast<const char *>(&word) + 4;
#else
    return &word;
#endif
}

bool sharedFutexWait(const std::atomic<std::uint64_t> &word, std::uint32_t expected,
                     std::int64_t nanoseconds) noexcept
{
    constexpr std::int64_t second = 1000000000;
    const KeptErrno kept;
#if defined(SYS_futex)
    // The system's own structure of a time, which need not be the C library's.
    struct
    {
        __kernel_long_t seconds;
        __kernel_long_t nanoseconds;
    } const time = { __kernel_long_t(nanoseconds / second), __kernel_long_t(nanoseconds % second) };
    return syscall(SYS_futex, lowerHalf(word), FUTEX_WAIT, expected, &time, nullptr, 0) == 0
            || errno != ETIMEDOUT;
#else
    const std::int64_t time[2] = { nanoseconds / second, nanoseconds % second };
    return syscall(SYS_futex_time64, lowerHalf(word), FUTEX_WAIT, expected, time, nullptr, 0) == 0
            || errno != ETIMEDOUT;
#endif
}

void sharedFutexWake(const std::atomic<std::uint64_t> &word) noexcept
{
    const KeptErrno kept;
#if defined(SYS_futex)
    syscall(SYS_futex, lowerHalf(word), FUTEX_WAKE, 1, nullptr, nullptr, 0);
#else
    syscall(SYS_futex_time64, lowerHalf(word), FUTEX_WAKE, 1, nullptr, nullptr, 0);
#endif
}

#else

bool sharedFutexWait(const std::atomic<std::uint64_t> &word, std::uint32_t expected,
                     std::int64_t nanoseconds) noexcept
{
    constexpr std::int64_t moment = 1000000;
    if (std::uint32_t(word.load(std::memory_order_relaxed)) != expected)
        return true;
    std::this_thread::sleep_for(std::chrono::nanoseconds(nanoseconds < moment ? nanoseconds : moment));
    return std::uint32_t(word.load(std::memory_order_relaxed)) != expected;
}

void sharedFutexWake(const std::atomic<std::uint64_t> &) noexcept { }

#endif

} // namespace Os

QPOOL_END_NAMESPACE
