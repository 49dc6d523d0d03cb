// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef LOGGEDPOLLS_H
#define LOGGEDPOLLS_H

#include "scriptedsteps.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// A program that includes this defines the functions that poll, so that Qt's and GLib's calls come here
// first.
struct pollfd;

// So many polls of scripted threads end as if a signal had arrived.
inline int s_interruptions = 0;

static int logAndPoll(pollfd *descriptors, unsigned long count, const timespec *timeout)
{
    timespec time = timeout ? *timeout : timespec();
    ScriptedSteps *steps = ScriptedSteps::ofThisThread();
    if (steps && s_interruptions > 0) {
        --s_interruptions;
        errno = EINTR;
        return -1;
    }
    if (steps && steps->log) {
        const bool none = timeout && time.tv_sec == 0 && time.tv_nsec == 0;
        steps->log(none ? "look" : timeout ? "wait" : "sleep");
        if (timeout && !none)
            time = { 0, 1000 }; // time flies, in waits that are logged
    }
    return int(syscall(SYS_ppoll, descriptors, count, timeout ? &time : nullptr, nullptr, 8));
}

extern "C" int ppoll(pollfd *descriptors, unsigned long count, const timespec *timeout, const sigset_t *)
{
    return logAndPoll(descriptors, count, timeout);
}

extern "C" int poll(pollfd *descriptors, unsigned long count, int timeout)
{
    const timespec time = { timeout / 1000, timeout % 1000 * 1'000'000L };
    return logAndPoll(descriptors, count, timeout < 0 ? nullptr : &time);
}

#endif // LOGGEDPOLLS_H
