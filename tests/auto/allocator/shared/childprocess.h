// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef CHILDPROCESS_H
#define CHILDPROCESS_H

#include <cstdio>
#include <utility>

#include <sys/wait.h>
#include <unistd.h>

// Runs \a body in a forked child, which ends with the code that it returns. The child is killed if it
// hangs.
template <class Body>
pid_t startChild(Body &&body)
{
    constexpr unsigned timeout = 120; // seconds; only a deadlock takes that long
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        alarm(timeout);
        _exit(body());
    }
    return child;
}

// Waits for the child, and returns its code, or 128 and the number of the signal that ended it; -1 if it
// was not started.
inline int exitCodeOf(pid_t child)
{
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// For what changes a process for good: limits, exhausted keys, fork itself.
template <class Body>
int exitCodeOfChild(Body &&body)
{
    return exitCodeOf(startChild(std::forward<Body>(body)));
}

#endif // CHILDPROCESS_H
