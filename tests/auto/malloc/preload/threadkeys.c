/* Copyright (C) 2026 The QPool authors
   SPDX-License-Identifier: BSD-3-Clause */

/* Destructors of thread keys allocate and free, in each of the rounds that there are; and all keys
   of the process are in use. "early": before the front could take one for itself, which it does
   with the first allocation from the pool. */

#include "frontcheck.h"

#include <limits.h>
#include <pthread.h>

enum { MostKeys = PTHREAD_KEYS_MAX, BlocksOfKey = 5 };

static pthread_key_t keys[MostKeys];
static unsigned keyCount;

struct Value
{
    unsigned key;
    unsigned rounds; /* that are left */
    struct Patterned *blocks[BlocksOfKey];
};

static void fillValue(struct Value *value, unsigned turn)
{
    for (unsigned i = 0; i < BlocksOfKey; ++i)
        value->blocks[i] = makeBlock(someSize(turn + i));
}

static void atThreadEnd(void *argument)
{
    struct Value *value = argument;
    for (unsigned i = 0; i < BlocksOfKey; ++i)
        freeBlock(value->blocks[i]);
    if (value->rounds == 0) {
        free(value);
        return;
    }
    --value->rounds;
    fillValue(value, value->key);
    EXPECT(pthread_setspecific(keys[value->key], value) == 0);
}

static void takeAllKeys(void)
{
    while (keyCount < MostKeys && pthread_key_create(&keys[keyCount], atThreadEnd) == 0)
        ++keyCount;
}

/* No argument of main() is known here, so the command line is looked at. */
static void beforeConstructors(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "early") == 0)
        takeAllKeys();
}

__attribute__((section(".preinit_array"), used)) static void (*preinit)(int, char **)
        = beforeConstructors;

/* The first allocation of the thread is the first thing it does. */
static void *run(void *argument)
{
    struct Patterned *passedOn = makeBlock(100);
    churn(1);
    for (unsigned i = 0; i < keyCount; ++i) {
        struct Value *value = malloc(sizeof(*value));
        value->key = i;
        value->rounds = i % PTHREAD_DESTRUCTOR_ITERATIONS;
        fillValue(value, i);
        EXPECT(pthread_setspecific(keys[i], value) == 0);
    }
    freeBlock(argument);
    return passedOn;
}

int main(int argc, char **argv)
{
    const int early = argc == 2 && strcmp(argv[1], "early") == 0;
    pthread_key_t another;
    struct Patterned *block = makeBlock(200);
    size_t usedBefore = 0;
    (void) argv;
    expectFront();
    takeAllKeys();
    EXPECT(pthread_key_create(&another, NULL) != 0);
    EXPECT(!early || keyCount > MostKeys - 5);
    for (int turn = 0; turn < 60; ++turn) {
        pthread_t threads[3];
        void *result = NULL;
        for (int i = 0; i < 3; ++i)
            EXPECT(pthread_create(&threads[i], NULL, run, i == 0 ? block : makeBlock(50)) == 0);
        for (int i = 0; i < 3; ++i) {
            EXPECT(pthread_join(threads[i], &result) == 0);
            if (i == 0)
                block = result;
            else
                freeBlock(result);
        }
        /* What a thread did not free at its end would be there still, and more with each. */
        if (turn == 20)
            usedBefore = mallinfo2().uordblks;
    }
    EXPECT(mallinfo2().uordblks < usedBefore + 1000000);
    freeBlock(block);
    return 0;
}
