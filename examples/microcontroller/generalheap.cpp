// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "heaps.h"

#include <cerrno>
#include <cstdlib>

// newlib does not use the memory before the next multiple of this.
alignas(4096) static char s_heap[HeapBytes];
static char *s_end = s_heap;

// The source of memory for newlib's malloc().
extern "C" void *_sbrk(std::ptrdiff_t bytes)
{
    if (bytes > s_heap + HeapBytes - s_end || bytes < s_heap - s_end) {
        errno = ENOMEM;
        return reinterpret_cast<void *>(-1);
    }
    char *before = s_end;
    s_end += bytes;
    return before;
}

void *GeneralHeap::allocate(std::size_t size) { return std::malloc(size); }
void GeneralHeap::deallocate(void *pointer) { std::free(pointer); }
