// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef MODULE_H
#define MODULE_H

#include "pool/qsizedpoolallocator.h"

// The functions of a library of the test, with its own copy of the pools' templates.
struct ModuleFunctions
{
    void *(*allocate)(std::size_t size);
    void (*deallocate)(void *block);
    void *(*allocateShared)(std::size_t size);
    void (*deallocateShared)(void *block, std::size_t size);
    void *(*allocateFixed)();
    void (*deallocateFixed)(void *chunk);
    bool (*owns)(const void *block);
    std::size_t (*live)(std::size_t size);
    std::size_t (*liveFixed)();
};

using SizedPool = QPool::QSizedPoolAllocator<QPool::MultiThreaded>;
using LockedPool = QPool::QSizedPoolAllocator<QPool::SharedPool>;
using FixedPool = QPool::QPoolAllocator<48, QPool::MultiThreaded>;

inline ModuleFunctions functionsOfThisModule()
{
    return { [](std::size_t size) { return SizedPool::allocate(size); },
             [](void *block) { SizedPool::deallocate(block); },
             [](std::size_t size) { return LockedPool::allocate(size); },
             [](void *block, std::size_t size) { LockedPool::deallocate(block, size); },
             [] { return FixedPool::allocate(); },
             [](void *chunk) { FixedPool::deallocate(chunk); },
             [](const void *block) { return SizedPool::sourceContains(block); },
             [](std::size_t size) { return std::size_t(SizedPool::statistics(size).live()); },
             [] { return std::size_t(FixedPool::statistics().live()); } };
}

#endif // MODULE_H
