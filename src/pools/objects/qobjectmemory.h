// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QOBJECTMEMORY_H
#define QOBJECTMEMORY_H

#include "../../allocator/pool/qpoolallocator.h"
#include "../../allocator/os/qpoolfailure.h"

#include <new>
#include <type_traits>

QPOOL_BEGIN_NAMESPACE

// Blocks that do not fit into a page, from the global operator new.
template <std::size_t Size, std::size_t Alignment>
struct HeapChunks
{
    static constexpr std::size_t alignment = Alignment;

    static void *allocate() noexcept
    {
        return ::operator new(Size, std::align_val_t(Alignment), std::nothrow);
    }
    static void deallocate(void *chunk) noexcept
    {
        ::operator delete(chunk, std::align_val_t(Alignment));
    }
};

// The memory for objects of a size and alignment. Both kinds have allocate(), which returns null
// when out of memory, and deallocate().
template <std::size_t Size, std::size_t Alignment, class Model, class PageSource>
struct ObjectChunks
{
    static constexpr bool IsPooled = Size <= PageSource::PageSize;
    static_assert(IsPooled || PageSource::HasHeap,
                  "the object is larger than a page of its source, which has no heap behind it");
    using Type = std::conditional_t<IsPooled, QPoolAllocator<Size, Model, PageSource>,
                                    HeapChunks<Size, Alignment>>;
    static_assert(Type::alignment >= Alignment, "no page of the source is aligned like the object");
};

QPOOL_END_NAMESPACE

#endif // QOBJECTMEMORY_H
