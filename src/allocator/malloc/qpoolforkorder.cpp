// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

// The order of what happens around a fork(). The handlers registered first are called last before
// it and first after it.
//
// The pool's handlers must be registered first. Handlers of other libraries allocate; while the
// pool's statistics are published, that needs the memory that the pool's handlers copy for the
// child, so these have to run first in the child. This library requests to be initialised before
// all others, but the dynamic linker grants this only to one library, the last that requests it. So
// registering any other handler registers the pool's first.
//
// The second is the lock of glibc's list of open files. fork() takes it after it has called all
// handlers, and those of its own heap last of all, so that a thread that holds the list and
// allocates, as fflush(NULL) in a stream's own write function may, can go on. If the pool's locks
// were taken first, the forking thread would wait for the list, and that thread for the pool. So
// the list is locked before the pool's locks; its lock is recursive.

#include "../models/qpoolthreadarenas.h"
#include "../os/qpoolforkhandlers.h"
#include "../os/qpoolos.h"
#include "qpoolheap.h"

extern "C" {
void _IO_list_lock() __attribute__((weak));
void _IO_list_unlock() __attribute__((weak));
void _IO_list_resetlock() __attribute__((weak));
extern void *__dso_handle;
}

using namespace QPool;

using PoolHandlers
        = ForkHandlers<ThreadArenas<MultiThreaded, ProcessPool::LayoutUsed, PublishedPages>>;

static void registerAll() noexcept
{
    static std::atomic<bool> done { false };
    if (done.exchange(true, std::memory_order_relaxed))
        return;
    PoolHandlers::atLatest();
    // In the child, fork() may have reset the lock, but does not if there is only one thread. No
    // other thread can hold it there.
    if (_IO_list_lock && _IO_list_unlock && _IO_list_resetlock)
        Os::aroundFork(&_IO_list_lock, &_IO_list_unlock, &_IO_list_resetlock);
}

__attribute__((constructor)) static void registerAtLoad() noexcept
{
    registerAll();
}

// Called by pthread_atfork(), which is compiled into each library.
extern "C" QPOOL_EXPORT int __register_atfork(void (*before)(), void (*inParent)(), void (*inChild)(),
                                              void *library) noexcept
{
    if (library != __dso_handle)
        registerAll();
    return LibC::registerAroundFork(before, inParent, inChild, library);
}
