// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolsharedpools.h"

// Code that compiles the allocator's source files into itself, as QtCore does, does not need these.
#ifdef QPOOL_SHARED

QPOOL_BEGIN_NAMESPACE

#define QPOOL_DEFINE_SHARED_POOL(...) \
    template class ForkHandlers<__VA_ARGS__>; \
    template class __VA_ARGS__;
QPOOL_FOR_SHARED_POOLS(QPOOL_DEFINE_SHARED_POOL)

QPOOL_END_NAMESPACE

#endif // QPOOL_SHARED
