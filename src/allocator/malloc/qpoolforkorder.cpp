// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

// The order of what happens around a fork(). The handlers registered first are called last before
// it and first after it.
//
// The pool's handlers must be registered first. Handlers of other libraries allocate; while the
// pool's statistics are published, that needs the memory that the pool's handlers copy for the
// child, so these have to run first in the child. So they are registered at the front's first use, if
// the pool is not disabled, and in any case before any other handler: a library may register one
// before the C library knows the environment, and nothing shows then whether the pool is disabled.
//
// The second is the lock of glibc's list of open files. fork() takes it after it has called all
// handlers, and those of its own heap last of all, so that a thread that holds the list and
// allocates, as fflush(NULL) in a stream's own write function may, can go on. If the pool's locks
// were taken first, the forking thread would wait for the list, and that thread for the pool. So
// the list is locked before the pool's locks; its lock is recursive. Like fork() itself, and for the
// reason that Mutex gives, the only thread of a process does not lock it.

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

QPOOL_BEGIN_NAMESPACE

namespace {

using PoolHandlers
        = ForkHandlers<ThreadArenas<MultiThreaded, ProcessPool::LayoutUsed, PublishedPages>>;

// How often the thread has locked the list to fork.
QPOOL_THREAD_LOCAL unsigned s_listLocks QPOOL_TLS_MODEL = 0;

void lockList() noexcept
{
    if (Os::isSingleThreaded())
        return;
    _IO_list_lock();
    ++s_listLocks;
}

void unlockList() noexcept
{
    if (s_listLocks == 0)
        return;
    --s_listLocks;
    _IO_list_unlock();
}

// fork() may have reset the lock, but does not if there is only one thread. No other thread can hold
// it here.
void resetList() noexcept
{
    if (s_listLocks == 0)
        return;
    s_listLocks = 0;
    _IO_list_resetlock();
}

} // namespace

void registerForkOrder() noexcept
{
    static std::atomic<bool> done { false };
    if (done.exchange(true, std::memory_order_relaxed))
        return;
    PoolHandlers::atLatest();
    if (_IO_list_lock && _IO_list_unlock && _IO_list_resetlock)
        Os::aroundFork(&lockList, &unlockList, &resetList);
}

QPOOL_END_NAMESPACE

// Called by pthread_atfork(), which is compiled into each library.
extern "C" QPOOL_EXPORT int __register_atfork(void (*before)(), void (*inParent)(), void (*inChild)(),
                                              void *library) noexcept
{
    using namespace QPool;
    if (library != __dso_handle && (!environ || ProcessLayout::needsForkHandlers()))
        registerForkOrder();
    return LibC::registerAroundFork(before, inParent, inChild, library);
}
