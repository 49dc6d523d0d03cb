/* Copyright (C) 2026 The QPool authors
   SPDX-License-Identifier: BSD-3-Clause */

/* The C library prepares its own allocator at its first use, and expects one thread then. The front
   serves every block, so the first use may be a call of several threads. */

#include "frontcheck.h"

#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { Processes = 300, Threads = 4 };

static atomic_int ready;

static void *trim(void *argument)
{
    atomic_fetch_add(&ready, 1);
    while (atomic_load(&ready) < Threads) { }
    malloc_trim(0);
    return argument;
}

static int trimAtOnce(void)
{
    pthread_t threads[Threads];
    for (int i = 0; i < Threads; ++i)
        EXPECT(pthread_create(&threads[i], NULL, trim, NULL) == 0);
    for (int i = 0; i < Threads; ++i)
        pthread_join(threads[i], NULL);
    return 0;
}

int main(void)
{
    expectFront();
    for (int i = 0; i < Processes; ++i) {
        int status = 0;
        const pid_t child = fork();
        EXPECT(child >= 0);
        if (child == 0)
            _exit(trimAtOnce());
        EXPECT(waitpid(child, &status, 0) == child);
        EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    return 0;
}
