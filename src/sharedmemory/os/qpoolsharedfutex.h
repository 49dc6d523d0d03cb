// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSHAREDFUTEX_H
#define QPOOLSHAREDFUTEX_H

#include "../../allocator/qpoolglobal.h"

#include <atomic>

// Sleeping until a word changes that several processes have mapped. Linux has a system call for it;
// elsewhere the sleeper checks again after a moment, and waking does nothing. qpoolfutex.h is for
// threads of one process, for which the system call is faster.

QPOOL_BEGIN_NAMESPACE

namespace Os {

// Sleeps while the lower half of \a word is \a expected: until sharedFutexWake(), for at most
// \a nanoseconds, or until a spurious wake-up. Returns false if the time is over. Comparing and
// falling asleep are atomic with respect to sharedFutexWake(). No ordering.
bool sharedFutexWait(const std::atomic<std::uint64_t> &word, std::uint32_t expected,
                     std::int64_t nanoseconds) noexcept;

// Wakes one thread of any process that sleeps on \a word.
void sharedFutexWake(const std::atomic<std::uint64_t> &word) noexcept;

} // namespace Os

QPOOL_END_NAMESPACE

#endif // QPOOLSHAREDFUTEX_H
