// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Single-threaded patterns that are commonly used to compare allocators, rewritten. Blocks have
// mixed sizes, and the pool gets the size with each free, as from Qt's deleting destructors.

#include "measure.h"
#include "subjects.h"
#include "team.h"

#include <algorithm>

using namespace Bench;

namespace {

using Run = void (*)();

constexpr int Operations = 100000;

struct Block
{
    void *address;
    unsigned size;
};

template <class Allocator>
Block take(unsigned size)
{
    return { opaque(Allocator::allocate(size)), size };
}

template <class Allocator>
void give(const Block &block)
{
    Allocator::deallocate(block.address, block.size);
}

// After sh6bench: runs of one small size, freed now in the order they were allocated, now in the
// reverse, while every fourth outlives its run.
template <class Subject>
void sh6()
{
    using Allocator = typename Subject::Sized;
    constexpr int run = 200;
    std::vector<Block> blocks(run), kept;
    kept.reserve(Operations / 4);
    Random random(6);
    for (int done = 0; done < Operations; done += run) {
        const unsigned size = 1 + random.below(128);
        for (Block &block : blocks)
            block = take<Allocator>(size);
        if (done / run % 2)
            std::reverse(blocks.begin(), blocks.end());
        for (int i = 0; i < run; ++i) {
            if (i % 4 == 3)
                kept.push_back(blocks[i]);
            else
                give<Allocator>(blocks[i]);
        }
        if (kept.size() > 5000) {
            for (std::size_t i = kept.size(); i-- > 0;)
                give<Allocator>(kept[i]);
            kept.clear();
        }
    }
    for (const Block &block : kept)
        give<Allocator>(block);
}

// After sh8bench: a table of blocks of mostly small sizes, replaced at random places.
template <class Subject>
void sh8()
{
    using Allocator = typename Subject::Sized;
    std::vector<Block> table(2000, Block { nullptr, 0 });
    Random random(8);
    for (int done = 0; done < Operations; ++done) {
        Block &block = table[random.below(unsigned(table.size()))];
        if (block.address)
            give<Allocator>(block);
        const unsigned size = random.below(10) ? 8 + random.below(120) : 128 + random.below(800);
        block = take<Allocator>(size);
        *static_cast<char *>(block.address) = 1;
    }
    for (const Block &block : table) {
        if (block.address)
            give<Allocator>(block);
    }
}

// After glibc's bench-malloc-simple: bursts of one size, of every length up to a few hundred,
// freed in order.
template <class Subject>
void glibcSimple()
{
    using Allocator = typename Subject::Sized;
    static constexpr int lengths[] = { 25, 100, 400, 475 };
    Block blocks[475];
    int done = 0;
    while (done < Operations) {
        for (int length : lengths) {
            for (int i = 0; i < length; ++i)
                blocks[i] = take<Allocator>(48);
            for (int i = 0; i < length; ++i)
                give<Allocator>(blocks[i]);
            done += length;
        }
    }
}

// The cost of freeing in random order relative to allocating, in percent: with general allocators
// it grows with the number of blocks.
template <class Allocator>
double freeingShare(int count, unsigned size)
{
    std::vector<void *> blocks(count);
    const int times = std::max(1, 200000 / count);
    const bool processorTime = Wanted::fromEnvironment().processorTime;
    double allocating = 0, freeing = 0;
    Random random(9);
    for (int time = 0; time < times; ++time) {
        const double begin = now(processorTime);
        for (void *&block : blocks) {
            block = Allocator::allocate(size);
            *static_cast<char *>(block) = 1;
        }
        const double middle = now(processorTime);
        for (int i = count - 1; i > 0; --i)
            std::swap(blocks[i], blocks[random.below(i + 1)]);
        const double last = now(processorTime);
        for (void *block : blocks)
            Allocator::deallocate(block, size);
        allocating += middle - begin;
        freeing += now(processorTime) - last;
    }
    return 100 * freeing / allocating;
}

using Share = double (*)(int count, unsigned size);

} // namespace

Q_DECLARE_METATYPE(Run)
Q_DECLARE_METATYPE(Share)

class tst_Bench_Patterns : public QObject
{
    Q_OBJECT
private slots:
    void pattern_data();
    void pattern();
    void free_data();
    void free();
};

void tst_Bench_Patterns::pattern_data()
{
    QTest::addColumn<Run>("function");
    QTest::addRow("sh6/pool") << Run(sh6<Pool>);
    QTest::addRow("sh6/malloc") << Run(sh6<MallocSubject>);
    QTest::addRow("sh6/limit") << Run(sh6<LimitSubject>);
    QTest::addRow("sh8/pool") << Run(sh8<Pool>);
    QTest::addRow("sh8/malloc") << Run(sh8<MallocSubject>);
    QTest::addRow("sh8/limit") << Run(sh8<LimitSubject>);
    QTest::addRow("glibc-simple/pool") << Run(glibcSimple<Pool>);
    QTest::addRow("glibc-simple/malloc") << Run(glibcSimple<MallocSubject>);
    QTest::addRow("glibc-simple/limit") << Run(glibcSimple<LimitSubject>);
}

void tst_Bench_Patterns::pattern()
{
    QFETCH(Run, function);
    measure(Operations, [&] { function(); });
}

void tst_Bench_Patterns::free_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("size");
    QTest::addColumn<Share>("function");
    const bool quick = qEnvironmentVariableIsSet("QPOOL_BENCH_QUICK");
    for (int size : { 1, 16, 64, 256, 1024 }) {
        for (int count : { 1000, 30000, 1000000, 5000000 }) {
            // A gigabyte is what any machine has free; a quick run has not the time either.
            if (qint64(count) * size > 1000 * 1000 * 1000 || (quick && count > 30000))
                continue;
            QTest::addRow("%dx%d/pool", size, count)
                    << count << size << Share(freeingShare<Pool::Sized>);
            QTest::addRow("%dx%d/malloc", size, count)
                    << count << size << Share(freeingShare<MallocSubject::Sized>);
        }
    }
}

void tst_Bench_Patterns::free()
{
    QFETCH(int, count);
    QFETCH(int, size);
    QFETCH(Share, function);
    // It warms up by itself, and QTest's warm-up would take as long again. In percent, for which Qt
    // has no metric.
    measureOnce(QTest::Events, [&] { return function(count, unsigned(size)); });
}

QTEST_APPLESS_MAIN(tst_Bench_Patterns)

#include "tst_bench_patterns.moc"
