// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

// For programs that know the sizes of their blocks: C23's functions, and the two of jemalloc's by which Qt,
// if it was configured for jemalloc, uses up what a block has room for. C23's or jemalloc's header has them.

#include "qpoolheap.h"

#include <cstdint>

using namespace QPool;

namespace {

// The least that every block of \a size bytes has room for, whether the pool serves it or, because it is
// disabled or out of memory, the C library does.
std::size_t roomOf(std::size_t size, std::size_t alignment) noexcept
{
    constexpr std::size_t step = Heap::Alignment, word = sizeof(void *), most = PTRDIFF_MAX;
    if (alignment > most / 2 || size > most - alignment - step)
        return 0;
    // A chunk of the C library's is a multiple of the step, and its block ends one word after it.
    const std::size_t foreign = size <= step + word ? step + word
                                                    : (size - word + step - 1) / step * step + word;
    const std::size_t least = size < alignment && alignment > step ? alignment : size;
    if (least > HeapClasses::MaxSize) {
        const std::size_t page = PublishedPages::PageSize;
        const std::size_t pages = (size + page - 1) / page * page;
        return pages < foreign ? pages : foreign;
    }
    if (QPOOL_HARDENED >= 2) // the rest of the chunk holds a canary
        return size;
    const std::size_t pooled = HeapClasses::sizeOf(HeapClasses::indexOf(least));
    return pooled < foreign ? pooled : foreign;
}

} // namespace

extern "C" {

// The size is not needed, because the pool finds a block's page by its address.
QPOOL_EXPORT void free_sized(void *block, std::size_t) noexcept
{
    Heap::deallocate(block);
}

QPOOL_EXPORT void free_aligned_sized(void *block, std::size_t, std::size_t) noexcept
{
    Heap::deallocate(block);
}

// How many bytes may be used of a block that malloc(\a size) returns, which then need not be asked of
// malloc_usable_size(). The low six bits of \a flags are the logarithm of an alignment. 0 if no block can
// have that size.
QPOOL_EXPORT std::size_t nallocx(std::size_t size, int flags) noexcept
{
    return roomOf(size, std::size_t(1) << (unsigned(flags) & 63));
}

// As free(). \a size is between what was asked for and what nallocx() says.
QPOOL_EXPORT void sdallocx(void *block, std::size_t, int) noexcept
{
    Heap::deallocate(block);
}

} // extern "C"
