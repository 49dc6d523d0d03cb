// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

// The functions of the C library that allocate. They behave as documented there: see malloc(3),
// posix_memalign(3) and malloc_usable_size(3).

#include "qpoolheap.h"

#include <cerrno>

using namespace QPool;

static bool isPowerOfTwo(std::size_t number) noexcept
{
    return number != 0 && (number & (number - 1)) == 0;
}

// Returns false and sets errno if the product is too large.
static bool multiply(std::size_t count, std::size_t size, std::size_t *bytes) noexcept
{
    if (QPOOL_LIKELY(!__builtin_mul_overflow(count, size, bytes)))
        return true;
    errno = ENOMEM;
    return false;
}

extern "C" {

QPOOL_EXPORT void *malloc(std::size_t size) noexcept
{
    return Heap::allocate(size);
}

QPOOL_HIDDEN void qpool_free(void *block) noexcept
{
    Heap::deallocate(block);
}

QPOOL_EXPORT void *calloc(std::size_t count, std::size_t size) noexcept
{
    std::size_t bytes;
    return multiply(count, size, &bytes) ? Heap::allocateZeroed(bytes) : nullptr;
}

QPOOL_HIDDEN void *qpool_realloc(void *block, std::size_t size) noexcept
{
    if (!block)
        return Heap::allocate(size);
    if (size == 0) {
        Heap::deallocate(block);
        return nullptr;
    }
    return Heap::reallocate(block, size);
}

QPOOL_EXPORT void *reallocarray(void *block, std::size_t count, std::size_t size) noexcept
{
    std::size_t bytes;
    return multiply(count, size, &bytes) ? realloc(block, bytes) : nullptr;
}

// The C library decides about an invalid alignment; since 2.38 the two functions differ there.
QPOOL_EXPORT void *memalign(std::size_t alignment, std::size_t size) noexcept
{
    return isPowerOfTwo(alignment) ? Heap::allocateAligned(alignment, size)
                                   : LibC::__libc_memalign(alignment, size);
}

QPOOL_EXPORT void *aligned_alloc(std::size_t alignment, std::size_t size) noexcept
{
    return isPowerOfTwo(alignment) ? Heap::allocateAligned(alignment, size)
                                   : LibC::allocateAligned(alignment, size);
}

QPOOL_EXPORT int posix_memalign(void **block, std::size_t alignment, std::size_t size) noexcept
{
    if (!isPowerOfTwo(alignment) || alignment < sizeof(void *))
        return EINVAL;
    const int saved = errno;
    void *allocated = Heap::allocateAligned(alignment, size);
    if (!allocated) {
        errno = ENOMEM; // not required, but as in glibc
        return ENOMEM;
    }
    errno = saved;
    *block = allocated;
    return 0;
}

QPOOL_EXPORT void *valloc(std::size_t size) noexcept
{
    return LibC::__libc_valloc(size);
}

QPOOL_EXPORT void *pvalloc(std::size_t size) noexcept
{
    return LibC::__libc_pvalloc(size);
}

QPOOL_HIDDEN std::size_t qpool_usable_size(void *block) noexcept
{
    return block ? Heap::usableSize(block) : 0;
}

QPOOL_ALIAS(qpool_free) void free(void *block) noexcept;
QPOOL_ALIAS(qpool_realloc) void *realloc(void *block, std::size_t size) noexcept;
QPOOL_ALIAS(qpool_usable_size) std::size_t malloc_usable_size(void *block) noexcept;
} // extern "C"
