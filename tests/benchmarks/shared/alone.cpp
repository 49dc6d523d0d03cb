// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// bench_alone PROGRAM [ARGUMENTS]: runs a QTest program in a process of one thread. QTest starts a
// watchdog thread unless a debugger is attached, and glibc's malloc takes locks as soon as there is
// a second thread. This program therefore attaches like a debugger, and does nothing else. Its exit
// code is the program's.

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

[[noreturn]] void fail(const char *what)
{
    std::fprintf(stderr, "bench_alone: %s: %s\n", what, std::strerror(errno));
    std::_Exit(125);
}

// Only once it is attached to; the end of the file means that it could not be.
[[noreturn]] void runWhenAttached(int pipe, char **command)
{
    char go;
    if (read(pipe, &go, 1) != 1)
        std::_Exit(125);
    close(pipe);
    execvp(command[0], command);
    fail(command[0]);
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 2) {
        std::fputs("usage: bench_alone PROGRAM [ARGUMENTS]\n", stderr);
        return 2;
    }
    int pipes[2];
    if (pipe(pipes) != 0)
        fail("pipe");
    const pid_t child = fork();
    if (child < 0)
        fail("fork");
    if (child == 0) {
        close(pipes[1]);
        runWhenAttached(pipes[0], argv + 1);
    }
    close(pipes[0]);
    // It must not go on by itself when the runner loses patience and ends this process.
    if (ptrace(PTRACE_SEIZE, child, nullptr, PTRACE_O_EXITKILL) != 0)
        fail("cannot attach to the program, so it would have a second thread");
    if (write(pipes[1], "", 1) != 1)
        fail("write");
    close(pipes[1]);

    for (;;) {
        int status;
        if (waitpid(child, &status, 0) != child) {
            if (errno == EINTR)
                continue;
            fail("waitpid");
        }
        if (WIFEXITED(status))
            return WEXITSTATUS(status);
        if (WIFSIGNALED(status)) {
            std::signal(WTERMSIG(status), SIG_DFL);
            std::raise(WTERMSIG(status));
            return 125;
        }
        // Each signal first stops the program and is passed on here; a stop that the kernel itself
        // causes (status >> 16) is not a signal.
        const int signal = status >> 16 ? 0 : WSTOPSIG(status);
        ptrace(PTRACE_CONT, child, nullptr, signal);
    }
}
