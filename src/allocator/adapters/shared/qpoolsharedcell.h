// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSHAREDCELL_H
#define QPOOLSHAREDCELL_H

#include "../../qpoolglobal.h"

#include <atomic>

QPOOL_BEGIN_NAMESPACE

// Where a test that ends its process after the n-th store puts its counter. Nothing elsewhere.
namespace SharedSteps {
#ifdef QPOOL_SHARED_STEPS
inline void (*afterStore)() = nullptr;
QPOOL_ALWAYS_INLINE void step() noexcept
{
    if (afterStore)
        afterStore();
}
#else
QPOOL_ALWAYS_INLINE void step() noexcept { }
#endif
} // namespace SharedSteps

/*
    A number in the books of a segment.

    Only the holder of the segment's lock writes it, and whoever reads without the lock, as those that
    show statistics do, makes do with any value. What matters is the order of stores when the holder is
    killed among them: the survivor must find those before a point of the program done and those after
    it not. A killed process has done what it did up to one instruction, and the survivor learns of the
    death from the system, after all of that; so only the compiler must not change the order, and
    release stores are what forbids it. On x86-64 they are plain stores.
*/
template <class T>
class SharedCell
{
    static_assert(std::atomic<T>::is_always_lock_free && sizeof(std::atomic<T>) == sizeof(T));

public:
    QPOOL_ALWAYS_INLINE T get() const noexcept { return m_value.load(std::memory_order_relaxed); }
    QPOOL_ALWAYS_INLINE void put(T value) noexcept
    {
        m_value.store(value, std::memory_order_release);
        SharedSteps::step();
    }

private:
    std::atomic<T> m_value;
};

QPOOL_END_NAMESPACE

#endif // QPOOLSHAREDCELL_H
