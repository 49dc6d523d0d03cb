/* Copyright (C) 2026 The QPool authors
   SPDX-License-Identifier: BSD-3-Clause */

#ifndef PATTERNED_H
#define PATTERNED_H

/* Blocks that tell when something else wrote to them: for programs in C and in C++. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Says what went wrong, and ends the process at once: this may be a fork handler or a destructor.
   */
static inline void failHere(const char *what, int line)
{
    char text[200];
    const int length = snprintf(text, sizeof(text), "FAIL: line %d: %s\n", line, what);
    if (write(2, text, (size_t) length) < 0)
        _exit(2);
    _exit(1);
}

#define EXPECT(condition) \
    do { \
        if (!(condition)) \
            failHere(#condition, __LINE__); \
    } while (0)

/* In front of the block's content, which is one byte over and over. */
struct Patterned
{
    uint32_t size; /* of the whole block */
    uint32_t check;
};

static inline unsigned char patternOf(const struct Patterned *block)
{
    return (unsigned char) (block->size * 31 + 7);
}

static inline struct Patterned *fillBlock(void *place, size_t size)
{
    struct Patterned *block = (struct Patterned *) place;
    EXPECT(place && size >= sizeof(*block));
    block->size = (uint32_t) size;
    block->check = ~block->size;
    memset(block + 1, patternOf(block), size - sizeof(*block));
    return block;
}

static inline struct Patterned *makeBlock(size_t size)
{
    return fillBlock(malloc(size), size);
}

static inline void checkBlock(const struct Patterned *block)
{
    const unsigned char *bytes = (const unsigned char *) (block + 1);
    const unsigned char expected = patternOf(block);
    size_t i;
    EXPECT(block->check == ~block->size);
    for (i = 0; i < block->size - sizeof(*block); ++i)
        EXPECT(bytes[i] == expected);
}

static inline void freeBlock(struct Patterned *block)
{
    if (!block)
        return;
    checkBlock(block);
    block->check = 0;
    free(block);
}

/* Sizes of all classes and beyond, in an order that depends on \a turn. */
static inline size_t someSize(unsigned turn)
{
    const unsigned mixed = turn * 2654435761u;
    return sizeof(struct Patterned) + (mixed >> 8) % ((mixed >> 28) ? 1040u : 9000u);
}

/* Many blocks at once, some of which change their size. */
static inline void churn(unsigned seed)
{
    enum { Count = 300 };
    struct Patterned *blocks[Count];
    unsigned i;
    for (i = 0; i < Count; ++i)
        blocks[i] = makeBlock(someSize(seed + i));
    for (i = 0; i < Count; i += 3) {
        const size_t size = someSize(seed + 7 * i);
        checkBlock(blocks[i]);
        blocks[i] = fillBlock(realloc(blocks[i], size), size);
    }
    for (i = 0; i < Count; i += 2)
        freeBlock(blocks[i]);
    for (i = 1; i < Count; i += 2)
        freeBlock(blocks[i]);
}

#endif /* PATTERNED_H */
