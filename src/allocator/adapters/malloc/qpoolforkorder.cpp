// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

// The order of what happens around a fork(). Of handlers, what is registered first is called last
// before it and first after it.
//
// The pool's handlers come first: those of other libraries allocate, and while the pool's statistics are
// published that takes the memory that is copied for the child before they run. This library asks to be
// initialised before all others, but the dynamic linker listens to one that asks only, the last.
// So whoever registers handlers has the pool's registered before.
//
// Then the lock of glibc's list of open files. fork() takes it after it called all handlers, and those
// of its own heap last of all: so a thread that allocates while it has that list, as fflush(NULL) in a
// stream's own write function may, is let through. With the pool's locks taken before, the forking
// thread would wait for the list, and that thread for the pool. So the list is locked before the
// pool's locks; its lock counts how often a thread has it.

#include "../../models/qpoolthreadarenas.h"
#include "../../os/qpoolforkhandlers.h"
#include "../../os/qpoolos.h"
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
    // In the child fork() may have reset the lock, and does not where there is one thread. Nobody else
    // can have it there.
    if (_IO_list_lock && _IO_list_unlock && _IO_list_resetlock)
        Os::aroundFork(&_IO_list_lock, &_IO_list_unlock, &_IO_list_resetlock);
}

__attribute__((constructor)) static void registerAtLoad() noexcept
{
    registerAll();
}

// What pthread_atfork() calls, which is compiled into each library.
extern "C" QPOOL_EXPORT int __register_atfork(void (*before)(), void (*inParent)(), void (*inChild)(),
                                              void *library) noexcept
{
    if (library != __dso_handle)
        registerAll();
    return LibC::registerAroundFork(before, inParent, inChild, library);
}
