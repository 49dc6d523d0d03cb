// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLPROCESSORS_H
#define QPOOLPROCESSORS_H

#include "../qpoolglobal.h"

QPOOL_BEGIN_NAMESPACE

namespace Os {

/*
    How many processors the calling thread may run on, 1 at least: how many threads are worth
    starting, and whether it is worth to spin for another one.

    Counted by affinity, on Linux, FreeBSD and Windows: taskset, containers and batch systems give a
    process a few of the machine's processors, and std::thread::hardware_concurrency() of some C++
    libraries, GNU's among them, tells how many the machine has. A system call each time.
*/
unsigned usableProcessors() noexcept;

} // namespace Os

QPOOL_END_NAMESPACE

#endif // QPOOLPROCESSORS_H
