// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QLISTEDPOOLALLOCATOR_H
#define QLISTEDPOOLALLOCATOR_H

#include "../qpoolsizeclasses.h"
#include "qpoolallocator.h"

QPOOL_BEGIN_NAMESPACE

/*!
    \class QPool::ListedSizes
    \brief The size classes that a program lists, in bytes: rising multiples of 8.

    A chunk's alignment is the lowest set bit of its class's size.
*/
template <std::size_t... Sizes>
struct ListedSizes
{
    static constexpr unsigned Count = sizeof...(Sizes);
    static constexpr std::size_t Step = 8;
    static constexpr std::size_t List[] = { Sizes... };
    static constexpr std::size_t MaxSize = List[Count - 1];

    static constexpr unsigned indexOf(std::size_t size) noexcept
    {
        unsigned index = 0;
        while (List[index] < size)
            ++index;
        return index;
    }
    static constexpr std::size_t sizeOf(unsigned index) noexcept { return List[index]; }

    // The members that make it the layout of an arena.
    static constexpr unsigned BinCount = Count;
    static constexpr std::size_t chunkSize(unsigned bin) noexcept { return List[bin]; }
    static bool isDisabled() noexcept { return false; }

    static constexpr bool areRising() noexcept
    {
        std::size_t last = 0;
        for (std::size_t size : List) {
            if (size <= last || size % Step != 0)
                return false;
            last = size;
        }
        return true;
    }
};

/*!
    \class QPool::QListedPoolAllocator
    \brief Blocks from pools of the sizes that a program lists, for where memory is scarce.

    Like QSizedPoolAllocator, with the size classes of \a Sizes, a ListedSizes. An arena has one bin
    for each class and no more, and a block larger than the largest class is refused. What
    QPoolAllocator documents about threads, signals, fork() and errno applies here, too.
*/
template <class Sizes, class Model, class PageSource>
class QListedPoolAllocator
{
    static_assert(Sizes::areRising(), "the sizes rise, and are multiples of 8");
    static_assert(Sizes::MaxSize <= PageSource::PageSize, "a chunk must fit a page of its source");
    using Front = PoolFront<Sizes, Model, PageSource>;

public:
    static constexpr std::size_t MaxPooledSize = Sizes::MaxSize;
    //! What one arena takes, in bytes; SingleThreaded and SharedPool have one.
    static constexpr std::size_t ArenaBytes = sizeof(Arena<typename Front::LayoutUsed>);

    QListedPoolAllocator() = delete;

    /*!
        Returns \a size bytes, uninitialised, or null if the page source is exhausted or \a size is
        more than MaxPooledSize. The block is aligned to the lowest set bit of the size class.
    */
    [[nodiscard]] QPOOL_ALWAYS_INLINE static void *allocate(std::size_t size) noexcept
    {
        if (QPOOL_UNLIKELY(size > MaxPooledSize))
            return nullptr;
        return Front::allocate(ClassTable<Sizes>::anyIndexOf(size));
    }

    /*!
        Frees \a pointer, which allocate() returned; null is ignored.
    */
    QPOOL_ALWAYS_INLINE static void deallocate(void *pointer) noexcept { Front::deallocate(pointer); }

    //! Returns whether \a pointer points into the pages of the page source, which pools share.
    static bool sourceContains(const void *pointer) noexcept { return Front::sourceContains(pointer); }

    /*!
        Gives free pages back to the source, for use by other classes and pools. The allocator does
        so itself before it refuses an allocation.
    */
    static void trim() noexcept { Front::trim(); }

    //! Returns the statistics of the class that serves \a size; zeros if it is more than MaxPooledSize.
    static BinStatistics statistics(std::size_t size) noexcept
    {
        if (size > MaxPooledSize)
            return {};
        return Front::statistics(Sizes::indexOf(size));
    }
};

QPOOL_END_NAMESPACE

#endif // QLISTEDPOOLALLOCATOR_H
