// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef BENCH_TEAM_H
#define BENCH_TEAM_H

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#ifdef __linux__
#include <pthread.h>
#include <sched.h>
#endif

namespace Bench {

// The processors that the process may use. The C++ library may count all of the machine.
inline int processorCount()
{
#ifdef __linux__
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        return CPU_COUNT(&allowed);
#endif
    return int(std::max(1u, std::thread::hardware_concurrency()));
}

// Keeps the calling thread on one of the processors the process may use, the index-th: threads
// that wander between two of them are the largest noise there is. Best effort.
inline void pin([[maybe_unused]] int index)
{
#ifdef __linux__
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return;
    const int count = CPU_COUNT(&allowed);
    int wanted = index % count;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (!CPU_ISSET(cpu, &allowed) || wanted-- > 0)
            continue;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        pthread_setaffinity_np(pthread_self(), sizeof one, &one);
        return;
    }
#endif
}

// Runs \a work(index) in \a count threads that begin together, and waits for them.
template <class Work>
void runTeam(int count, Work &&work)
{
    std::atomic<int> waiting { count };
    std::vector<std::thread> team;
    for (int index = 0; index < count; ++index) {
        team.emplace_back([&, index] {
            pin(index);
            waiting.fetch_sub(1);
            while (waiting.load() > 0)
                std::this_thread::yield();
            work(index);
        });
    }
    for (std::thread &thread : team)
        thread.join();
}

// xorshift: the same numbers in every run and for every allocator.
class Random
{
public:
    explicit Random(unsigned seed)
        : m_state(seed * 2654435761u + 1)
    {
    }

    unsigned below(unsigned bound)
    {
        m_state ^= m_state << 13;
        m_state ^= m_state >> 17;
        m_state ^= m_state << 5;
        return unsigned((std::uint64_t(m_state) * bound) >> 32);
    }

private:
    std::uint32_t m_state;
};

} // namespace Bench

#endif // BENCH_TEAM_H
