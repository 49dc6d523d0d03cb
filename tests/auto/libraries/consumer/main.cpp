// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A foreign program: includes all public headers by their public names.

#include "all.h"
// The names inside of the library, which were the only ones once.
#include <pool/qpoolallocator.h>

#include <cstdio>
#include <thread>

int main()
{
    using Pool = QPool::QPoolAllocator<48>;
    QPool::BlockingSpscQueue<void *> queue(16);
    std::thread other([&] {
        void *chunk = nullptr;
        while (queue.pop(chunk))
            Pool::deallocate(chunk);
    });
    for (int i = 0; i < 1000; ++i)
        queue.push(Pool::allocate());
    queue.close();
    other.join();
    Pool::flush();
    const QPool::BinStatistics statistics = Pool::statistics();
    std::printf("%llu allocated, standard %ld\n", (unsigned long long)statistics.allocated,
                long(__cplusplus));
    return statistics.allocated == 1000 ? 0 : 1;
}
