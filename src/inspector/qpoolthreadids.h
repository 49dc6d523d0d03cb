// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLTHREADIDS_H
#define QPOOLTHREADIDS_H

#include "qpoolprocfolder.h"

#include <cstdint>
#include <map>
#include <vector>

namespace QPool {

/*
    The threads of a process, by an address in the record that the C library keeps of each, at the end of the
    thread's stack: it tells the system where in that record the list of robust mutexes is. The stack pointer itself
    is known of threads that sleep only.
*/
class ThreadIds
{
public:
    explicit ThreadIds(const ProcFolder &process);

    // An address in the stack of each thread but the first, which has its record elsewhere; sorted.
    std::vector<std::uintptr_t> stacks(std::int64_t pid) const;

    // The system's number of the thread that calls itself so (pthread_self()); 0 if there is none.
    std::int64_t of(std::uintptr_t self) const;

private:
    std::map<std::uintptr_t, std::int64_t> m_threads; // by the address
};

} // namespace QPool

#endif // QPOOLTHREADIDS_H
