// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLFORKHANDLERS_H
#define QPOOLFORKHANDLERS_H

#include "../qpoolglobal.h"

#include <atomic>

QPOOL_BEGIN_NAMESPACE

// Whether \a User, a pool or its layout, needs fork handlers already when it is loaded. It does unless
// it has a function that says otherwise, because it is disabled, or is told later.
template <class User>
auto needsForkHandlers(int) noexcept -> decltype(User::needsForkHandlers())
{
    return User::needsForkHandlers();
}
template <class>
bool needsForkHandlers(long) noexcept
{
    return true;
}

/*
    Calls Pool::registerForkHandlers() once, and early: when the program or library that uses the
    pool is loaded, not at the pool's first use. Handlers registered later run first before a fork
    and last after it. A program's own handlers therefore find the pool's locks free on both sides,
    and in the child the memory that was shared: they may allocate and free.

    A pool that is used before this, while the program is still being loaded, first calls
    atLatest(), and so does one that needed no handlers then.
*/
template <class Pool>
class ForkHandlers
{
public:
    static void atLatest() noexcept
    {
        static_cast<void>(&s_atLoad); // used, or it would not be instantiated
        if (!s_registered.exchange(true, std::memory_order_relaxed))
            Pool::registerForkHandlers();
    }

private:
    struct AtLoad
    {
        AtLoad() noexcept
        {
            if (needsForkHandlers<Pool>(0))
                atLatest();
        }
    };

    static inline std::atomic<bool> s_registered { false };
    static inline const AtLoad s_atLoad;
};

QPOOL_END_NAMESPACE

#endif // QPOOLFORKHANDLERS_H
