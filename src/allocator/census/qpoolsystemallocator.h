// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSYSTEMALLOCATOR_H
#define QPOOLSYSTEMALLOCATOR_H

#include <cstddef>
#include <new>
#include <vector>

#include <sys/mman.h>

namespace QPool {

// Memory directly from the system, in pages. A process that takes its own census must not allocate from
// its pool during the census: with the malloc front the whole C++ heap is the pool, and the bins would
// never stop changing. For few, large blocks.
template <class T>
struct SystemAllocator
{
    using value_type = T;

    SystemAllocator() = default;
    template <class Other>
    SystemAllocator(const SystemAllocator<Other> &) noexcept
    {
    }

    T *allocate(std::size_t count)
    {
        void *place = count <= std::size_t(-1) / 2 / sizeof(T)
                ? mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                : MAP_FAILED;
        if (place == MAP_FAILED)
            throw std::bad_alloc();
        return static_cast<T *>(place);
    }
    void deallocate(T *place, std::size_t count) noexcept { munmap(place, count * sizeof(T)); }

    template <class Other>
    bool operator==(const SystemAllocator<Other> &) const noexcept
    {
        return true;
    }
    template <class Other>
    bool operator!=(const SystemAllocator<Other> &) const noexcept
    {
        return false;
    }
};

template <class T>
using SystemVector = std::vector<T, SystemAllocator<T>>;

} // namespace QPool

#endif // QPOOLSYSTEMALLOCATOR_H
