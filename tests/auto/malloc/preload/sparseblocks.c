/* Copyright (C) 2026 The QPool authors
   SPDX-License-Identifier: BSD-3-Clause */

/* Threads free all but one block in two thousand, of many sizes, and end. Of each page one block is left, and
   malloc_trim() leaves little more than what these are in. */

#include "frontcheck.h"

#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

enum { Threads = 4, Blocks = 300000, Rounds = 3, KeptOf = 2000 };

static unsigned char *block[Threads][Blocks];
static int round;

static size_t size(long thread, int number)
{
    return 32 + (size_t)((thread * 7 + number / 1000 + round * 3) % 24) * 8;
}

static long residentPages(void)
{
    long all = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    EXPECT(file && fscanf(file, "%ld %ld", &all, &resident) == 2);
    fclose(file);
    return resident;
}

static void *fill(void *argument)
{
    const long thread = (long)(intptr_t)argument;
    for (int i = 0; i < Blocks; ++i) {
        if (block[thread][i]) {
            EXPECT(block[thread][i][0] == (unsigned char)i && block[thread][i][31] == (unsigned char)thread);
            continue;
        }
        block[thread][i] = malloc(size(thread, i));
        EXPECT(block[thread][i]);
        memset(block[thread][i], (int)thread, 32);
        block[thread][i][0] = (unsigned char)i;
    }
    return NULL;
}

static void *drop(void *argument)
{
    const long thread = (long)(intptr_t)argument;
    unsigned state = (unsigned)thread + 1;
    for (int i = 0; i < Blocks; ++i) {
        state = state * 1664525u + 1013904223u;
        if ((state >> 8) % KeptOf) {
            free(block[thread][i]);
            block[thread][i] = NULL;
        }
    }
    return NULL;
}

static void inThreads(void *(*function)(void *))
{
    pthread_t threads[Threads];
    for (intptr_t i = 0; i < Threads; ++i)
        EXPECT(pthread_create(&threads[i], NULL, function, (void *)i) == 0);
    for (int i = 0; i < Threads; ++i)
        pthread_join(threads[i], NULL);
}

int main(void)
{
    expectFront();
    memset(block, 0, sizeof(block));
    const long before = residentPages();
    for (round = 0; round < Rounds; ++round) {
        inThreads(fill);
        const long full = residentPages() - before;
        inThreads(drop);
        malloc_trim(0);
        const long left = residentPages() - before;
        if (left > full / 12) {
            fprintf(stderr, "%ld of %ld pages are left in round %d\n", left, full, round);
            return 1;
        }
    }
    inThreads(fill); /* which checks what is left */
    return 0;
}
