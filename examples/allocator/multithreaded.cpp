// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Messages from a worker to a receiver that frees them, with the default model. The receiver's frees
// return to the worker's arena in batches, and the receiver needs no arena of its own.

#include <qpool/qpoolallocator.h>

#include <cstdio>
#include <future>
#include <new>

struct Message
{
    int number;
    Message *next;
};
using Pool = QPool::QPoolAllocator<sizeof(Message)>;

Message *send(int count)
{
    Message *first = nullptr;
    while (count > 0)
        first = new (Pool::allocate()) Message { count--, first };
    return first;
}

int main()
{
    long sum = 0;
    for (int round = 0; round < 10; ++round) {
        Message *message = std::async(std::launch::async, send, 1000).get();
        while (message) {
            sum += message->number;
            Message *next = message->next;
            Pool::deallocate(message);
            message = next;
        }
        // Sends incomplete batches of frees; call it before a thread sleeps.
        Pool::idle();
    }
    const QPool::BinStatistics statistics = Pool::statistics();
    std::printf("the messages' sum is %ld\n", sum);
    std::printf("%llu allocated, %llu freed, %llu of them by another thread\n",
                (unsigned long long)statistics.allocated, (unsigned long long)statistics.freed,
                (unsigned long long)statistics.remote);
    Pool::forEachArena([](const QPool::ArenaStatistics &arena) {
        std::printf("arena %u was adopted by %u later threads\n", arena.id, arena.adoptions);
    });
}
