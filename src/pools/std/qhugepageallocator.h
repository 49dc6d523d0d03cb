// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QHUGEPAGEALLOCATOR_H
#define QHUGEPAGEALLOCATOR_H

#include "../huge/qpoolhugememory.h"
#include "qpoolblocks.h"

#include <type_traits>

QPOOL_BEGIN_NAMESPACE

/*!
    \class QPool::HugePageAllocator
    \brief An allocator that puts large blocks into pages of 2 MiB.

    For large arrays: vectors of many megabytes, hash tables, data that is read in random order.

    \code
    std::vector<int, QPool::HugePageAllocator<int>> table;
    \endcode

    Blocks of at least LeastHuge bytes, 1 MiB, are mapped separately, at a multiple of 2 MiB, and
    unmapped when they are freed. They get reserved huge pages if the administrator set any aside,
    otherwise transparent ones, otherwise ordinary ones (see HugeMemory; hugeBytes() returns the
    result). If a block's size is not a multiple of 2 MiB, the rest has ordinary pages, unless it is
    nearly another 2 MiB. Smaller blocks come from the global operator new.

    A container of nodes has no large blocks: use a pool with huge pages instead, as in
    StdAllocator<T, MultiThreaded, HugePages>.

    Stateless: all allocators are equal. Every type is aligned, up to 2 MiB. Thread-safe. A huge
    page is cleared when it is first touched, 2 MiB at a time: a block of which little is used costs
    more time and memory than it would otherwise. A child of a fork() that writes to reserved huge
    pages needs as many free ones; otherwise the system ends it.

    Out of memory: the new-handler is called as long as there is one, then std::bad_alloc is thrown,
    or, with -fno-exceptions, the process aborts with a message. Lack of huge pages is no failure.
*/
template <class T>
class HugePageAllocator
{
    static_assert(!std::is_const_v<T> && !std::is_volatile_v<T>,
                  "containers of const or volatile elements have no allocator");

public:
    //! The size of the smallest block that is mapped, in bytes.
    static constexpr std::size_t LeastHuge = HugeMemory::PageBytes / 2;

    using value_type = T;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using propagate_on_container_move_assignment = std::true_type;
    using is_always_equal = std::true_type;

    constexpr HugePageAllocator() noexcept = default;
    template <class U>
    constexpr HugePageAllocator(const HugePageAllocator<U> &) noexcept
    {
    }

    [[nodiscard]] T *allocate(std::size_t count)
    {
        static_assert(alignof(T) <= HugeMemory::PageBytes, "huge pages have that alignment at most");
        const std::size_t bytes = Failure::arrayBytes<T>(count);
        if (bytes < LeastHuge)
            return static_cast<T *>(allocateSmall(bytes));
        void *block = HugeMemory::map(bytes).address;
        if (QPOOL_UNLIKELY(!block))
            block = Failure::retry(bytes, [bytes] { return HugeMemory::map(bytes).address; });
        return static_cast<T *>(block);
    }

    void deallocate(T *block, std::size_t count) noexcept
    {
        const std::size_t bytes = count * sizeof(T);
        if (bytes < LeastHuge)
            deallocateSmall(block);
        else
            HugeMemory::unmap(block, bytes);
    }

    /*!
        Returns how much of \a block, which is from allocate(\a count) and was written to, is in
        huge pages, in bytes. Slow: for tests and reports.
    */
    static std::size_t hugeBytes(const T *block, std::size_t count) noexcept
    {
        return HugeMemory::hugeBytes(block, count * sizeof(T));
    }

    template <class U>
    friend constexpr bool operator==(const HugePageAllocator &, const HugePageAllocator<U> &) noexcept
    {
        return true;
    }
    template <class U>
    friend constexpr bool operator!=(const HugePageAllocator &, const HugePageAllocator<U> &) noexcept
    {
        return false;
    }

private:
    // The aligned operators are slower.
    static constexpr bool isOveraligned = alignof(T) > __STDCPP_DEFAULT_NEW_ALIGNMENT__;

    static void *allocateSmall(std::size_t bytes)
    {
        if constexpr (isOveraligned)
            return ::operator new(bytes, std::align_val_t(alignof(T)));
        else
            return ::operator new(bytes);
    }

    static void deallocateSmall(void *block) noexcept
    {
        if constexpr (isOveraligned)
            ::operator delete(block, std::align_val_t(alignof(T)));
        else
            ::operator delete(block);
    }
};

QPOOL_END_NAMESPACE

#endif // QHUGEPAGEALLOCATOR_H
