/* Copyright (C) 2026 The QPool authors
   SPDX-License-Identifier: BSD-3-Clause */

/* A process that may have little: "as" addresses, or "data", memory that is written to. Most of it
   is to be had in small blocks, then there is none, and it is there again when they are freed. The
   limit is set before the program is loaded. With "fresh", other sizes were never used before. */

#include "frontcheck.h"

#include <errno.h>
#include <pthread.h>
#include <sys/resource.h>

enum { Megabyte = 1 << 20, BlockSize = 112 };
static const size_t Limit = 100 * (size_t) Megabyte;

struct Link
{
    struct Link *next;
    size_t check;
    char rest[BlockSize - 2 * sizeof(size_t)];
};

/* Returns how many bytes of blocks there were. */
static size_t takeAll(struct Link **first)
{
    size_t count = 0;
    struct Link *link;
    errno = 0;
    while ((link = malloc(BlockSize))) {
        memset(link, 0x5A, BlockSize);
        link->next = *first;
        link->check = count++;
        *first = link;
    }
    EXPECT(errno == ENOMEM);
    return count * BlockSize;
}

static void freeAll(struct Link *link)
{
    size_t count = link ? link->check + 1 : 0;
    while (link) {
        struct Link *next = link->next;
        EXPECT(link->check == --count);
        EXPECT(link->rest[0] == 0x5A && link->rest[sizeof(link->rest) - 1] == 0x5A);
        free(link);
        link = next;
    }
    EXPECT(count == 0);
}

static void useSmallBlocks(void)
{
    for (size_t size = 16; size <= MaxPooledSize; size += 16) {
        void *block = malloc(size);
        EXPECT(block && isPooled(block));
        free(block);
    }
}

static void *inThread(void *argument)
{
    useSmallBlocks();
    return argument;
}

static void runThread(void)
{
    pthread_t thread;
    EXPECT(pthread_create(&thread, NULL, inThread, NULL) == 0);
    pthread_join(thread, NULL);
}

static void restart(char **argv)
{
    const struct rlimit limit = { Limit, Limit };
    const int which = strcmp(argv[1], "as") == 0 ? RLIMIT_AS : RLIMIT_DATA;
    struct rlimit now;
    EXPECT(getrlimit(which, &now) == 0);
    if (now.rlim_cur == Limit)
        return;
    EXPECT(setrlimit(which, &limit) == 0);
    execv("/proc/self/exe", argv);
    EXPECT(!"started again");
}

int main(int argc, char **argv)
{
    struct Link *first = NULL;
    struct Link *again = NULL;
    const int isFresh = argc == 3 && strcmp(argv[2], "fresh") == 0;
    EXPECT(argc == 2 || isFresh);
    restart(argv);
    expectFront();
    if (!isFresh) {
        churn(1);
        runThread();
    }
    const size_t bytes = takeAll(&first);
    /* Both allocators have given all they have, and both go on refusing. */
    EXPECT(!malloc(BlockSize) && errno == ENOMEM);
    errno = 0;
    EXPECT(!malloc(10 * Megabyte) && errno == ENOMEM);
    errno = 0;
    EXPECT(!calloc(1000, 10000) && errno == ENOMEM);
    EXPECT(bytes > Limit / 2);
    freeAll(first);
    EXPECT(takeAll(&again) > bytes / 10 * 9);
    freeAll(again);
    /* Small blocks of other sizes find room where those were, in another thread as well, whose
       stack is still there from before. Large ones do where memory counts; the addresses the pool
       keeps. */
    malloc_trim(0);
    if (strcmp(argv[1], "data") == 0) {
        void *large = malloc(60 * Megabyte);
        EXPECT(large);
        free(large);
    }
    useSmallBlocks();
    if (!isFresh)
        runThread();
    first = NULL;
    EXPECT(takeAll(&first) > bytes / 10 * 9);
    freeAll(first);
    return 0;
}
