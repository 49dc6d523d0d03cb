// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// The placement of memory rather than its allocation: counters of several threads that share cache
// lines or do not; large arrays in huge pages or in ordinary ones.

#include "children.h"

#include "pools/std/qcachelineallocator.h"
#include "pools/std/qhugepageallocator.h"

#include <atomic>
#include <list>
#include <vector>

using namespace Bench;

namespace {

// Each thread counts in every so-manieth of a list's elements, which were allocated one after the
// other: its neighbours' are other threads'. An operation is an addition, over all threads.
template <template <class> class Allocator>
void neighbours()
{
    using Counter = std::atomic<unsigned>;
    const int threads = processorCount();
    constexpr int perThread = 4;
    constexpr int additions = 200000;
    std::list<Counter, Allocator<Counter>> counters(std::size_t(threads * perThread));
    std::vector<std::vector<Counter *>> own(static_cast<std::size_t>(threads));
    int index = 0;
    for (Counter &counter : counters)
        own[std::size_t(index++ % threads)].push_back(&counter);
    measure(qint64(threads) * perThread * additions, [&] {
        runTeam(threads, [&](int thread) {
            for (int i = 0; i < additions; ++i) {
                for (Counter *counter : own[std::size_t(thread)]) {
                    counter->store(counter->load(std::memory_order_relaxed) + 1,
                                   std::memory_order_relaxed);
                }
            }
        });
    });
}

// 8 MiB of ints, pushed one by one, in memory that the process never had before.
template <template <class> class Allocator>
double firstPush()
{
    constexpr int count = 2 * 1024 * 1024;
    std::vector<int, Allocator<int>> vector;
    const double begin = now(countsProcessorTime());
    for (int i = 0; i < count; ++i)
        vector.push_back(i);
    const double end = now(countsProcessorTime());
    opaque(&vector);
    return (end - begin) / count;
}

template <template <class> class Allocator>
void push()
{
    measureOnce(QTest::WalltimeNanoseconds, [] { return inChildren(firstPush<Allocator>); });
}

// Random reads of 512 MiB.
template <template <class> class Allocator>
void read()
{
    constexpr unsigned count = 512u * 1024 * 1024 / sizeof(unsigned);
    constexpr int reads = 1000000;
    // Once a process, for both of QTest's calls.
    static const std::vector<unsigned, Allocator<unsigned>> numbers(count, 1);
    unsigned at = 12345, sum = 0;
    measure(reads, [&] {
        for (int i = 0; i < reads; ++i) {
            at = at * 1664525 + 1013904223;
            sum += numbers[at % count];
        }
        opaque(&sum);
    });
}

template <class T>
using StdOf = std::allocator<T>;
template <class T>
using LineOf = QPool::CacheLineAllocator<T>;
template <class T>
using HugeOf = QPool::HugePageAllocator<T>;

using Run = void (*)();

} // namespace

Q_DECLARE_METATYPE(Run)

class tst_Bench_StlMemory : public QObject
{
    Q_OBJECT
private slots:
    void stl_data();
    void stl();
};

void tst_Bench_StlMemory::stl_data()
{
    QTest::addColumn<Run>("run");
    QTest::newRow("cacheline/pool") << Run(neighbours<LineOf>);
    QTest::newRow("cacheline/malloc") << Run(neighbours<StdOf>);
    QTest::newRow("hugepage/push/pool") << Run(push<HugeOf>);
    QTest::newRow("hugepage/push/malloc") << Run(push<StdOf>);
    QTest::newRow("hugepage/read/pool") << Run(read<HugeOf>);
    QTest::newRow("hugepage/read/malloc") << Run(read<StdOf>);
}

void tst_Bench_StlMemory::stl()
{
    QFETCH(Run, run);
    run();
}

QTEST_APPLESS_MAIN(tst_Bench_StlMemory)

#include "tst_bench_stlmemory.moc"
