// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A program of one thread that forks in a signal handler, which interrupted the pool in the middle of a
// call of the system, or fork() after the pool's handlers before it.

#include "../shared/pool.h"
#include "endings.h"

#include <memory>
#include <vector>

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

// Changed in functions of the C library that the compiler believes not to call back.
volatile int mayInterrupt = 0; // and how often
volatile int interruptions = 0;
volatile int failures = 0;

void interrupt()
{
    if (mayInterrupt <= 0)
        return;
    mayInterrupt = mayInterrupt - 1;
    raise(SIGUSR1);
}

template <int size>
bool useEvents()
{
    std::vector<std::unique_ptr<QEvent>> events;
    for (int i = 0; i < 3; ++i)
        events.emplace_back(new SizedEvent<size>);
    if constexpr (size < 800)
        return useEvents<size + 40>();
    return events.size() == 3;
}

int exitCodeOf(pid_t child)
{
    int status = -1;
    return waitpid(child, &status, 0) == child ? status : -1;
}

void forkInSignalHandler(int)
{
    interruptions = interruptions + 1;
    const pid_t child = ::fork();
    if (child == 0) {
        alarm(100); // only a deadlock takes that long
        mayInterrupt = 0;
        const std::unique_ptr<QObject> object(new QObject);
        _exit(useEvents<64>() ? 0 : 1);
    }
    if (exitCodeOf(child) != 0)
        failures = failures + 1;
}

// Before QtCore registers its own: these run between those and the fork.
void registerHandlers()
{
    pthread_atfork(interrupt, interrupt, interrupt);
}

__attribute__((section(".preinit_array"), used)) void (*const beforeAll)() = registerHandlers;

} // namespace

// QtCore finds these.
extern "C" int mprotect(void *address, std::size_t bytes, int protection) noexcept
{
    interrupt();
    return int(syscall(SYS_mprotect, address, bytes, protection));
}

extern "C" int madvise(void *address, std::size_t bytes, int advice) noexcept
{
    interrupt();
    return int(syscall(SYS_madvise, address, bytes, advice));
}

int forkedInSignalHandler(QCoreApplication &)
{
    struct sigaction action = {};
    action.sa_handler = forkInSignalHandler;
    sigaction(SIGUSR1, &action, nullptr);
    const bool usesPool = isPooled(std::make_unique<QObject>().get());

    mayInterrupt = 50;
    for (int turn = 0; turn < 3; ++turn) {
        std::vector<std::unique_ptr<QEvent>> events;
        for (int i = 0; i < 5000; ++i)
            events.emplace_back(new SizedEvent<640>);
        events.clear();
        qt_pool_allocator_trim();
    }
    mayInterrupt = 0;
    if (usesPool && interruptions < 5)
        return 1;

    for (int i = 0; i < 20; ++i) {
        const int before = interruptions;
        mayInterrupt = 1 + i % 3;
        const pid_t child = ::fork();
        mayInterrupt = 0;
        if (child == 0)
            _exit(useEvents<64>() && failures == 0 ? 0 : 1);
        if (exitCodeOf(child) != 0 || interruptions == before)
            return 2;
        useEvents<64>();
    }
    return failures == 0 ? 0 : 3;
}
