// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef BENCH_CALM_H
#define BENCH_CALM_H

#include "team.h"

#include <QtCore/qglobal.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>

namespace Bench {

// In nanoseconds. With one thread, time in which other work had the processor is not counted; on a
// shared machine that is most of the noise.
inline double now(bool processorTime)
{
#ifdef CLOCK_PROCESS_CPUTIME_ID
    timespec used;
    if (processorTime && clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) == 0)
        return double(used.tv_sec) * 1e9 + double(used.tv_nsec);
#endif
    const auto time = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double, std::nano>(time).count();
}

// Whether no other work uses the processors. If two of them are threads of one core, or the machine
// is virtual and the other thread of the core belongs to a neighbour, code that keeps a core busy
// takes half as long again while the other works, and code that waits for memory does not: ratios
// measured then are not those of the machine. No counter of the system shows it, but a fixed piece
// of work does.
class Calm
{
public:
    // \a reference is the time of the work in the best case, in ns; 0: everything counts as calm.
    Calm(double reference, bool oneProcessor)
        : m_limit(reference * 1.15)
        , m_oneProcessor(oneProcessor)
    {
    }

    bool now() const
    {
        if (m_limit <= 0)
            return true;
        if (m_oneProcessor)
            return time(true) <= m_limit;
        std::atomic<bool> calm = true;
        runTeam(processorCount(), [&](int) {
            if (time(false) > m_limit)
                calm.store(false, std::memory_order_relaxed);
        });
        return calm;
    }

    // The time of the work now, in ns.
    static double time(bool processorTime)
    {
        const double begin = Bench::now(processorTime);
        // As many independent chains as a core has units.
        std::uint64_t a = 1, b = 2, c = 3, d = 4;
        for (int i = 0; i < 8000; ++i) {
            a += b ^ std::uint64_t(i);
            b += std::uint64_t(i);
            c ^= std::uint64_t(i) + 7;
            d -= std::uint64_t(i) & 5;
            asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
        }
        return Bench::now(processorTime) - begin;
    }

private:
    double m_limit;
    bool m_oneProcessor;
};

} // namespace Bench

#endif // BENCH_CALM_H
