/* Copyright (C) 2026 The QPool authors
   SPDX-License-Identifier: BSD-3-Clause */

#ifndef HEAPBLOCK_H
#define HEAPBLOCK_H

/* C as well: some of the programs that the front is loaded into are. */

#include <malloc.h>
#include <stddef.h>

/* Blocks of at most so many bytes are from the pool. */
enum { MaxPooledSize = 1024 };

/* Whose a block of at most that size is: the pool's chunks have multiples of 16 bytes, and of the C
   library's the 8 before the next one belong to it. */
static inline int isPooled(void *block)
{
    return malloc_usable_size(block) % 16 == 0;
}

#endif /* HEAPBLOCK_H */
