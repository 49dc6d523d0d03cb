// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLPROCESSORS_H
#define QPOOLPROCESSORS_H

#include "../../allocator/qpoolglobal.h"

QPOOL_BEGIN_NAMESPACE

namespace Os {

/*
    Returns how many processors the calling thread may run on, at least 1: how many threads are
    worth starting, and whether spinning for another thread is worthwhile.

    Counted by affinity on Linux, FreeBSD and Windows: taskset, containers and batch systems give a
    process only some of the machine's processors, and std::thread::hardware_concurrency() of some
    C++ libraries, such as GNU's, counts all of them. Makes a system call each time.
*/
unsigned usableProcessors() noexcept;

} // namespace Os

QPOOL_END_NAMESPACE

#endif // QPOOLPROCESSORS_H
