// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// The smallest program with the pool.

#include "board.h"
#include "heaps.h"

int main()
{
    void *block = PoolHeap::allocate(24);
    PoolHeap::deallocate(block);
    return block ? 0 : 1;
}
