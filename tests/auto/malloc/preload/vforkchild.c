/* Copyright (C) 2026 The QPool authors
   SPDX-License-Identifier: BSD-3-Clause */

/* The child of vfork() works on its parent's memory, and with its parent's arena, while other
   threads go on. */

#define _DEFAULT_SOURCE
#include "frontcheck.h"

#include <pthread.h>
#include <spawn.h>
#include <stdatomic.h>
#include <sys/wait.h>

static atomic_int stop;
extern char **environ;

enum { Count = 1000 };
static struct Patterned *blocks[Count];

static void *churnAlways(void *argument)
{
    for (unsigned turn = 0; !atomic_load(&stop); ++turn)
        churn(turn);
    return argument;
}

static void waitFor(pid_t child)
{
    int status = 0;
    EXPECT(waitpid(child, &status, 0) == child);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* Apart from vfork(), whose caller must not return in the child. */
__attribute__((noinline)) static void useAll(unsigned turn)
{
    for (unsigned i = 0; i < Count; ++i) {
        if (i % 2)
            freeBlock(blocks[i]);
        if (i % 2 || !blocks[i])
            blocks[i] = makeBlock(someSize(turn + i));
    }
    churn(turn);
}

int main(void)
{
    pthread_t thread;
    expectFront();
    EXPECT(pthread_create(&thread, NULL, churnAlways, NULL) == 0);
    for (unsigned turn = 0; turn < 50; ++turn) {
        useAll(turn);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
        const pid_t child = vfork();
#pragma GCC diagnostic pop
        if (child == 0) {
            useAll(turn + 1000);
            if (turn % 2)
                _exit(0);
            execlp("true", "true", (char *) NULL);
            _exit(3);
        }
        EXPECT(child > 0);
        waitFor(child);
        for (unsigned i = 0; i < Count; ++i)
            checkBlock(blocks[i]);

        char name[] = "true";
        char *arguments[] = { name, NULL };
        pid_t spawned;
        EXPECT(posix_spawnp(&spawned, name, NULL, NULL, arguments, environ) == 0);
        waitFor(spawned);
    }
    EXPECT(system("exit 0") == 0);
    atomic_store(&stop, 1);
    pthread_join(thread, NULL);
    for (unsigned i = 0; i < Count; ++i)
        freeBlock(blocks[i]);
    return 0;
}
