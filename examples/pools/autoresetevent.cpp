// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// One thread counts up. Another prints the count whenever it is new. Signals that arrive while it
// prints are merged into one, and a signal makes a system call only while that thread sleeps.

#include <qpool/qautoresetevent.h>

#include <atomic>
#include <cstdio>
#include <thread>

int main()
{
    constexpr int last = 100000;
    std::atomic<int> counted { 0 };
    QPool::AutoResetEvent changed;

    int seen = 0;
    int turns = 0;
    std::thread reader([&] {
        while (seen < last) {
            changed.wait();
            // The count may be unchanged, because an earlier turn has already read it.
            seen = counted.load(std::memory_order_relaxed);
            ++turns;
        }
    });

    for (int i = 1; i <= last; ++i) {
        counted.store(i, std::memory_order_relaxed); // signal() makes it visible to the waiting thread
        changed.signal();
    }
    reader.join();
    std::printf("%d changes, seen in %d turns\n", seen, turns);
    return seen == last && turns <= last ? 0 : 1;
}
