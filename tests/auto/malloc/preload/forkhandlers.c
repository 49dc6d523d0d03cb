/* Copyright (C) 2026 The QPool authors
   SPDX-License-Identifier: BSD-3-Clause */

/* fork() while other threads allocate, with handlers that allocate and free on both sides: of two
   libraries, as it were, one registered before any constructor runs, and one in main(). A lock that
   was left behind shows as a hang, which ends the child. With firsthandlers.c the first ones are of
   a library that is initialised before the front; with malloc_handlersbeforeall registered before the
   front's as well, so that they run while its locks are held. */

#include "frontcheck.h"

#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>

enum { Forks = 100, Slots = 256, Churners = 3 };

static _Atomic(struct Patterned *) slots[Slots];
static atomic_int stop;
static atomic_uint turns;
static int calls[6];

extern void (*firstHandlers[3])(void) __attribute__((weak));

/* Frees what some other thread allocated, and leaves another block there. */
static void exchangeSome(unsigned turn)
{
    for (unsigned i = 0; i < 50; ++i)
        freeBlock(atomic_exchange(&slots[(turn + 5 * i) % Slots], makeBlock(someSize(turn + i))));
}

static void useAll(int handler)
{
    const unsigned turn = atomic_fetch_add(&turns, 1);
    ++calls[handler];
    churn(turn);
    exchangeSome(turn);
}

/* A library's lock, which it allocates under, and keeps free for the child as the front does. No
   allocator can be first of both: where the front is not, such a lock comes after its own. */
static pthread_mutex_t libraryLock = PTHREAD_MUTEX_INITIALIZER;

static void lockLibrary(void)
{
    if (!firstHandlers)
        pthread_mutex_lock(&libraryLock);
}

static void unlockLibrary(void)
{
    if (!firstHandlers)
        pthread_mutex_unlock(&libraryLock);
}

static void earlyPrepare(void)
{
    useAll(0);
    lockLibrary();
}

static void earlyParent(void)
{
    unlockLibrary();
    useAll(1);
}

static void earlyChild(void)
{
    unlockLibrary();
    useAll(2);
}

static void latePrepare(void) { useAll(3); }
static void lateParent(void) { useAll(4); }
static void lateChild(void) { useAll(5); }

static void beforeConstructors(void)
{
    if (!firstHandlers) {
        pthread_atfork(earlyPrepare, earlyParent, earlyChild);
        return;
    }
    firstHandlers[0] = earlyPrepare;
    firstHandlers[1] = earlyParent;
    firstHandlers[2] = earlyChild;
}

__attribute__((section(".preinit_array"), used)) static void (*preinit)(void) = beforeConstructors;

static void *nothing(void *argument)
{
    churn(1);
    return argument;
}

/* Threads come and go as well, and leave what they had behind. */
static void *churnAlways(void *argument)
{
    unsigned turn = (unsigned) (uintptr_t) argument;
    while (!atomic_load(&stop)) {
        exchangeSome(turn += 977);
        lockLibrary();
        churn(turn);
        unlockLibrary();
        if (turn % 4 == 0) {
            pthread_t thread;
            EXPECT(pthread_create(&thread, NULL, nothing, NULL) == 0);
            pthread_join(thread, NULL);
        }
    }
    return NULL;
}

/* Has one of the locks most of the time. */
static void *trimAlways(void *argument)
{
    while (!atomic_load(&stop)) {
        malloc_trim(0);
        churn(3);
    }
    return argument;
}

static void waitFor(pid_t child)
{
    int status = 0;
    EXPECT(child > 0);
    EXPECT(waitpid(child, &status, 0) == child);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void inChild(unsigned turn)
{
    alarm(100); /* only a deadlock takes that long */
    churn(turn);
    exchangeSome(turn);
    malloc_trim(0);
    if (turn % 10 == 0) {
        pthread_t thread;
        EXPECT(pthread_create(&thread, NULL, nothing, NULL) == 0);
        pthread_join(thread, NULL);
        const pid_t child = fork();
        if (child == 0) {
            churn(turn);
            _exit(0);
        }
        waitFor(child);
    }
    _exit(0);
}

int main(void)
{
    pthread_t threads[Churners + 1];
    expectFront();
    EXPECT(pthread_atfork(latePrepare, lateParent, lateChild) == 0);
    for (uintptr_t i = 0; i < Churners; ++i)
        EXPECT(pthread_create(&threads[i], NULL, churnAlways, (void *) i) == 0);
    EXPECT(pthread_create(&threads[Churners], NULL, trimAlways, NULL) == 0);
    for (unsigned turn = 1; turn <= Forks; ++turn) {
        const pid_t child = fork();
        if (child == 0)
            inChild(turn);
        waitFor(child);
    }
    atomic_store(&stop, 1);
    for (int i = 0; i <= Churners; ++i)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < Slots; ++i)
        freeBlock(atomic_exchange(&slots[i], NULL));
    EXPECT(calls[0] == Forks && calls[1] == Forks && calls[2] == 0);
    EXPECT(calls[3] == Forks && calls[4] == Forks && calls[5] == 0);
    return 0;
}
