/* Copyright (C) 2026 The QPool authors
   SPDX-License-Identifier: BSD-3-Clause */

/* Blocks from before any constructor has run, the C library's included, and from among them. */

#include "frontcheck.h"

enum { Count = 2000 };
static struct Patterned *fromPreinit[Count];
static struct Patterned *fromConstructor[Count];
static char *zeroed;
static void *aligned;

static void makeAll(struct Patterned **blocks)
{
    for (unsigned i = 0; i < Count; ++i)
        blocks[i] = makeBlock(someSize(i));
    /* Some go, so that their places are used again. */
    for (unsigned i = 0; i < Count; i += 3) {
        freeBlock(blocks[i]);
        blocks[i] = NULL;
    }
}

static void beforeConstructors(void)
{
    makeAll(fromPreinit);
    zeroed = calloc(100, 3);
    EXPECT(posix_memalign(&aligned, 256, 100) == 0);
}

__attribute__((section(".preinit_array"), used)) static void (*preinit)(void) = beforeConstructors;

__attribute__((constructor(101))) static void firstConstructor(void)
{
    makeAll(fromConstructor);
    /* What was made before is freed after, and changes its size. */
    for (unsigned i = 1; i < Count; i += 3) {
        checkBlock(fromPreinit[i]);
        fromPreinit[i] = fillBlock(realloc(fromPreinit[i], someSize(3 * i)), someSize(3 * i));
    }
}

int main(void)
{
    expectFront();
    EXPECT(fromPreinit[1] && fromConstructor[1]);
    for (int i = 0; i < 300; ++i)
        EXPECT(zeroed[i] == 0);
    EXPECT((uintptr_t) aligned % 256 == 0);
    free(zeroed);
    free(aligned);
    for (unsigned i = 0; i < Count; ++i) {
        freeBlock(fromPreinit[i]);
        freeBlock(fromConstructor[i]);
    }
    churn(1);
    return 0;
}
