// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Threads that have nothing to do with each other, threads that hand blocks over, and threads
// that end while their blocks live. An operation is an allocation and its free.

#include "handover.h"
#include "measure.h"
#include "subjects.h"
#include "team.h"

#include <array>

using namespace Bench;

namespace {

using Run = void (*)(int threads, qint64 operations);

// Each thread on its own, 16 bytes.
template <class Subject>
void separate(int threads, qint64 operations)
{
    using Allocator = typename Subject::template Fixed<16>;
    constexpr int count = 100;
    runTeam(threads, [&](int) {
        void *blocks[count];
        for (qint64 done = 0; done < operations / threads; done += count) {
            for (void *&block : blocks)
                block = opaque(Allocator::allocate());
            for (int i = 1; i < count; i += 2)
                Allocator::deallocate(blocks[i]);
            for (int i = 0; i < count; i += 2)
                Allocator::deallocate(blocks[i]);
        }
    });
}

// Half of the threads allocate, each for one of the other half, which frees.
template <class Subject, std::size_t Size, int Batch>
void handOver(int threads, qint64 operations)
{
    using Allocator = typename Subject::template Fixed<Size>;
    const int pairs = threads / 2;
    std::vector<Handover<Batch>> ways(pairs);
    const qint64 each = operations / pairs / Batch;
    runTeam(pairs * 2, [&](int index) {
        Handover<Batch> &way = ways[index / 2];
        std::array<void *, Batch> blocks;
        for (qint64 done = 0; done < each; ++done) {
            if (index % 2 == 0) {
                for (void *&block : blocks) {
                    block = Allocator::allocate();
                    *static_cast<qint64 *>(block) = done;
                }
                way.put(blocks);
            } else {
                way.take(blocks);
                for (void *block : blocks)
                    Allocator::deallocate(opaque(block));
            }
        }
    });
}

// Threads that end and leave ten thousand blocks each, which the next one frees: so many that the
// cost of starting a thread, which is the same for all, does not hide the rest.
template <class Subject>
void churn(int, qint64 operations)
{
    using Allocator = typename Subject::template Fixed<24>;
    constexpr int count = 10000;
    std::vector<void *> left;
    for (qint64 done = 0; done < operations; done += count) {
        std::thread([&] {
            for (void *block : left)
                Allocator::deallocate(block);
            left.resize(count);
            for (void *&block : left) {
                block = opaque(Allocator::allocate());
                *static_cast<qint64 *>(block) = done;
            }
        }).join();
    }
    for (void *block : left)
        Allocator::deallocate(block);
    Allocator::idle();
}

} // namespace

Q_DECLARE_METATYPE(Run)

class tst_Bench_Threads : public QObject
{
    Q_OBJECT
private slots:
    void threads_data();
    void threads();
    void handover_data();
    void handover();
    void churn_data();
    void churn();

private:
    void run(qint64 operations);
    static void columns();
};

void tst_Bench_Threads::columns()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<Run>("function");
}

void tst_Bench_Threads::run(qint64 operations)
{
    QFETCH(int, count);
    QFETCH(Run, function);
    measure(operations, [&] { function(count, operations); });
}

void tst_Bench_Threads::threads_data()
{
    columns();
    const int n = processorCount();
    QTest::addRow("%d/pool", n) << n << Run(separate<Pool>);
    QTest::addRow("%d/malloc", n) << n << Run(separate<MallocSubject>);
    QTest::addRow("%d/limit", n) << n << Run(separate<LimitSubject>);
}

// Starting the threads takes a fiftieth of this at the most.
void tst_Bench_Threads::threads()
{
    run(4000000);
}

template <std::size_t Size, int Batch>
static void addHandover(const char *suffix)
{
    const int n = std::max(2, processorCount() / 2 * 2);
    QTest::addRow("%d%s/pool", n, suffix) << n << Run(handOver<Pool, Size, Batch>);
    QTest::addRow("%d%s/malloc", n, suffix) << n << Run(handOver<MallocSubject, Size, Batch>);
    QTest::addRow("%d%s/limit", n, suffix) << n << Run(handOver<LimitSubject, Size, Batch>);
}

// The row without a suffix is the one that is nearest to events posted one by one.
void tst_Bench_Threads::handover_data()
{
    columns();
    addHandover<24, 1>("");
    addHandover<64, 1>("/64x1");
    addHandover<24, 256>("/24x256");
    addHandover<64, 256>("/64x256");
}

void tst_Bench_Threads::handover()
{
    run(256000);
}

void tst_Bench_Threads::churn_data()
{
    columns();
    QTest::addRow("pool") << 1 << Run(::churn<Pool>);
    QTest::addRow("malloc") << 1 << Run(::churn<MallocSubject>);
    QTest::addRow("limit") << 1 << Run(::churn<LimitSubject>);
}

void tst_Bench_Threads::churn()
{
    run(200000);
}

QTEST_APPLESS_MAIN(tst_Bench_Threads)

#include "tst_bench_threads.moc"
