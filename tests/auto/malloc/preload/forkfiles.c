/* Copyright (C) 2026 The QPool authors
   SPDX-License-Identifier: BSD-3-Clause */

/* fork() while other threads allocate with a lock of the C library: that of its list of open files,
   which fork() itself takes, after it called all handlers. A deadlock ends the process. */

#define _GNU_SOURCE
#include "frontcheck.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>

enum { Forks = 50, Writers = 3, Blocks = 64 };

static atomic_int stop;

/* A stream's own write function, as one that compresses is. New sizes at each call, so that the slow
   paths, which take locks, are come by. */
static ssize_t writeSome(void *cookie, const char *text, size_t length)
{
    unsigned *turn = cookie;
    struct Patterned *blocks[Blocks];
    (void) text;
    for (unsigned i = 0; i < Blocks; ++i)
        blocks[i] = makeBlock(someSize(++*turn));
    for (unsigned i = 0; i < Blocks; ++i)
        freeBlock(blocks[i]);
    return (ssize_t) length;
}

static void writeStream(unsigned turn)
{
    const cookie_io_functions_t functions = { NULL, writeSome, NULL, NULL };
    FILE *file = fopencookie(&turn, "w", functions);
    EXPECT(file);
    for (int i = 0; i < 20; ++i) {
        EXPECT(fputs("some text", file) >= 0);
        EXPECT(fflush(NULL) == 0);
    }
    EXPECT(fclose(file) == 0);
}

static void *writeAlways(void *argument)
{
    for (unsigned turn = (unsigned) (uintptr_t) argument; !atomic_load(&stop); turn += 977) {
        writeStream(turn);
        churn(turn);
        malloc_trim(0);
    }
    return NULL;
}

static void forkOnce(unsigned turn)
{
    int status = 0;
    const pid_t child = fork();
    EXPECT(child >= 0);
    if (child == 0) {
        alarm(100);
        churn(turn);
        writeStream(turn);
        fclose(fopen("/dev/null", "w"));
        _exit(0);
    }
    EXPECT(waitpid(child, &status, 0) == child);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void)
{
    pthread_t threads[Writers];
    expectFront();
    alarm(100);
    forkOnce(0); /* while there is one thread, fork() takes and resets no lock */
    for (uintptr_t i = 0; i < Writers; ++i)
        EXPECT(pthread_create(&threads[i], NULL, writeAlways, (void *) i) == 0);
    for (unsigned turn = 1; turn <= Forks; ++turn)
        forkOnce(turn);
    atomic_store(&stop, 1);
    for (int i = 0; i < Writers; ++i)
        pthread_join(threads[i], NULL);
    writeStream(0);
    return 0;
}
