/* Copyright (C) 2026 The QPool authors
   SPDX-License-Identifier: BSD-3-Clause */

/* A program with a free() of its own, which calls the one that it finds in a handle of the C library. That must not
   lead back to the program's. */

#define _GNU_SOURCE
#include "frontcheck.h"

#include <dlfcn.h>
#include <gnu/lib-names.h>

static int depth = 0;

void free(void *block)
{
    static void (*next)(void *) = NULL;
    if (!next)
        *(void **) &next = dlsym(dlopen(LIBC_SO, RTLD_LAZY | RTLD_NOLOAD), "free");
    EXPECT(++depth == 1);
    next(block);
    --depth;
}

int main(void)
{
    expectFront();
    for (size_t size = 1; size < 300000; size = size * 3 / 2 + 1)
        free(malloc(size));
    free(NULL);
    return 0;
}
