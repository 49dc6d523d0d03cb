// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef WAITINGCHILD_H
#define WAITINGCHILD_H

#include <csignal>
#include <utility>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// A forked process that does what it is told by \a body and then waits to be told to go on.
// \a body says, by true, that it is ready.
class WaitingChild
{
public:
    template <class Body, class Afterwards>
    WaitingChild(Body &&body, Afterwards &&afterwards)
    {
        int fromChild[2];
        int toChild[2];
        if (pipe(fromChild) != 0 || pipe(toChild) != 0)
            return;
        m_pid = fork();
        if (m_pid == 0) {
            alarm(120);
            close(toChild[1]); // so that the parent's end is the only one
            char ready = body();
            if (write(fromChild[1], &ready, 1) != 1 || read(toChild[0], &ready, 1) < 0)
                _exit(127);
            afterwards();
            _exit(0);
        }
        close(fromChild[1]);
        close(toChild[0]);
        m_tell = toChild[1];
        char ready = 0;
        m_ready = read(fromChild[0], &ready, 1) == 1 && ready;
        close(fromChild[0]);
    }

    template <class Body>
    explicit WaitingChild(Body &&body) : WaitingChild(std::forward<Body>(body), [] { }) { }

    ~WaitingChild()
    {
        if (!m_waited)
            kill();
    }

    bool isReady() const { return m_ready; }
    pid_t pid() const { return m_pid; }
    void tell() { close(std::exchange(m_tell, -1)); }

    int wait()
    {
        if (m_tell >= 0)
            tell();
        int status = -1;
        waitpid(m_pid, &status, 0);
        m_waited = true;
        return status;
    }

    // Ended, but not asked after yet: a zombie.
    void killOnly()
    {
        ::kill(m_pid, SIGKILL);
        siginfo_t info;
        waitid(P_PID, id_t(m_pid), &info, WEXITED | WNOWAIT);
    }

    void kill()
    {
        ::kill(m_pid, SIGKILL);
        wait();
    }

private:
    pid_t m_pid = -1;
    int m_tell = -1;
    bool m_ready = false;
    bool m_waited = false;
};

inline void lower(int resource, rlim_t value)
{
    const rlimit limit = { value, value };
    setrlimit(__rlimit_resource_t(resource), &limit);
}

#endif // WAITINGCHILD_H
