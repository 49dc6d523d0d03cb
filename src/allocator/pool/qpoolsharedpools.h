// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSHAREDPOOLS_H
#define QPOOLSHAREDPOOLS_H

// Included by qsizedpoolallocator.h, at its end.
#include "qsizedpoolallocator.h"

#include "../os/qpoolforkhandlers.h"

// The pools of all sizes, whose state is in libqpool.so: code that is compiled against the library
// has no state of its own, however it is loaded. Pools of one chunk size are instantiated from
// templates in every user's binary, and the dynamic linker merges those that it sees.
#define QPOOL_FOR_SHARED_POOLS(Instantiate) \
    Instantiate(ThreadArenas<MultiThreaded, LayoutInUse<AllSizes, SystemPages>, SystemPages>) \
    Instantiate(ThreadArenas<MultiPool, LayoutInUse<AllSizes, SystemPages>, SystemPages>) \
    Instantiate(SharedPool::Pool<LayoutInUse<AllSizes, SystemPages>, SystemPages>) \
    Instantiate(SingleThreaded::Pool<LayoutInUse<AllSizes, SystemPages>, SystemPages>)

QPOOL_BEGIN_NAMESPACE

#define QPOOL_DECLARE_SHARED_POOL(...) \
    extern template class ForkHandlers<__VA_ARGS__>; \
    extern template class __VA_ARGS__;
QPOOL_FOR_SHARED_POOLS(QPOOL_DECLARE_SHARED_POOL)
#undef QPOOL_DECLARE_SHARED_POOL

QPOOL_END_NAMESPACE

#endif // QPOOLSHAREDPOOLS_H
