// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolsharedfutex.h"

#if defined(__linux__)
#  include "../../allocator/os/qpoolfutexcall.h"
#  include "../../allocator/os/qpoolunix.h"
#else
#  include <chrono>
#  include <thread>
#endif

QPOOL_BEGIN_NAMESPACE

namespace Os {

#if defined(__linux__)

static_assert(sizeof(std::atomic<std::uint64_t>) == 8, "the system looks at the word itself");

// The system call compares 32 bits.
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
    const KeptErrno kept;
    return futexWaitCall(lowerHalf(word), FUTEX_WAIT, expected, nanoseconds) == 0
            || errno != ETIMEDOUT;
}

void sharedFutexWake(const std::atomic<std::uint64_t> &word) noexcept
{
    const KeptErrno kept;
    futexWakeCall(lowerHalf(word), FUTEX_WAKE);
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
