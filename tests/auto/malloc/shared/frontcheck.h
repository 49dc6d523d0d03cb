/* Copyright (C) 2026 The QPool authors
   SPDX-License-Identifier: BSD-3-Clause */

#ifndef FRONTCHECK_H
#define FRONTCHECK_H

#include "heapblock.h"
#include "patterned.h"

/* A test of the C library would tell nothing: whether the front is there, and does what the
   environment asks. */
static inline void expectFront(void)
{
    const char *preloaded = getenv("LD_PRELOAD");
    const char *wish = getenv("QT_POOL_ALLOCATOR");
    void *block = malloc(24);
    EXPECT(preloaded && strstr(preloaded, "libqpool-malloc"));
    EXPECT(isPooled(block) == !(wish && strcmp(wish, "0") == 0));
    free(block);
}

#endif /* FRONTCHECK_H */
