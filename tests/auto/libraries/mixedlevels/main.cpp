// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// The rest of the program: of the library's own level and cache line.

#include "pool/qsizedpoolallocator.h"

int main()
{
    void *block = QPool::QSizedPoolAllocator<>::allocate(64);
    QPool::QSizedPoolAllocator<>::deallocate(block);
    return block ? 0 : 1;
}
