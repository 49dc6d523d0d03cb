// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Resident memory, of the whole process and therefore of one measurement a process: what blocks
// cost while they live, and what stays after a burst.

#include "measure.h"
#include "subjects.h"
#include "team.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>
#include <type_traits>

#include <unistd.h>

using namespace Bench;

namespace {

double residentBytes()
{
    long total = 0, resident = 0;
    std::FILE *file = std::fopen("/proc/self/statm", "r");
    if (!file || std::fscanf(file, "%ld %ld", &total, &resident) != 2)
        resident = 0;
    if (file)
        std::fclose(file);
    return double(resident) * double(sysconf(_SC_PAGESIZE));
}

constexpr int Count = 1000000;

// The table of blocks is the test's, and paid for before.
std::vector<void *> &table()
{
    static std::vector<void *> blocks(Count, &blocks);
    return blocks;
}

template <class Allocator>
void allocateAll()
{
    for (void *&block : table()) {
        block = Allocator::allocate();
        *static_cast<char *>(block) = 1;
    }
}

template <class Allocator>
void deallocateAll()
{
    for (void *block : table())
        Allocator::deallocate(block);
}

template <class Allocator>
double live()
{
    table();
    const double before = residentBytes();
    allocateAll<Allocator>();
    const double result = (residentBytes() - before) / Count;
    deallocateAll<Allocator>();
    return result;
}

// Sleeps for a second as an event loop without events does: it calls idle() before it sleeps, and again when that
// says so.
template <class Allocator>
void sleepASecond()
{
    using namespace std::chrono_literals;
    const auto end = std::chrono::steady_clock::now() + 1s;
    while (std::chrono::steady_clock::now() < end) {
        auto next = end;
        if constexpr (!std::is_void_v<decltype(Allocator::idle())>) {
            if (const int milliseconds = Allocator::idle(); milliseconds >= 0)
                next = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
        }
        std::this_thread::sleep_until(std::min(next, end));
    }
}

// The resident memory a second after a burst of a million blocks was freed and the loop went idle, in
// percent of that before it. A small burst at the beginning is not counted, because memory that the
// allocator needs at its start is not memory that it keeps.
template <class Allocator>
double idle()
{
    table();
    Allocator::deallocate(opaque(Allocator::allocate()));
    const double before = residentBytes();
    allocateAll<Allocator>();
    deallocateAll<Allocator>();
    sleepASecond<Allocator>();
    return 100 * residentBytes() / before;
}

// The same for threads that end and leave blocks to the next ones: after two hundred of them, in
// percent of the resident memory after twenty.
template <class Allocator>
double churn()
{
    constexpr int count = 1000;
    std::vector<void *> left;
    double early = 0;
    for (int thread = 0; thread < 200; ++thread) {
        std::thread([&] {
            for (void *block : left)
                Allocator::deallocate(block);
            left.resize(count);
            for (void *&block : left) {
                block = Allocator::allocate();
                *static_cast<char *>(block) = 1;
            }
        }).join();
        if (thread == 19)
            early = residentBytes();
    }
    return 100 * residentBytes() / early;
}

// The largest resident memory while threads of churn work with mixed sizes, minus that before, in
// bytes for each byte that is alive when a thread ends.
template <class Allocator>
double peak()
{
    constexpr int count = 20000;
    struct Block
    {
        void *address;
        std::size_t size;
    };
    // The table is the test's, and paid for before, as above.
    std::vector<Block> left(count);
    left.clear();
    Allocator::deallocate(opaque(Allocator::allocate(24)), 24);
    const double before = residentBytes();
    double highest = before, live = 0;
    for (int thread = 0; thread < 40; ++thread) {
        std::thread([&] {
            Random random(unsigned(thread + 1));
            for (const Block &block : left)
                Allocator::deallocate(block.address, block.size);
            left.clear();
            live = 0;
            for (int i = 0; i < count; ++i) {
                const std::size_t size = 16 + random.below(240);
                left.push_back({ Allocator::allocate(size), size });
                *static_cast<char *>(left.back().address) = 1;
                live += double(size);
                // Looking costs a system call: now and then.
                if (i % 500 == 0)
                    highest = std::max(highest, residentBytes());
            }
        }).join();
    }
    highest = std::max(highest, residentBytes());
    return (highest - before) / live;
}

using Measurement = double (*)();

template <std::size_t Size>
void addLive()
{
    QTest::addRow("%zu/pool", Size) << Measurement(live<Pool::Fixed<Size>>);
    QTest::addRow("%zu/malloc", Size) << Measurement(live<MallocSubject::Fixed<Size>>);
}

} // namespace

Q_DECLARE_METATYPE(Measurement)

class tst_Bench_Memory : public QObject
{
    Q_OBJECT
private slots:
    void memory_data();
    void memory();
};

void tst_Bench_Memory::memory_data()
{
    QTest::addColumn<Measurement>("function");
    addLive<16>();
    addLive<24>();
    addLive<40>();
    addLive<64>();
    addLive<128>();
    QTest::addRow("idle/pool") << Measurement(idle<Pool::Fixed<24>>);
    QTest::addRow("idle/malloc") << Measurement(idle<MallocSubject::Fixed<24>>);
    QTest::addRow("peak/pool") << Measurement(peak<Pool::Sized>);
    QTest::addRow("peak/malloc") << Measurement(peak<MallocSubject::Sized>);
    QTest::addRow("churn/pool") << Measurement(churn<Pool::Fixed<24>>);
    QTest::addRow("churn/malloc") << Measurement(churn<MallocSubject::Fixed<24>>);
}

void tst_Bench_Memory::memory()
{
    QFETCH(Measurement, function);
    // After a warm-up nothing would be new.
    measureOnce(QTest::BytesAllocated, function);
}

QTEST_APPLESS_MAIN(tst_Bench_Memory)

#include "tst_bench_memory.moc"
