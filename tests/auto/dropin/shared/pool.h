// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef POOL_H
#define POOL_H

#include "../../shared/poolsnapshot.h"

#include <dlfcn.h>

// The pool as a program built without it sees it: by its symbols' names, if they are there.
namespace Pool {

template <class Function>
Function resolve(const char *name)
{
    return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

inline PoolSnapshot::Function snapshotFunction()
{
    return resolve<PoolSnapshot::Function>("qt_pool_allocator_snapshot");
}

// All zero under the distribution's library.
inline PoolSnapshot snapshot()
{
    const PoolSnapshot::Function function = snapshotFunction();
    return function ? PoolSnapshot::take(function) : PoolSnapshot(QByteArray());
}

inline bool isActive()
{
    return snapshot().isEnabled();
}

inline bool owns(const void *pointer)
{
    using Function = bool (*)(const void *);
    const auto function = resolve<Function>("qt_pool_allocator_owns");
    return function && function(pointer);
}

inline void idle()
{
    if (const auto function = resolve<int (*)()>("qt_pool_allocator_idle"))
        function();
}

} // namespace Pool

#endif // POOL_H
