// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLTHREADIDENTITY_H
#define QPOOLTHREADIDENTITY_H

#include "../qpoolglobal.h"

QPOOL_BEGIN_NAMESPACE

namespace Os {

/*
    A number that names a thread to all processes of the machine, now and later: the system's number
    of the thread in the lower half, and when it was started in the upper, because systems use the
    former again. It fits one atomic word, so who takes a lock with it is known from that very step on,
    and no process can be killed between taking a lock and saying who it is.

    Never zero, and without the bit Flag, which is for whoever keeps such a number in a word. Threads
    that are seen by different numbers from different processes, because they are in other namespaces
    (Linux), have nothing to say to each other: see surroundings().
*/
class ThreadIdentity
{
public:
    using Number = std::uint64_t;
    static constexpr Number Flag = Number(1) << 31;

    // The calling thread's. In a child of fork() it is another one than the parent's.
    QPOOL_ALWAYS_INLINE static Number current() noexcept
    {
        const Number number = s_current;
        return QPOOL_LIKELY(number) ? number : find();
    }

    // Whether the thread may still do something. A process that has ended and was not waited for does
    // nothing any more. When the system does not tell, the answer is yes.
    static bool isAlive(Number number) noexcept;

    // The same in two processes that see each other's threads by the same numbers and times.
    static std::uint64_t surroundings() noexcept;

private:
    static Number find() noexcept;
    static void forget() noexcept;

    static inline QPOOL_THREAD_LOCAL Number s_current QPOOL_TLS_MODEL = 0;
};

} // namespace Os

QPOOL_END_NAMESPACE

#endif // QPOOLTHREADIDENTITY_H
