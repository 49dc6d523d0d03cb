// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QSIZEDPOOLALLOCATOR_H
#define QSIZEDPOOLALLOCATOR_H

#include "qpoolallocator.h"

#ifndef QPOOL_FREESTANDING
#  include "../os/qpoollargeblockcache.h"
#endif
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
    \brief Blocks of any size out of pools, one a size class.

    Blocks of more than SizeClasses::MaxSize bytes come from the global operator new where the
    page source allows a heap, and are refused otherwise. What QPoolAllocator says about threads,
    signals, fork() and errno holds here, too; of larger blocks what is true of operator new.
*/
template <class Model = MultiThreaded, class PageSource = DefaultPages>
class QSizedPoolAllocator
{
    using Front = PoolFront<AllSizes, Model, PageSource>;

public:
    static constexpr std::size_t MaxPooledSize = SizeClasses::MaxSize < PageSource::PageSize
            ? SizeClasses::MaxSize : PageSource::PageSize;
    // The alignment of larger blocks.
    static constexpr std::size_t LargeAlignment = 64;

    QSizedPoolAllocator() = delete;

    /*!
        Returns \a size bytes, uninitialised, or null when there is no memory. They are aligned to
        the lowest set bit of \a size, where that is 64 at most: any type of that size fits that
        asks for no more. Blocks of more than MaxPooledSize bytes are all aligned to LargeAlignment,
        smaller ones to the lowest set bit of their size class.
    */
    [[nodiscard]] QPOOL_ALWAYS_INLINE static void *allocate(std::size_t size) noexcept
    {
        if (QPOOL_LIKELY(size <= MaxPooledSize))
            return Front::allocate(SizeClasses::anyIndexOf(size));
        return allocateLarge(size);
    }

    /*!
        Takes back \a pointer, which allocate() returned, or null.
    */
    QPOOL_ALWAYS_INLINE static void deallocate(void *pointer) noexcept
    {
        if (QPOOL_UNLIKELY(!Front::deallocateIfOwned(pointer)))
            deallocateLarge(pointer);
    }

    /*!
        The same for a \a pointer to a block of \a size bytes: pooled sizes need no look at
        where the pointer points. Hardened builds stop a size of another class.
    */
    QPOOL_ALWAYS_INLINE static void deallocate(void *pointer, std::size_t size) noexcept
    {
        if (QPOOL_UNLIKELY(size > MaxPooledSize))
            deallocateLarge(pointer, size);
        else
            Front::deallocate(pointer, SizeClasses::anyIndexOf(size));
    }

    static bool owns(const void *pointer) noexcept { return Front::owns(pointer); }
    static void flush() noexcept { Front::flush(); }

    /*!
        As QPoolAllocator::idle(); gives back large blocks of the containers of adapters/std as well,
        whatever pool these have, if they were not used again since the last call.
    */
    static void idle() noexcept
    {
        Front::idle();
#ifndef QPOOL_FREESTANDING
        if constexpr (PageSource::HasHeap)
            LargeBlockCache::idle();
#endif
    }

    /*!
        Lets other threads take in what is freed for the calling one until it uses the pool
        again, and sends its own pending frees home: for a thread that may block for long without
        idle(), which does this, too. Takes the thread's next operation a compare-exchange.
    */
    static void park() noexcept { Front::park(); }

    /*!
        As QPoolAllocator::trim(); gives back all large blocks that are kept for the containers of
        adapters/std as well.
    */
    static void trim() noexcept
    {
        Front::trim();
#ifndef QPOOL_FREESTANDING
        if constexpr (PageSource::HasHeap)
            LargeBlockCache::trim();
#endif
    }

    //! The statistics of the class that serves \a size, which is at most MaxPooledSize.
    static BinStatistics statistics(std::size_t size) noexcept
    {
        return Front::statistics(SizeClasses::indexOf(size));
    }

    template <class Visitor>
    static void forEachArena(Visitor &&visit) { Front::forEachArena(visit); }

private:
    // All of them by the aligned operators, and with one alignment: freeing does not know the size.
    QPOOL_NEVER_INLINE static void *allocateLarge(std::size_t size) noexcept
    {
        if constexpr (PageSource::HasHeap)
            return ::operator new(size, std::align_val_t(LargeAlignment), std::nothrow);
        else
            return nullptr;
    }

    // \a size is 0 where it was not said.
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
