// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLNEWFAILURES_H
#define QPOOLNEWFAILURES_H

#include "../qpoolglobal.h"

#include <new>

QPOOL_BEGIN_NAMESPACE

/*
    What operator new does after the heap had no memory: calls the new-handler as long as there is
    one and tries again; then throws std::bad_alloc, or returns null if it must not throw.

    Everything used of the C++ library is weak or looked up, because there may be none: then these
    can only be called by mistake, and the process aborts.
*/
namespace NewFailure {

QPOOL_LOCAL void *allocate(std::size_t size);
QPOOL_LOCAL void *allocate(std::size_t size, std::align_val_t alignment);
QPOOL_LOCAL void *allocate(std::size_t size, const std::nothrow_t &tag) noexcept;
QPOOL_LOCAL void *allocate(std::size_t size, std::align_val_t alignment,
                           const std::nothrow_t &tag) noexcept;

// Calls the program's own operator, for one that must not throw.
QPOOL_LOCAL void *callOrNull(void *(*function)(std::size_t), std::size_t size) noexcept;
QPOOL_LOCAL void *callOrNull(void *(*function)(std::size_t, std::align_val_t), std::size_t size,
                             std::align_val_t alignment) noexcept;

} // namespace NewFailure

QPOOL_END_NAMESPACE

#endif // QPOOLNEWFAILURES_H
