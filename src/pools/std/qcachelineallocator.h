// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QCACHELINEALLOCATOR_H
#define QCACHELINEALLOCATOR_H

#include "qpoolblocks.h"

#include <type_traits>

QPOOL_BEGIN_NAMESPACE

/*!
    \class QPool::CacheLineAllocator
    \brief An allocator whose blocks never share a cache line.

    For data that different threads write at the same time: counters, slots, nodes of a list. If two
    threads write to one line, each write takes the line away from the other processor (false
    sharing).

    \code
    std::list<std::atomic<long>, QPool::CacheLineAllocator<std::atomic<long>>> counters;
    \endcode

    Each block begins at a multiple of \a Lines cache lines of QPOOL_CACHE_LINE bytes, and its size
    is rounded up to one. \a Lines is a power of two: 2 separates blocks on processors that fetch
    lines in pairs, as Intel's do. Blocks are separated, not elements: the elements of one array,
    such as a vector's, share lines. Use a container of nodes, or give the element type that
    alignment.

    Stateless: all allocators are equal. Pools, threads and behaviour when out of memory: as for
    StdAllocator. Blocks of more than 1024 bytes come from the global operator new, and large ones
    from the source of StdAllocator's, all with the same alignment.
*/
template <class T, std::size_t Lines = 1, class Model = MultiThreaded,
          class PageSource = DefaultPages>
class CacheLineAllocator
{
    static_assert(Lines > 0 && (Lines & (Lines - 1)) == 0 && Lines <= MostBytes / CacheLineSize,
                  "the number of lines is a power of two, and fits the address space");
    static_assert(!std::is_const_v<T> && !std::is_volatile_v<T>,
                  "containers of const or volatile elements have no allocator");

public:
    //! The alignment of blocks, of which their sizes are multiples, in bytes.
    static constexpr std::size_t alignment =
            Lines * CacheLineSize > alignof(T) ? Lines * CacheLineSize : alignof(T);

    using value_type = T;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using propagate_on_container_move_assignment = std::true_type;
    using is_always_equal = std::true_type;

    template <class U>
    struct rebind
    {
        using other = CacheLineAllocator<U, Lines, Model, PageSource>;
    };

    constexpr CacheLineAllocator() noexcept = default;
    template <class U>
    constexpr CacheLineAllocator(const CacheLineAllocator<U, Lines, Model, PageSource> &) noexcept
    {
    }

    [[nodiscard]] QPOOL_ALWAYS_INLINE T *allocate(std::size_t count)
    {
        return static_cast<T *>(BlocksAt<alignment>::allocate(rounded(Failure::arrayBytes<T>(count))));
    }

    QPOOL_ALWAYS_INLINE void deallocate(T *block, std::size_t count) noexcept
    {
        BlocksAt<alignment>::deallocate(block, rounded(count * sizeof(T)));
    }

    template <class U>
    friend constexpr bool
    operator==(const CacheLineAllocator &,
               const CacheLineAllocator<U, Lines, Model, PageSource> &) noexcept
    {
        return true;
    }
    template <class U>
    friend constexpr bool
    operator!=(const CacheLineAllocator &,
               const CacheLineAllocator<U, Lines, Model, PageSource> &) noexcept
    {
        return false;
    }

private:
    // Only in functions, where T is complete.
    template <std::size_t Alignment>
    using BlocksAt = Blocks<Model, PageSource, Alignment>;

    // No overflow: no array is larger than half of the address space.
    static constexpr std::size_t rounded(std::size_t bytes) noexcept
    {
        const std::size_t some = bytes > 0 ? bytes : 1;
        return (some + alignment - 1) & ~(alignment - 1);
    }
};

QPOOL_END_NAMESPACE

#endif // QCACHELINEALLOCATOR_H
