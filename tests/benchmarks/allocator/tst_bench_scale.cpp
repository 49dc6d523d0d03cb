// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// How the cost of an allocation and its free changes as the work grows: with the number of live
// blocks, of threads, and of size classes. Each should be a flat curve.

#include "measure.h"
#include "subjects.h"
#include "team.h"

using namespace Bench;

namespace {

using Run = void (*)(int scale, int operations);

// Replaces random blocks out of a number of live blocks of 24 bytes, which are allocated once per
// process, because it would take too long otherwise. If a process runs several rows, the next one
// has more. They are written to, as any program does: otherwise the rows would tell which allocator
// touches its blocks first, not what a replacement costs.
template <class Subject>
void live(int count, int operations)
{
    using Allocator = typename Subject::template Fixed<24>;
    static std::vector<void *> blocks;
    static Random random(24);
    while (int(blocks.size()) < count) {
        blocks.push_back(Allocator::allocate());
        *static_cast<int *>(blocks.back()) = 0;
    }
    for (int done = 0; done < operations; ++done) {
        void *&block = blocks[random.below(unsigned(count))];
        Allocator::deallocate(block);
        block = opaque(Allocator::allocate());
        *static_cast<int *>(block) = done;
    }
}

// Each thread on its own, in batches of a hundred, 16 bytes.
template <class Subject>
void threads(int count, int operations)
{
    using Allocator = typename Subject::template Fixed<16>;
    runTeam(count, [&](int) {
        void *blocks[100];
        for (int done = 0; done < operations / count; done += 100) {
            for (void *&block : blocks)
                block = opaque(Allocator::allocate());
            for (void *block : blocks)
                Allocator::deallocate(block);
        }
    });
}

// Replaces random blocks out of a thousand, each of one of the given number of size classes of the
// pool.
template <class Subject>
void classes(int count, int operations)
{
    using Allocator = typename Subject::Sized;
    struct Block
    {
        void *address;
        std::size_t size;
    };
    static std::vector<Block> blocks;
    static Random random(28);
    const auto take = [&] {
        // One class has 64 bytes, and the others are spread around it.
        constexpr unsigned all = QPool::SizeClasses::Count;
        const unsigned index = (7 + random.below(unsigned(count)) * (all / unsigned(count))) % all;
        const std::size_t size = QPool::SizeClasses::sizeOf(index);
        return Block { opaque(Allocator::allocate(size)), size };
    };
    if (blocks.empty()) {
        for (int i = 0; i < 1000; ++i)
            blocks.push_back(take());
    }
    for (int done = 0; done < operations; ++done) {
        Block &block = blocks[random.below(1000)];
        Allocator::deallocate(block.address, block.size);
        block = take();
        *static_cast<char *>(block.address) = 1;
    }
}

} // namespace

Q_DECLARE_METATYPE(Run)

class tst_Bench_Scale : public QObject
{
    Q_OBJECT
private slots:
    void scale_data();
    void scale();
};

template <class Subject>
static void addRows(const char *subject)
{
    const bool quick = qEnvironmentVariableIsSet("QPOOL_BENCH_QUICK");
    for (int count : { 1000, 10000, 100000, 1000000, 10000000 }) {
        if (!quick || count <= 100000)
            QTest::addRow("live/%d/%s", count, subject) << count << 100000 << Run(live<Subject>);
    }
    for (int count : { 1, 2, 4, 8, 16, 32, 64 }) {
        if (!quick || count == 1 || count == 8 || count == 64)
            QTest::addRow("threads/%d/%s", count, subject)
                    << count << 3200000 << Run(threads<Subject>);
    }
    for (int count : { 1, 2, 4, 7, 14, int(QPool::SizeClasses::Count) }) {
        if (!quick || count == 1 || count == 7 || count == int(QPool::SizeClasses::Count))
            QTest::addRow("classes/%d/%s", count, subject)
                    << count << 100000 << Run(classes<Subject>);
    }
}

void tst_Bench_Scale::scale_data()
{
    QTest::addColumn<int>("scale");
    QTest::addColumn<int>("operations");
    QTest::addColumn<Run>("function");
    addRows<Pool>("pool");
    addRows<MallocSubject>("malloc");
    addRows<LimitSubject>("limit");
}

void tst_Bench_Scale::scale()
{
    QFETCH(int, scale);
    QFETCH(int, operations);
    QFETCH(Run, function);
    measure(operations, [&] { function(scale, operations); });
}

QTEST_APPLESS_MAIN(tst_Bench_Scale)

#include "tst_bench_scale.moc"
