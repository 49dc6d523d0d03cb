// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QSIZEDPOOLALLOCATOR_H
#define QSIZEDPOOLALLOCATOR_H

#include "qpoolallocator.h"

#include "../qpoolsizeclasses.h"

#include <new>

QPOOL_BEGIN_NAMESPACE

// All size classes.
struct AllSizes
{
    static constexpr unsigned BinCount = SizeClasses::Count;
    static constexpr std::size_t chunkSize(unsigned bin) noexcept
    {
        return SizeClasses::sizeOf(bin);
    }
    static bool isDisabled() noexcept { return false; }
};

/*!
    \class QPool::QSizedPoolAllocator
    \brief Blocks of any size from pools, one per size class.

    Blocks larger than SizeClasses::MaxSize bytes come from the global operator new if the page
    source allows a heap, and are refused otherwise. What QPoolAllocator documents about threads,
    signals, fork() and errno applies here, too; what applies to operator new applies to larger
    blocks.
*/
template <class Model = MultiThreaded, class PageSource = DefaultPages>
class QSizedPoolAllocator
{
    using Front = PoolFront<AllSizes, Model, PageSource>;

public:
    static constexpr std::size_t MaxPooledSize = SizeClasses::MaxSize < PageSource::PageSize
            ? SizeClasses::MaxSize : PageSource::PageSize;
    // The alignment of larger blocks, in bytes.
    static constexpr std::size_t LargeAlignment = 64;

    QSizedPoolAllocator() = delete;

    /*!
        Returns \a size bytes, uninitialised, or null when out of memory. The block is aligned to
        the lowest set bit of \a size, up to 64, so any type of that size fits that needs no more.
        Blocks of more than MaxPooledSize bytes are aligned to LargeAlignment, smaller ones to the
        lowest set bit of their size class.
    */
    [[nodiscard]] QPOOL_ALWAYS_INLINE static void *allocate(std::size_t size) noexcept
    {
        if (QPOOL_LIKELY(size <= MaxPooledSize))
            return Front::allocate(SizeClasses::anyIndexOf(size));
        return allocateLarge(size);
    }

    /*!
        Frees \a pointer, which allocate() returned; null is ignored.
    */
    QPOOL_ALWAYS_INLINE static void deallocate(void *pointer) noexcept
    {
        if (QPOOL_UNLIKELY(!Front::deallocateIfOwned(pointer)))
            deallocateLarge(pointer);
    }

    /*!
        Frees \a pointer to a block of \a size bytes. Faster than without a size: for pooled sizes,
        the pointer need not be looked up. Hardened builds abort if \a size is of another class.
    */
    QPOOL_ALWAYS_INLINE static void deallocate(void *pointer, std::size_t size) noexcept
    {
        if (QPOOL_UNLIKELY(size > MaxPooledSize))
            deallocateLarge(pointer, size);
        else
            Front::deallocate(pointer, SizeClasses::anyIndexOf(size));
    }

    /*!
        Returns whether \a pointer points into the pages of the page source, like
        QPoolAllocator::sourceContains(). A block above MaxPooledSize is not in them.
    */
    static bool sourceContains(const void *pointer) noexcept { return Front::sourceContains(pointer); }
    static void flush() noexcept { Front::flush(); }

    /*!
        Like QPoolAllocator::idle().
    */
    static int idle() noexcept { return Front::idle(); }

    /*!
        Like QPoolAllocator::park(): sends the calling thread's pending frees, and lets other
        threads take in what is freed for it until it uses the pool again. For a thread that may
        block for long without calling idle(), which includes this. Costs the thread's next
        operation one compare-exchange.
    */
    static void park() noexcept { Front::park(); }

    /*!
        Like QPoolAllocator::trim().
    */
    static void trim() noexcept { Front::trim(); }

    //! Returns the statistics of the class that serves \a size; zeros if it is more than MaxPooledSize.
    static BinStatistics statistics(std::size_t size) noexcept
    {
        if (size > MaxPooledSize)
            return {};
        return Front::statistics(SizeClasses::indexOf(size));
    }

    template <class Visitor>
    static void forEachArena(Visitor &&visit) { Front::forEachArena(visit); }

private:
    // All larger blocks use the aligned operators with the same alignment, because freeing does not
    // know the size.
    QPOOL_NEVER_INLINE static void *allocateLarge(std::size_t size) noexcept
    {
        // Some versions of libstdc++ round the size up to the alignment without a check.
        if (!PageSource::HasHeap || size > MostBytes)
            return nullptr;
        return ::operator new(size, std::align_val_t(LargeAlignment), std::nothrow);
    }

    // \a size is 0 if the caller did not pass one.
    QPOOL_NEVER_INLINE static void deallocateLarge(void *pointer,
                                                   [[maybe_unused]] std::size_t size = 0) noexcept
    {
        if (!pointer)
            return;
        if constexpr (hardened)
            Front::refuseOwned(pointer, size);
        if constexpr (PageSource::HasHeap)
            ::operator delete(pointer, std::align_val_t(LargeAlignment));
    }
};

QPOOL_END_NAMESPACE

#if defined(QPOOL_SHARED) && !defined(QPOOL_FREESTANDING)
#  include "qpoolsharedpools.h"
#endif

#endif // QSIZEDPOOLALLOCATOR_H
