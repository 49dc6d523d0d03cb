// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A library that has its part of the process's pool, as QtCore has.

#include "companion.h"

#include "pool/qprocesspool.h"

using namespace QPool;

void *companionAllocate(std::size_t size)
{
    return ProcessPool::allocate(ProcessLayout::bin(Domain::Object, size));
}

bool companionOwns(const void *chunk)
{
    return ProcessPool::sourceContains(chunk);
}

void companionDeallocate(void *chunk)
{
    ProcessPool::deallocate(chunk);
}
