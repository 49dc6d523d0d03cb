// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLNEWFAILURES_H
#define QPOOLNEWFAILURES_H

#include "../../qpoolglobal.h"

#include <new>

QPOOL_BEGIN_NAMESPACE

/*
    What operator new does after the heap had no memory: calls the new-handler for as long as there is
    one, and tries again; throws std::bad_alloc, or returns null where it is not to throw.

    All that is used of the C++ library is weak, or looked up, as there may be none: then nobody can
    have called these but by mistake, and the process is aborted.
*/
namespace NewFailure {

QPOOL_LOCAL void *allocate(std::size_t size);
QPOOL_LOCAL void *allocate(std::size_t size, std::align_val_t alignment);
QPOOL_LOCAL void *allocate(std::size_t size, const std::nothrow_t &tag) noexcept;
QPOOL_LOCAL void *allocate(std::size_t size, std::align_val_t alignment,
                           const std::nothrow_t &tag) noexcept;

// The program's own operator, for one that is not to throw.
QPOOL_LOCAL void *callOrNull(void *(*function)(std::size_t), std::size_t size) noexcept;
QPOOL_LOCAL void *callOrNull(void *(*function)(std::size_t, std::align_val_t), std::size_t size,
                             std::align_val_t alignment) noexcept;

} // namespace NewFailure

QPOOL_END_NAMESPACE

#endif // QPOOLNEWFAILURES_H
