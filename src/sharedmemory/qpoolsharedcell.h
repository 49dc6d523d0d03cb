// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSHAREDCELL_H
#define QPOOLSHAREDCELL_H

#include "../allocator/qpoolglobal.h"

#include <atomic>

QPOOL_BEGIN_NAMESPACE

// A hook for a test that ends its process after the n-th store. Empty elsewhere.
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
    A number in the metadata of a segment.

    Only the holder of the segment's lock writes it. Readers without the lock, such as those that
    show statistics, accept any value. The order of stores matters when the holder is killed among
    them: the survivor must find the stores before some point of the program done and those after it
    not done. A killed process has executed everything up to one instruction, and the system reports
    the death only after all of that. So only the compiler must not reorder the stores, and release
    stores prevent that. On x86-64 they are plain stores.
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
