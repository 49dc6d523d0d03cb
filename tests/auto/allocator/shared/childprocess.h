// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef CHILDPROCESS_H
#define CHILDPROCESS_H

#include <cstdio>

#include <sys/wait.h>
#include <unistd.h>

// Runs \a body in a forked child and returns the code it ends with, or 128 and the number of
// the signal that ended it. For what changes a process for good: limits, exhausted keys, fork
// itself. The child is killed if it hangs.
template <class Body>
int exitCodeOfChild(Body &&body)
{
    constexpr unsigned timeout = 120; // seconds; only a deadlock takes that long
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child < 0)
        return -1;
    if (child == 0) {
        alarm(timeout);
        _exit(body());
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

#endif // CHILDPROCESS_H
