// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLFUTEX_H
#define QPOOLFUTEX_H

#include "../qpoolglobal.h"

#include <atomic>

// Sleeping until a word changes. Linux has a system call for it, Windows a function; elsewhere, or
// with QPOOL_NO_FUTEX, it is made of mutexes and condition variables. For threads of one process.

QPOOL_BEGIN_NAMESPACE

namespace Os {

static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t)
              && std::atomic<std::uint32_t>::is_always_lock_free,
              "the system looks at the word itself");

inline constexpr std::int64_t Forever = -1;

// Sleeps while \a word is \a expected: until futexWake(), for \a nanoseconds at the most, or until
// the system has some other reason, so the caller looks at the word again, and at the clock. Returns at
// once if the word is another already: comparing it and falling asleep are one step to futexWake().
// No ordering: what the caller is to see it sees by loading the word.
void futexWait(const std::atomic<std::uint32_t> &word, std::uint32_t expected,
               std::int64_t nanoseconds = Forever) noexcept;

// Wakes a thread that sleeps on \a word, which the caller has changed before; more than one where
// there is no futex. Looks at the address alone, so the word may be gone by now.
void futexWake(const std::atomic<std::uint32_t> &word) noexcept;

} // namespace Os

QPOOL_END_NAMESPACE

#endif // QPOOLFUTEX_H
