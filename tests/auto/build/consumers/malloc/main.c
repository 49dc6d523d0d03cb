// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Tells whose malloc() this is: the pool's malloc_info() lists the blocks of each size in use; the C
// library's does not know them.

#define _GNU_SOURCE
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Size = 1000, Blocks = 1000 };

static void *blocks[Blocks];

// How many of Size bytes, rounded up to a class, the pool says are live; -1 if it says nothing.
static long liveInPool(void)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    if (!file || malloc_info(0, file) != 0 || fclose(file) != 0)
        return -1;
    long live = -1;
    const char *entry = strstr(text, "<domain name=\"heap\">");
    if (entry && (entry = strstr(entry, "<size bytes=\"1024\"")) && (entry = strstr(entry, "live=\"")))
        live = strtol(entry + strlen("live=\""), NULL, 10);
    free(text);
    return live;
}

int main(void)
{
    for (int i = 0; i < Blocks; ++i) {
        blocks[i] = malloc(Size);
        if (!blocks[i])
            return 1;
        memset(blocks[i], 1, Size);
    }
    const long allocated = liveInPool();
    for (int i = 0; i < Blocks; ++i)
        free(blocks[i]);
    const long freed = liveInPool();
    if (allocated < Blocks)
        puts("the C library's");
    else if (allocated - freed >= Blocks)
        puts("the pool's");
    else
        puts("the pool's, and nothing goes back");
    return 0;
}
