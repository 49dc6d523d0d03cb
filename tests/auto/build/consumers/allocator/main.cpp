// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include <pool/qpoolallocator.h>

#include <cstdio>
#include <cstring>
#include <thread>

using Pool = QPool::QPoolAllocator<48, QPool::MultiThreaded>;

int main()
{
    void *chunk = Pool::allocate();
    if (!chunk)
        return 1;
    std::memset(chunk, 1, 48);
    std::thread([chunk] { Pool::deallocate(chunk); }).join();
    std::puts("48 bytes");
    return 0;
}
