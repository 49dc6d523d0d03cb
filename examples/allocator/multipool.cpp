// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// One pool per thread, without a lock or an atomic operation, for threads that share no memory.
// Each thread frees what it allocated; a hardened or debug build stops a program that violates
// this.

#include <qpool/qpoolallocator.h>

#include <cstdio>
#include <new>
#include <thread>
#include <vector>

struct Particle
{
    double position, velocity;
};
using Pool = QPool::QPoolAllocator<sizeof(Particle), QPool::MultiPool>;

double simulate(int seed)
{
    std::vector<Particle *> swarm;
    for (int i = 0; i < 1000; ++i)
        swarm.push_back(new (Pool::allocate()) Particle { double(seed + i), 1.0 / (i + 1) });
    double sum = 0;
    for (int step = 0; step < 100; ++step) {
        for (Particle *particle : swarm)
            sum += particle->position += particle->velocity;
    }
    for (Particle *particle : swarm)
        Pool::deallocate(particle);
    return sum;
}

int main()
{
    std::vector<std::thread> threads;
    std::vector<double> sums(4);
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&sums, t] { sums[std::size_t(t)] = simulate(t); });
    for (std::thread &thread : threads)
        thread.join();
    for (double sum : sums)
        std::printf("a swarm of 1000: %.1f\n", sum);
    // Arenas outlive their threads and are adopted, so there may be fewer than four.
    Pool::forEachArena([](const QPool::ArenaStatistics &arena) {
        std::printf("arena %u: %u pages, %s\n", arena.id, arena.pages,
                    arena.orphaned ? "orphaned" : "in use");
    });
}
