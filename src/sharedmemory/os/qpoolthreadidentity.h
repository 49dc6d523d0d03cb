// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLTHREADIDENTITY_H
#define QPOOLTHREADIDENTITY_H

#include "../../allocator/qpoolglobal.h"

QPOOL_BEGIN_NAMESPACE

namespace Os {

/*
    A number that identifies a thread for all processes of the machine, now and later: the system's
    number of the thread in the lower half, and its start time in the upper half, because systems
    reuse the numbers. It fits one atomic word, so the holder of a lock that contains it is known
    from the very step that takes the lock, and no process can be killed between taking a lock and
    recording the holder.

    Never zero, and without the bit Flag, which code that keeps the number in a word may use.
    Threads that different processes see by different numbers, because they are in other namespaces
    (Linux), cannot share locks: see surroundings().
*/
class ThreadIdentity
{
public:
    using Number = std::uint64_t;
    static constexpr Number Flag = Number(1) << 31;

    // The calling thread's number. A child of fork() has another one than its parent.
    QPOOL_ALWAYS_INLINE static Number current() noexcept
    {
        const Number number = s_current;
        return QPOOL_LIKELY(number) ? number : find();
    }

    // Whether the thread may still run. A process that has ended but was not waited for does not
    // run any more. Returns true if the system cannot tell.
    static bool isAlive(Number number) noexcept;

    // The same value in two processes that see each other's threads by the same numbers and start
    // times.
    static std::uint64_t surroundings() noexcept;

private:
    static Number find() noexcept;
    static void forget() noexcept;

    static inline QPOOL_THREAD_LOCAL Number s_current QPOOL_TLS_MODEL = 0;
};

} // namespace Os

QPOOL_END_NAMESPACE

#endif // QPOOLTHREADIDENTITY_H
