// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLFUTEX_H
#define QPOOLFUTEX_H

#include "../../allocator/qpoolglobal.h"

#include <atomic>

// Sleeping until a word changes. Linux has a system call for it, Windows a function; elsewhere, or
// with QPOOL_NO_FUTEX, mutexes and condition variables implement it. For threads of one process.

QPOOL_BEGIN_NAMESPACE

namespace Os {

static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t)
              && std::atomic<std::uint32_t>::is_always_lock_free,
              "the system looks at the word itself");

inline constexpr std::int64_t Forever = -1;

// Sleeps while \a word is \a expected: until futexWake(), for at most \a nanoseconds, or until a
// spurious wake-up, so the caller must check the word again, and the clock. Returns at once if the
// word has another value already: comparing it and falling asleep are atomic with respect to
// futexWake(). No ordering: the caller synchronises by loading the word.
void futexWait(const std::atomic<std::uint32_t> &word, std::uint32_t expected,
               std::int64_t nanoseconds = Forever) noexcept;

// Wakes a thread that sleeps on \a word, which the caller has changed before; more than one thread
// where there is no futex. Uses only the address, so the word may no longer exist.
void futexWake(const std::atomic<std::uint32_t> &word) noexcept;

} // namespace Os

QPOOL_END_NAMESPACE

#endif // QPOOLFUTEX_H
