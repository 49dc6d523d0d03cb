// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// The article's loop: allocate a number of blocks of one size, free the odd ones, then the even
// ones. An operation is an allocation and its free.

#include "measure.h"
#include "subjects.h"

using namespace Bench;

namespace {

using Loop = void (*)(int count, int times);

constexpr int MaxCount = 400;

template <class Allocator>
void loop(int count, int times)
{
    void *blocks[MaxCount];
    for (int time = 0; time < times; ++time) {
        for (int i = 0; i < count; ++i)
            blocks[i] = opaque(Allocator::allocate());
        for (int i = 1; i < count; i += 2)
            Allocator::deallocate(blocks[i]);
        for (int i = 0; i < count; i += 2)
            Allocator::deallocate(blocks[i]);
    }
}

template <std::size_t Size>
struct Loops
{
    template <class Subject>
    static void add(const char *subject)
    {
        for (int count : { 100, 200, 400 }) {
            QTest::addRow("%zux%d/%s", Size, count, subject)
                    << count << Loop(loop<typename Subject::template Fixed<Size>>);
        }
    }

    static void addAll()
    {
        add<PoolSubject<QPool::SingleThreaded>>("SingleThreaded");
        add<PoolSubject<QPool::MultiThreaded>>("MultiThreaded");
        add<PoolSubject<QPool::MultiPool>>("MultiPool");
        add<PoolSubject<QPool::SharedPool>>("SharedPool");
        add<MallocSubject>("malloc");
        add<LimitSubject>("limit");
    }
};

} // namespace

Q_DECLARE_METATYPE(Loop)

class tst_Bench_Loop : public QObject
{
    Q_OBJECT
private slots:
    void loop_data();
    void loop();
};

void tst_Bench_Loop::loop_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<Loop>("loop");
    Loops<16>::addAll();
    Loops<24>::addAll();
    Loops<32>::addAll();
    Loops<64>::addAll();
}

void tst_Bench_Loop::loop()
{
    QFETCH(int, count);
    QFETCH(Loop, loop);
    constexpr int times = 100;
    measure(qint64(count) * times, [&] { loop(count, times); });
}

QTEST_APPLESS_MAIN(tst_Bench_Loop)

#include "tst_bench_loop.moc"
