// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A counter for each thread. No two counters share a cache line, so the additions of one thread do
// not slow down those of another.

#include <qpool/qcachelineallocator.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <list>
#include <thread>
#include <vector>

int main()
{
    using Counter = std::atomic<long>;
    std::list<Counter, QPool::CacheLineAllocator<Counter>> counters(4);
    std::vector<std::thread> threads;
    for (Counter &counter : counters) {
        threads.emplace_back([&counter] {
            for (int i = 0; i < 100000; ++i)
                counter.fetch_add(1, std::memory_order_relaxed);
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    long sum = 0;
    for (const Counter &counter : counters) {
        std::printf("cache line %ju: %ld\n",
                    std::uintmax_t(reinterpret_cast<std::uintptr_t>(&counter) / QPool::CacheLineSize),
                    counter.load());
        sum += counter;
    }
    return sum == 400000 ? 0 : 1;
}
