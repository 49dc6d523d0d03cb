// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "calm.h"

#include <QtTest/QTest>

#include <QtCore/qdir.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace Bench {

// The runner's parameters for a measurement: a duration, or, when instructions are counted, an
// exact number of operations.
struct Wanted
{
    double nanoseconds = 50e6;
    int bodies = 0;
    bool processorTime = false;
    double calm = 0; // Calm's reference
    double patience = 0; // how much longer it may last for the sake of calm

    static Wanted fromEnvironment()
    {
        Wanted wanted;
        if (const int ms = qEnvironmentVariableIntValue("QPOOL_BENCH_MS"); ms > 0)
            wanted.nanoseconds = ms * 1e6;
        wanted.processorTime = qEnvironmentVariableIsSet("QPOOL_BENCH_PROCESSOR_TIME");
        wanted.bodies = qEnvironmentVariableIntValue("QPOOL_BENCH_BODIES");
        wanted.calm = qgetenv("QPOOL_BENCH_CALM").toDouble();
        wanted.patience = qEnvironmentVariableIntValue("QPOOL_BENCH_PATIENCE_MS") * 1e6;
        return wanted;
    }
};

// The parts of a measurement: an interruption, or a cache that a neighbour has emptied, spoils one
// or two of them and not the whole. Parts before or after which the machine was not calm are
// discarded, if there are others.
class Slices
{
public:
    explicit Slices(const Wanted &wanted)
        : m_wanted(wanted)
        , m_calm(wanted.calm, wanted.processorTime)
        , m_begin(now(wanted.processorTime))
        , m_wasCalm(m_calm.now())
    {
        begin();
    }

    // Call this after each body; false: stop.
    bool next()
    {
        ++m_bodies;
        const double at = now(m_wanted.processorTime);
        if (m_wanted.bodies)
            return m_bodies < m_wanted.bodies;
        if (at - m_sliceBegin < m_wanted.nanoseconds / Count)
            return true;

        const bool isCalm = m_calm.now();
        (m_wasCalm && isCalm ? m_times : m_disturbed)
                .push_back((at - m_sliceBegin) / double(m_bodies));
        m_wasCalm = isCalm;
        if (m_times.size() == Count || at - m_begin > m_wanted.nanoseconds + m_wanted.patience)
            return false;
        begin();
        return true;
    }

    // The time of a body. Other work on a processor can only slow down a thread that waits for no
    // other, so its fastest slice is the most accurate. Several threads may be fast in a slice
    // because they happened not to interact, so the median is used.
    double result()
    {
        std::vector<double> &times = m_times.empty() ? m_disturbed : m_times;
        const auto middle = times.begin() + (m_wanted.processorTime ? 0 : times.size() / 2);
        std::nth_element(times.begin(), middle, times.end());
        return *middle;
    }

private:
    void begin()
    {
        m_bodies = 0;
        m_sliceBegin = now(m_wanted.processorTime);
    }

    static constexpr std::size_t Count = 10;

    Wanted m_wanted;
    Calm m_calm;
    double m_begin;
    bool m_wasCalm;
    double m_sliceBegin = 0;
    qint64 m_bodies = 0;
    std::vector<double> m_times;
    std::vector<double> m_disturbed;
};

// A measurement for a process of one thread is not made in another: see alone.cpp.
inline bool hasThreadsWanted()
{
    return !qEnvironmentVariableIsSet("QPOOL_BENCH_ONE_THREAD")
            || QDir(QStringLiteral("/proc/self/task")).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size() == 1;
}

/*
    Measures \a body, which does \a operations operations, and reports nanoseconds for one.

    QTest calls the function once more, beforehand, which is the warm-up. The time is taken in here:
    QBENCHMARK's clock counts whole milliseconds, and from Qt 6.5 on its result would be printed
    beside ours.
*/
template <class Body>
void measure(qint64 operations, Body &&body)
{
    QVERIFY2(hasThreadsWanted(), "the process has more than one thread");
    Wanted wanted = Wanted::fromEnvironment();
    static const char *last = nullptr;
    const char *row = QTest::currentDataTag();
    const bool warmUp = std::exchange(last, row) != row;
    // Counted instructions are divided by the operations of a body, which the runner learns in this
    // way. QTest calls a row twice; only the first call may work, or both would be counted.
    if (wanted.bodies)
        QTest::setBenchmarkResult(double(operations), QTest::Events);
    if (wanted.bodies && !warmUp)
        return;
    if (warmUp) {
        wanted.nanoseconds /= 4;
        wanted.calm = 0;
    }

    Slices slices(wanted);
    do {
        body();
    } while (slices.next());
    if (!wanted.bodies)
        QTest::setBenchmarkResult(slices.result() / double(operations), QTest::WalltimeNanoseconds);
}

// For what warms up by itself, or must not: done once for each data row, of which QTest makes two
// calls, and reported with both.
template <class Measurement>
void measureOnce(QTest::QBenchmarkMetric metric, Measurement &&measurement)
{
    QVERIFY2(hasThreadsWanted(), "the process has more than one thread");
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
