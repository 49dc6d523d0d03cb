// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLBLOCKS_H
#define QPOOLBLOCKS_H

#include "../../pool/qsizedpoolallocator.h"
#include "../qpoolfailure.h"
#include "qpoolclassalignment.h"

QPOOL_BEGIN_NAMESPACE

// The global operator new and delete, for what no pool has. An alignment that any operator new
// gives is left out: the aligned ones take longer.
template <std::size_t Alignment>
struct LargeBlocks
{
    static void *allocate(std::size_t bytes)
    {
        if constexpr (Alignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__)
            return ::operator new(bytes, std::align_val_t(Alignment));
        else
            return ::operator new(bytes);
    }

    static void deallocate(void *block) noexcept
    {
        if constexpr (Alignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__)
            ::operator delete(block, std::align_val_t(Alignment));
        else
            ::operator delete(block);
    }
};

/*
    Blocks for the stateless allocators: out of QSizedPoolAllocator<Model, Source> up to its largest
    size, from the global operator new above that, and if \a Alignment is more than a pool gives. All
    sizes are multiples of \a Alignment. Who has no heap above the pool has std::bad_alloc there.
*/
template <class Model, class Source, std::size_t Alignment>
class Blocks
{
    using Pool = QSizedPoolAllocator<Model, Source>;

public:
    static constexpr std::size_t MaxPooledSize =
            sizeClassesAlign(Alignment) && Alignment <= Source::PageSize ? Pool::MaxPooledSize : 0;

    Blocks() = delete;

    [[nodiscard]] QPOOL_ALWAYS_INLINE static void *allocate(std::size_t bytes)
    {
        if (QPOOL_UNLIKELY(bytes > MaxPooledSize))
            return allocateLarge(bytes);
        void *block = Pool::allocate(bytes);
        if (QPOOL_UNLIKELY(!block))
            block = retry(bytes);
        return block;
    }

    QPOOL_ALWAYS_INLINE static void deallocate(void *block, std::size_t bytes) noexcept
    {
        if (QPOOL_UNLIKELY(bytes > MaxPooledSize))
            deallocateLarge(block);
        else
            Pool::deallocate(block, bytes);
    }

private:
    QPOOL_NEVER_INLINE static void *retry(std::size_t bytes)
    {
        return Failure::retry(bytes, [bytes] { return Pool::allocate(bytes); });
    }

    static void *allocateLarge(std::size_t bytes)
    {
        if constexpr (Source::HasHeap)
            return LargeBlocks<Alignment>::allocate(bytes);
        else
            Failure::outOfMemory(bytes);
    }

    static void deallocateLarge([[maybe_unused]] void *block) noexcept
    {
        if constexpr (Source::HasHeap)
            LargeBlocks<Alignment>::deallocate(block);
    }
};

QPOOL_END_NAMESPACE

#endif // QPOOLBLOCKS_H
