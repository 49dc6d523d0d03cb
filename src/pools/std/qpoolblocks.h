// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLBLOCKS_H
#define QPOOLBLOCKS_H

#include "qlargeblocks.h"
#include "../../allocator/pool/qsizedpoolallocator.h"
#include "../../allocator/os/qpoolfailure.h"
#include "qpoolclassalignment.h"

QPOOL_BEGIN_NAMESPACE

/*
    Blocks for the stateless allocators: from QSizedPoolAllocator<Model, Source> up to its largest
    size; above that, and if \a Alignment is more than a pool provides, from LargeBlocks. The size, which
    is the same when a block is freed, determines where it goes back. All sizes are multiples of
    \a Alignment. With a page source without a heap, larger blocks throw std::bad_alloc.
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
            deallocateLarge(block, bytes);
        else
            Pool::deallocate(block, bytes);
    }

private:
    QPOOL_NEVER_INLINE static void *retry(std::size_t bytes)
    {
        return Failure::retry(bytes, [bytes] { return Pool::allocate(bytes); });
    }

    QPOOL_NEVER_INLINE static void *allocateLarge(std::size_t bytes)
    {
        if constexpr (!Source::HasHeap)
            Failure::outOfMemory(bytes);
        else if (void *block = LargeBlocks::allocate(bytes, Alignment); QPOOL_LIKELY(block))
            return block;
        else
            return Failure::retry(bytes, [bytes] { return LargeBlocks::allocate(bytes, Alignment); });
    }

    QPOOL_NEVER_INLINE static void deallocateLarge([[maybe_unused]] void *block, std::size_t) noexcept
    {
        if constexpr (Source::HasHeap)
            LargeBlocks::deallocate(block, Alignment);
    }
};

QPOOL_END_NAMESPACE

#endif // QPOOLBLOCKS_H
