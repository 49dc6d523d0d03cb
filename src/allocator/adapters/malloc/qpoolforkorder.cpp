// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

// fork() locks glibc's list of open files after it called all handlers, and its heap last of all: so
// a thread that allocates while it has that list, as fflush(NULL) in a stream's own write function may,
// is let through. The pool's locks are taken by handlers, before: the forking thread would wait for the
// list with the pool's locks, and that thread the other way round. So the list is locked here, before
// the pool's locks; its lock counts how often a thread has it.

#include "../../models/qpoolthreadarenas.h"
#include "../../os/qpoolforkhandlers.h"
#include "../../os/qpoolos.h"
#include "../../pool/qprocesspool.h"

extern "C" {
void _IO_list_lock() __attribute__((weak));
void _IO_list_unlock() __attribute__((weak));
void _IO_list_resetlock() __attribute__((weak));
}

QPOOL_BEGIN_NAMESPACE

// What is registered later is called first before the fork and last after it.
__attribute__((constructor)) static void lockFilesBeforePool() noexcept
{
    if (!_IO_list_lock || !_IO_list_unlock || !_IO_list_resetlock)
        return;
    ForkHandlers<ThreadArenas<MultiThreaded, ProcessPool::LayoutUsed, PublishedPages>>::atLatest();
    // In the child fork() may have reset the lock, and does not where there is one thread. Nobody else
    // can have it there.
    Os::aroundFork(&_IO_list_lock, &_IO_list_unlock, &_IO_list_resetlock);
}

QPOOL_END_NAMESPACE
