// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Patterns with several threads that are commonly used to compare allocators, rewritten.

#include "measure.h"
#include "subjects.h"
#include "team.h"

#include <mutex>

using namespace Bench;

namespace {

using Run = void (*)();

constexpr int Operations = 400000;
constexpr int LongOperations = 4000000;

struct Block
{
    void *address = nullptr;
    unsigned size = 0;
};

template <class Allocator>
void replace(Block &block, unsigned size)
{
    if (block.address)
        Allocator::deallocate(block.address, block.size);
    block = { opaque(Allocator::allocate(size)), size };
    *static_cast<char *>(block.address) = 1;
}

template <class Allocator>
void clear(std::vector<Block> &blocks)
{
    for (Block &block : blocks) {
        if (block.address)
            Allocator::deallocate(block.address, block.size);
        block = {};
    }
}

// After larson: each thread replaces random blocks of a table, then ends and leaves the table to
// a new thread, so that blocks bleed from thread to thread.
template <class Subject>
void larson()
{
    using Allocator = typename Subject::Sized;
    const int threads = processorCount();
    constexpr int generations = 10;
    std::vector<std::vector<Block>> tables(threads, std::vector<Block>(1000));
    for (int generation = 0; generation < generations; ++generation) {
        runTeam(threads, [&](int index) {
            std::vector<Block> &table = tables[(index + generation) % threads];
            Random random(unsigned(index + generation * threads + 1));
            for (int i = 0; i < Operations / generations / threads; ++i)
                replace<Allocator>(table[random.below(1000)], 8 + random.below(500));
        });
    }
    for (auto &table : tables)
        clear<Allocator>(table);
}

// After xmalloc-test: as many threads that only allocate as ones that only free, with batches of
// 256 in between, behind a lock.
template <class Subject>
void xmalloc()
{
    using Allocator = typename Subject::Sized;
    using Batch = std::vector<Block>;
    const int pairs = std::max(1, processorCount() / 2);
    constexpr int size = 256;
    std::mutex mutex;
    std::vector<Batch> batches;
    std::atomic<int> left { Operations / size };
    std::atomic<int> producing { pairs };
    runTeam(pairs * 2, [&](int index) {
        Random random { unsigned(index + 1) };
        if (index % 2 == 0) {
            while (left.fetch_sub(1) > 0) {
                Batch batch(size);
                for (Block &block : batch)
                    replace<Allocator>(block, 16 + random.below(200));
                for (bool put = false; !put;) {
                    {
                        std::lock_guard lock(mutex);
                        // Unbounded, a slow consumer would make it a test of the system's memory.
                        if ((put = batches.size() < 64))
                            batches.push_back(std::move(batch));
                    }
                    if (!put)
                        std::this_thread::yield();
                }
            }
            --producing;
            return;
        }
        for (;;) {
            const bool last = producing == 0;
            Batch batch;
            {
                std::lock_guard lock(mutex);
                if (!batches.empty()) {
                    batch = std::move(batches.back());
                    batches.pop_back();
                }
            }
            if (batch.empty()) {
                if (last)
                    return;
                std::this_thread::yield();
            }
            clear<Allocator>(batch);
        }
    });
}

// After mstress: new threads in each phase work on their own blocks, swap some with a shared table,
// and leave survivors for the next phase.
template <class Subject>
void mstress()
{
    using Allocator = typename Subject::Sized;
    const int threads = processorCount();
    constexpr int phases = 10, shared = 1000;
    std::vector<std::atomic<Block *>> table(shared);
    for (int phase = 0; phase < phases; ++phase) {
        runTeam(threads, [&](int index) {
            Random random(unsigned(phase * threads + index + 1));
            std::vector<Block> own(200);
            for (int i = 0; i < Operations / phases / threads; ++i) {
                Block &block = own[random.below(unsigned(own.size()))];
                replace<Allocator>(block, 8 + random.below(250));
                if (random.below(10) || block.size < sizeof(Block))
                    continue;
                // The block describes itself while it is in the table.
                auto *given = new (block.address) Block(block);
                Block *taken = table[random.below(shared)].exchange(given);
                block = taken ? *taken : Block {};
            }
            clear<Allocator>(own);
        });
    }
    for (auto &entry : table) {
        if (Block *block = entry.load()) {
            const Block copy = *block;
            Allocator::deallocate(copy.address, copy.size);
        }
    }
}

// After cache-scratch: small blocks that one thread allocates side by side, and others free and
// write to. An allocator that hands out such a block again in the other thread leaves two threads
// writing to one cache line.
template <class Subject>
void cacheScratch()
{
    using Allocator = typename Subject::Sized;
    const int threads = processorCount();
    std::vector<Block> blocks(threads);
    for (Block &block : blocks)
        replace<Allocator>(block, 8);
    runTeam(threads, [&](int index) {
        Block block = blocks[index];
        for (int i = 0; i < Operations / 10 / threads; ++i) {
            replace<Allocator>(block, 8);
            for (int write = 0; write < 100; ++write)
                ++*static_cast<volatile char *>(block.address);
        }
        Allocator::deallocate(block.address, block.size);
    });
}

// After glibc's bench-malloc-thread: sizes from 4 bytes to 32 KiB, each with a frequency of the
// inverse of its square (half of them up to 8 bytes, one in 250 past 1 KiB), at random places of a
// table; every thread independently, and for long. The random numbers are drawn in advance.
template <class Subject>
void glibcThread()
{
    using Allocator = typename Subject::Sized;
    static const auto sizes = [] {
        constexpr double least = 4, most = 32768;
        Random random(88);
        std::vector<unsigned> result(8000);
        for (unsigned &size : result)
            size = unsigned(1 / (1 / least - random.below(1000000) / 1e6 * (1 / least - 1 / most)));
        return result;
    }();
    static const auto places = [] {
        Random random(89);
        std::vector<unsigned> result(4096);
        for (unsigned &place : result)
            place = random.below(1024);
        return result;
    }();
    const int threads = processorCount();
    runTeam(threads, [&](int index) {
        std::vector<Block> table(1024);
        std::size_t size = std::size_t(index) * 1000 % sizes.size();
        std::size_t place = 0;
        for (int i = 0; i < LongOperations / threads; ++i) {
            // Not replace(): the compiler knows of its other callers that nothing is large.
            Block &block = table[places[place]];
            Allocator::deallocate(block.address, block.size);
            block = { opaque(Allocator::allocate(sizes[size])), sizes[size] };
            *static_cast<char *>(block.address) = 1;
            place = place + 1 < places.size() ? place + 1 : 0;
            size = size + 1 < sizes.size() ? size + 1 : 0;
        }
        clear<Allocator>(table);
    });
}

// What threads put into a table that they share, others take out and free. Each touches its blocks, as programs do.
class SharedTable
{
public:
    explicit SharedTable(std::size_t places) : m_places(places) { }

    template <class Allocator>
    void replaceOne(Random &random, unsigned size)
    {
        auto *block = static_cast<unsigned *>(opaque(Allocator::allocate(size)));
        for (unsigned i = 0; i < size; i += 4096)
            reinterpret_cast<char *>(block)[i] = 1;
        *block = size;
        free<Allocator>(m_places[random.below(unsigned(m_places.size()))].exchange(block));
    }
    template <class Allocator>
    void clear()
    {
        for (auto &place : m_places)
            free<Allocator>(place.exchange(nullptr));
    }

private:
    template <class Allocator>
    static void free(unsigned *block)
    {
        if (block)
            Allocator::deallocate(block, *block);
    }

    std::vector<std::atomic<unsigned *>> m_places; // a block begins with its size
};

// Sizes of 16 to 16,000 bytes, all equally often, by all threads at once.
template <class Subject>
void mixedSizes()
{
    using Allocator = typename Subject::Sized;
    SharedTable table(4096);
    const int threads = processorCount();
    runTeam(threads, [&](int index) {
        Random random(unsigned(index + 1));
        for (int i = 0; i < Operations / threads; ++i)
            table.replaceOne<Allocator>(random, 16 + random.below(15985));
    });
    table.clear<Allocator>();
}

// Sizes of 16 bytes to 100 KB, all powers of two equally often; each thread ends after 2000 blocks, and its
// successor takes some of them.
template <class Subject>
void handedOver()
{
    using Allocator = typename Subject::Sized;
    SharedTable table(1000);
    constexpr int blocks = 2000;
    constexpr int threads = 4;
    for (int generation = 0; generation < Operations / 2 / blocks / threads; ++generation) {
        runTeam(threads, [&](int index) {
            Random random(unsigned(generation * threads + index + 1));
            for (int i = 0; i < blocks; ++i) {
                const unsigned least = 16u << random.below(12);
                table.replaceOne<Allocator>(random, least + random.below(least / 2));
            }
        });
    }
    table.clear<Allocator>();
}

// After mleak: short threads of which each allocates one block and leaves it; an operation is a
// thread.
template <class Subject>
void mleak()
{
    using Allocator = typename Subject::Sized;
    std::vector<Block> left(500);
    for (Block &block : left)
        std::thread([&] { replace<Allocator>(block, 48); }).join();
    clear<Allocator>(left);
}

} // namespace

Q_DECLARE_METATYPE(Run)

class tst_Bench_ThreadPatterns : public QObject
{
    Q_OBJECT
private slots:
    void pattern_data();
    void pattern();
};

void tst_Bench_ThreadPatterns::pattern_data()
{
    QTest::addColumn<int>("operations");
    QTest::addColumn<Run>("function");
    QTest::addRow("larson/pool") << Operations << Run(larson<Pool>);
    QTest::addRow("larson/malloc") << Operations << Run(larson<MallocSubject>);
    QTest::addRow("xmalloc/pool") << Operations << Run(xmalloc<Pool>);
    QTest::addRow("xmalloc/malloc") << Operations << Run(xmalloc<MallocSubject>);
    QTest::addRow("mstress/pool") << Operations << Run(mstress<Pool>);
    QTest::addRow("mstress/malloc") << Operations << Run(mstress<MallocSubject>);
    QTest::addRow("cache-scratch/pool") << Operations / 10 << Run(cacheScratch<Pool>);
    QTest::addRow("cache-scratch/malloc") << Operations / 10 << Run(cacheScratch<MallocSubject>);
    QTest::addRow("glibc-thread/pool") << LongOperations << Run(glibcThread<Pool>);
    QTest::addRow("glibc-thread/malloc") << LongOperations << Run(glibcThread<MallocSubject>);
    QTest::addRow("glibc-thread/limit") << LongOperations << Run(glibcThread<LimitSubject>);
    // Most of these blocks are larger than a pool's classes: only malloc() has them.
    QTest::addRow("mixed-sizes/malloc") << Operations << Run(mixedSizes<MallocSubject>);
    QTest::addRow("handed-over/malloc") << Operations / 2 << Run(handedOver<MallocSubject>);
    QTest::addRow("mleak/pool") << 500 << Run(mleak<Pool>);
    QTest::addRow("mleak/malloc") << 500 << Run(mleak<MallocSubject>);
    QTest::addRow("mleak/limit") << 500 << Run(mleak<LimitSubject>);
}

void tst_Bench_ThreadPatterns::pattern()
{
    QFETCH(int, operations);
    QFETCH(Run, function);
    measure(operations, [&] { function(); });
}

QTEST_APPLESS_MAIN(tst_Bench_ThreadPatterns)

#include "tst_bench_threadpatterns.moc"
