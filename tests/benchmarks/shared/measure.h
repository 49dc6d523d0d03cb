// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <QtTest/QTest>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <utility>
#include <vector>

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

// What a measurement is cut into: an interruption, or a cache that a neighbour has emptied, spoils
// one or two of them and not the whole.
class Slices
{
public:
    explicit Slices(const Wanted &wanted)
        : m_least(wanted.nanoseconds / 10)
        , m_oneThread(wanted.processorTime)
    {
    }

    // Of all bodies so far, and the time they took.
    void add(qint64 bodies, double elapsed)
    {
        if (elapsed - m_elapsed < m_least)
            return;
        m_times.push_back((elapsed - m_elapsed) / double(bodies - m_bodies));
        m_bodies = bodies;
        m_elapsed = elapsed;
    }

    // A body's time. What else happens on a processor can only slow down a thread that waits for
    // nobody, so its fastest slice is the truest; where threads meet, a slice may be fast because
    // they happened not to, and the median tells what is usual.
    double result()
    {
        const auto middle = m_times.begin() + (m_oneThread ? 0 : m_times.size() / 2);
        std::nth_element(m_times.begin(), middle, m_times.end());
        return *middle;
    }

private:
    double m_least;
    bool m_oneThread;
    qint64 m_bodies = 0;
    double m_elapsed = 0;
    std::vector<double> m_times;
};

/*
    Measures \a body, which does \a operations operations, and reports nanoseconds for one.

    QBENCHMARK brings the warm-up (it calls the test function once more, beforehand), but its
    clock counts whole milliseconds, so it gets one iteration that lasts as long as is wanted, and
    the time is taken in here.
*/
template <class Body>
void measure(qint64 operations, Body &&body)
{
    Wanted wanted = Wanted::fromEnvironment();
    static const char *last = nullptr;
    const char *row = QTest::currentDataTag();
    const bool warmUp = std::exchange(last, row) != row;
    // Counted instructions are divided by the operations of a body, which the runner learns so;
    // of QTest's two calls for a row only the first may do anything, or both would be counted.
    if (wanted.bodies && !warmUp) {
        QTest::setBenchmarkResult(double(operations), QTest::Events);
        return;
    }
    if (warmUp)
        wanted.nanoseconds /= 4;

    Slices slices(wanted);
    QBENCHMARK_ONCE
    {
        const double begin = now(wanted.processorTime);
        double elapsed = 0;
        for (qint64 bodies = 1;; ++bodies) {
            body();
            elapsed = now(wanted.processorTime) - begin;
            slices.add(bodies, elapsed);
            if (wanted.bodies ? bodies == wanted.bodies : elapsed >= wanted.nanoseconds)
                break;
        }
    }
    if (!wanted.bodies)
        QTest::setBenchmarkResult(slices.result() / double(operations), QTest::WalltimeNanoseconds);
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
