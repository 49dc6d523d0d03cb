// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Exactly eight kilobytes: no heap, no system calls, no threads, no exceptions. When the buffer is
// used up, allocate() returns null, and the program decides what to do.

#define QPOOL_FREESTANDING
#include <qpool/qpoolallocator.h>

#include <cstdio>

struct Sample
{
    unsigned time;
    short values[10];
};
using Buffer = QPool::StaticPages<8 * 1024>;
using Pool = QPool::QPoolAllocator<sizeof(Sample), QPool::SingleThreaded, Buffer>;

int main()
{
    Sample *kept[8 * 1024 / sizeof(Sample)];
    unsigned count = 0;
    while (void *chunk = Pool::allocate()) {
        kept[count] = static_cast<Sample *>(chunk);
        kept[count]->time = count;
        ++count;
    }
    std::printf("%u samples fit into %zu bytes\n", count, Buffer::memory().reserved);

    // Free the oldest half to make room.
    for (unsigned i = 0; i < count / 2; ++i)
        Pool::deallocate(kept[i]);
    unsigned more = 0;
    while (Pool::allocate())
        ++more;
    std::printf("%u samples are dropped, and %u new ones fit\n", count / 2, more);
    return more == count / 2 ? 0 : 1;
}
