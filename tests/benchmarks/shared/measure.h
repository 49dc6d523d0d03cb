// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <QtTest/QTest>

#include <chrono>
#include <ctime>
#include <utility>

namespace Bench {

// What the runner asks of a measurement: to last so long, or, when instructions are counted, to
// do exactly so much.
struct Wanted
{
    double nanoseconds = 50e6;
    int bodies = 0;
    bool processorTime = false;

    static Wanted fromEnvironment()
    {
        Wanted wanted;
        if (const int ms = qEnvironmentVariableIntValue("QPOOL_BENCH_MS"); ms > 0)
            wanted.nanoseconds = ms * 1e6;
        wanted.processorTime = qEnvironmentVariableIsSet("QPOOL_BENCH_PROCESSOR_TIME");
        wanted.bodies = qEnvironmentVariableIntValue("QPOOL_BENCH_BODIES");
        return wanted;
    }
};

// In nanoseconds. Of what runs in one thread, time in which the processor was somebody else's is
// not counted; on a shared machine it is most of the noise.
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

/*
    Measures \a body, which does \a operations operations, and reports nanoseconds for one.

    QBENCHMARK brings the warm-up (it calls the test function once more, beforehand), but its
    clock counts whole milliseconds, so it gets one iteration that lasts as long as is wanted, and
    the time is taken in here.
*/
template <class Body>
void measure(qint64 operations, Body &&body)
{
    const Wanted wanted = Wanted::fromEnvironment();
    // Counted instructions are divided by the operations of a body, which the runner learns so;
    // of QTest's two calls for a row only the first may do anything, or both would be counted.
    static const char *counted = nullptr;
    const char *row = QTest::currentDataTag();
    if (wanted.bodies && std::exchange(counted, row) == row) {
        QTest::setBenchmarkResult(double(operations), QTest::Events);
        return;
    }

    qint64 bodies = 0;
    double elapsed = 0;
    QBENCHMARK_ONCE
    {
        const double begin = now(wanted.processorTime);
        do {
            body();
            ++bodies;
            elapsed = now(wanted.processorTime) - begin;
        } while (wanted.bodies ? bodies < wanted.bodies : elapsed < wanted.nanoseconds);
    }
    QTest::setBenchmarkResult(elapsed / double(bodies * operations), QTest::WalltimeNanoseconds);
}

// For what warms up by itself, or must not: done once for each data row, of which QTest makes two
// calls, and reported with both.
template <class Measurement>
void measureOnce(QTest::QBenchmarkMetric metric, Measurement &&measurement)
{
    static const char *measured = nullptr;
    static double result = 0;
    if (const char *row = QTest::currentDataTag(); std::exchange(measured, row) != row)
        result = measurement();
    QTest::setBenchmarkResult(result, metric);
}

// Keeps the compiler from seeing through a pointer.
inline void *opaque(void *pointer)
{
    asm volatile("" : "+r"(pointer) : : "memory");
    return pointer;
}

} // namespace Bench

#endif // BENCH_MEASURE_H
