/* Copyright (C) 2026 The QPool authors
   SPDX-License-Identifier: BSD-3-Clause */

/* A program of one thread that forks in a signal handler, which interrupted fork(), the heap in the
   middle of a call of the system, or anything. As on glibc, both processes go on; the child may also
   allocate, and return from the handler. A deadlock ends the child, or the test. With malloc_handlersbeforeall,
   the handler interrupts fork() when all of the front's fork handlers have run. */

#define _GNU_SOURCE
#include "frontcheck.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>

enum { Forks = 30, Interrupted = 120, Timed = 100, Kept = 10000 };

static int usesPool;
/* Changed in functions of the C library that the compiler believes not to call back. */
static volatile int signals;
static volatile int mayInterrupt; /* and how often */
static volatile int timedSignals; /* that are to come */
static struct Patterned *kept[Kept];

extern void (*firstHandlers[3])(void) __attribute__((weak));

/* Of the front too: each is called in the middle of a slow path, with locks held or without. */
static void interrupt(void)
{
    if (mayInterrupt > 0) {
        --mayInterrupt;
        raise(SIGUSR1);
    }
}

int mprotect(void *address, size_t bytes, int protection)
{
    interrupt();
    const int result = (int) syscall(SYS_mprotect, address, bytes, protection);
    interrupt();
    return result;
}

int madvise(void *address, size_t bytes, int advice)
{
    interrupt();
    const int result = (int) syscall(SYS_madvise, address, bytes, advice);
    interrupt();
    return result;
}

static void useEachClass(void)
{
    for (size_t size = sizeof(struct Patterned); size <= MaxPooledSize + 100; size += 16) {
        struct Patterned *blocks[3];
        for (int i = 0; i < 3; ++i)
            blocks[i] = makeBlock(size);
        blocks[0] = fillBlock(realloc(blocks[0], size + 100), size + 100);
        for (int i = 0; i < 3; ++i)
            freeBlock(blocks[i]);
    }
}

static volatile int isGoingOn; /* a child that returned from the handler */

/* Even in the handler, where the signal is blocked. */
static void endIfHanging(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    signal(SIGALRM, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    alarm(100);
}

static void endIfGoingOn(void)
{
    if (!isGoingOn)
        return;
    useEachClass();
    malloc_trim(0);
    useEachClass();
    _exit(0);
}

static void waitFor(pid_t child)
{
    int status = 0;
    EXPECT(child > 0);
    while (waitpid(child, &status, 0) < 0) {
        endIfGoingOn(); /* the handler interrupted this, and it is the parent's child */
        EXPECT(errno == EINTR);
    }
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* Once: the next signal comes after this one was served, however slow the machine is. */
static void startTimer(void)
{
    static unsigned turn;
    const struct itimerval timer = { { 0, 0 }, { 0, 20 + ++turn * 37 % 400 } };
    EXPECT(setitimer(ITIMER_REAL, &timer, NULL) == 0);
}

/* Every fifth child goes on where its parent was interrupted. */
static void forkInHandler(int number)
{
    const int saved = errno;
    if (isGoingOn)
        return;
    ++signals;
    const pid_t child = fork();
    if (child == 0) {
        endIfHanging();
        mayInterrupt = 0;
        if (signals % 5 != 0) {
            if (usesPool)
                useEachClass();
            _exit(0);
        }
        isGoingOn = 1;
        return;
    }
    waitFor(child);
    if (number == SIGALRM && --timedSignals > 0)
        startTimer();
    errno = saved;
}

/* Only sizes of the pool: the child of a handler that interrupted the C library's own malloc() cannot
   call it again. */
static void churnMuch(unsigned seed)
{
    for (unsigned i = 0; i < Kept; ++i)
        kept[i] = makeBlock(sizeof(struct Patterned) + someSize(seed + i) % (MaxPooledSize - sizeof(struct Patterned)));
    for (unsigned i = 0; i < Kept; ++i)
        freeBlock(kept[i]);
    endIfGoingOn();
}

static void forkOnce(void)
{
    const pid_t child = fork();
    if (child == 0) {
        mayInterrupt = 0;
        isGoingOn = 1;
        endIfGoingOn();
    }
    waitFor(child);
    endIfGoingOn();
}

static void interruptedCalls(void)
{
    mayInterrupt = Interrupted;
    for (unsigned turn = 0; turn < 10; ++turn) {
        churnMuch(turn);
        malloc_trim(0);
        endIfGoingOn();
    }
    mayInterrupt = 0;
    EXPECT(!usesPool || signals >= 20);
}

static void atFork(void) { interrupt(); }

static void interruptedForks(void)
{
    for (int i = 0; i < Forks; ++i) {
        mayInterrupt = 1 + i % 3; /* before fork(), and in both processes after it */
        forkOnce();
        useEachClass();
    }
    mayInterrupt = 0;
}

/* Anywhere: when is left to chance, but not how often. */
static void interruptedAnywhere(void)
{
    timedSignals = Timed;
    startTimer();
    for (unsigned turn = 0; timedSignals > 0; ++turn) {
        forkOnce();
        churnMuch(turn);
    }
}

int main(void)
{
    struct sigaction action = { .sa_handler = forkInHandler, .sa_flags = SA_RESTART };
    void *block = malloc(1);
    usesPool = isPooled(block);
    free(block);
    expectFront();
    sigaddset(&action.sa_mask, SIGALRM);
    sigaddset(&action.sa_mask, SIGUSR1);
    EXPECT(sigaction(SIGUSR1, &action, NULL) == 0 && sigaction(SIGALRM, &action, NULL) == 0);
    if (firstHandlers) {
        for (int i = 0; i < 3; ++i)
            firstHandlers[i] = atFork;
    }
    EXPECT(pthread_atfork(atFork, atFork, atFork) == 0);
    interruptedCalls();
    interruptedForks();
    interruptedAnywhere();
    useEachClass();
    return 0;
}
