// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// The scenarios that bound what threads hold for each other: resident memory, or nanoseconds for an
// operation and the worst one. Each runs in one process:
//
//   bench_bounds SCENARIO pool|malloc
//
// "malloc" is the allocator with which the process was started, so that peers are preloaded.

#include "pool/qpoolallocator.h"
#include "pool/qsizedpoolallocator.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

using namespace QPool;

namespace {

template <std::size_t Size>
struct Heap
{
    static constexpr std::size_t size = Size;
    static void *allocate() { return std::malloc(Size); }
    static void deallocate(void *block) { std::free(block); }
    static void idle() { }
    static void trim() { }
    static void flush() { }
};

template <std::size_t Size>
struct Pool : QPoolAllocator<Size, MultiThreaded>
{
    static constexpr std::size_t size = Size;
};

// The classes of one pool, whose frees for others share a remote cache.
template <std::size_t Size>
struct SizedPool
{
    static constexpr std::size_t size = Size;
    using All = QSizedPoolAllocator<MultiThreaded>;
    static void *allocate() { return All::allocate(Size); }
    static void deallocate(void *block) { All::deallocate(block, Size); }
};

double residentMegabytes()
{
    std::FILE *file = std::fopen("/proc/self/statm", "r");
    long total = 0;
    long resident = 0;
    if (!file || std::fscanf(file, "%ld %ld", &total, &resident) != 2)
        std::abort();
    std::fclose(file);
    return double(resident) * double(sysconf(_SC_PAGESIZE)) / 1e6;
}

using Clock = std::chrono::steady_clock;

double nanoseconds(Clock::duration duration)
{
    return std::chrono::duration<double, std::nano>(duration).count();
}

// Opens once, for all.
class Gate
{
public:
    void open()
    {
        std::lock_guard<std::mutex> lock(m_mutex);
        m_open = true;
        m_condition.notify_all();
    }
    void wait()
    {
        std::unique_lock<std::mutex> lock(m_mutex);
        m_condition.wait(lock, [this] { return m_open; });
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_condition;
    bool m_open = false;
};

// Untouched by the allocator under test, whichever that is.
class Pointers
{
public:
    explicit Pointers(std::size_t count) : m_count(count)
    {
        if (!Os::commit(m_pointers = static_cast<void **>(
                                Os::reserve(rounded(), 64 * 1024)), rounded()))
            std::abort();
    }
    void *&operator[](std::size_t i) { return m_pointers[i]; }
    std::size_t count() const { return m_count; }
    void forget() { Os::decommit(m_pointers, rounded()); }

private:
    std::size_t rounded() const { return (m_count * sizeof(void *) + 65535) / 65536 * 65536; }
    std::size_t m_count;
    void **m_pointers;
};

void *touched(void *block, std::size_t size)
{
    std::memset(block, 1, size);
    return block;
}

// Threads that allocate in turn, make themselves comfortable, and sleep.
class Sleepers
{
public:
    template <class Body>
    void add(Body &&body)
    {
        Gate done;
        m_threads.emplace_back([&] {
            body();
            done.open();
            m_wake.wait();
        });
        done.wait();
    }
    void end()
    {
        m_wake.open();
        for (std::thread &thread : m_threads)
            thread.join();
        m_threads.clear();
    }

private:
    Gate m_wake;
    std::deque<std::thread> m_threads;
};

template <template <std::size_t> class Allocator>
void sleepingOwners()
{
    using A = Allocator<64>;
    constexpr std::size_t perThread = 128 * 1000 * 1000 / 64;
    Pointers pointers(8 * perThread);
    Sleepers sleepers;
    for (std::size_t t = 0; t < 8; ++t) {
        sleepers.add([&] {
            for (std::size_t i = 0; i < perThread; ++i)
                pointers[t * perThread + i] = touched(A::allocate(), 64);
            A::idle();
        });
    }
    const Clock::time_point start = Clock::now();
    for (std::size_t i = 0; i < pointers.count(); ++i)
        A::deallocate(pointers[i]);
    A::idle();
    const double each = nanoseconds(Clock::now() - start) / double(pointers.count());
    pointers.forget();
    const double freed = residentMegabytes();
    A::trim();
    std::printf("sleeping owners: %.0f MB resident, %.0f MB after trim(), %.1f ns a free\n", freed,
                residentMegabytes(), each);
    sleepers.end();
}

template <template <std::size_t> class Allocator>
void orphansServe()
{
    using A = Allocator<64>;
    constexpr std::size_t perThread = 64 * 1000 * 1000 / 64;
    constexpr std::size_t more = 900 * 1000 * 1000 / 64;
    Pointers kept(16 * perThread / 64);
    {
        Pointers pointers(perThread);
        Sleepers threads;
        for (std::size_t t = 0; t < 16; ++t) {
            threads.add([&] {
                for (std::size_t i = 0; i < perThread; ++i)
                    pointers[i] = touched(A::allocate(), 64);
                for (std::size_t i = 0; i < perThread; ++i) {
                    if (i % 64 == 0)
                        kept[t * (perThread / 64) + i / 64] = pointers[i];
                    else
                        A::deallocate(pointers[i]);
                }
            });
        }
        threads.end();
        pointers.forget();
    }
    const double before = residentMegabytes();
    Pointers pointers(more);
    const Clock::time_point start = Clock::now();
    for (std::size_t i = 0; i < more; ++i)
        pointers[i] = touched(A::allocate(), 64);
    const double each = nanoseconds(Clock::now() - start) / double(more);
    const double after = residentMegabytes() - double(more * sizeof(void *)) / 1e6;
    std::printf("orphans serve: %.0f -> %.0f MB resident, %.1f ns an allocation\n", before, after,
                each);
}

template <template <std::size_t> class Allocator>
void manyOrphans(bool idle)
{
    using A = Allocator<64>;
    constexpr std::size_t orphans = 4000;
    constexpr std::size_t perThread = 200;
    Pointers pointers(orphans * perThread);
    {
        // All alive at once: none adopts another's arena.
        Sleepers threads;
        for (std::size_t t = 0; t < orphans; ++t) {
            threads.add([&] {
                for (std::size_t i = 0; i < perThread; ++i)
                    pointers[i * orphans + t] = touched(A::allocate(), 64);
            });
        }
        threads.end();
    }
    double worst = 0;
    const std::size_t frees = idle ? pointers.count() / 4 : pointers.count();
    const Clock::time_point start = Clock::now();
    Clock::time_point last = start;
    for (std::size_t i = 0; i < frees; ++i) {
        A::deallocate(pointers[i]);
        if (idle)
            A::idle();
        const Clock::time_point now = Clock::now();
        worst = std::max(worst, nanoseconds(now - last));
        last = now;
    }
    std::printf("4000 orphans%s: %.0f ns a free, worst %.1f us\n", idle ? ", idle()" : "",
                nanoseconds(last - start) / double(frees), worst / 1e3);
}

template <template <std::size_t> class Allocator>
void magazines()
{
    using A = Allocator<64 * 1024>;
    Sleepers sleepers;
    const double before = residentMegabytes();
    for (std::size_t t = 0; t < 200; ++t) {
        sleepers.add([&] {
            void *blocks[32];
            for (void *&block : blocks)
                block = touched(A::allocate(), 64 * 1024);
            for (void *block : blocks)
                A::deallocate(block);
            for (int turn = 0; turn < 200; ++turn)
                A::idle();
        });
    }
    std::printf("magazines: %.0f MB resident, of which %.0f before\n", residentMegabytes(), before);
    sleepers.end();
}

// How often the calling thread slept, which means waiting for a lock here. Time in which another
// program had the processor does not count.
long timesSlept()
{
    rusage usage;
    if (getrusage(RUSAGE_THREAD, &usage) != 0)
        std::abort();
    return usage.ru_nvcsw;
}

// A thread that allocates and frees pages, while another one gives 455 MB back.
template <template <std::size_t> class Allocator>
void trimming()
{
    using A = Allocator<64>;
    using Large = Allocator<16 * 1024>;
    Pointers pointers(455 * 1000 * 1000 / 64);
    for (std::size_t i = 0; i < pointers.count(); ++i)
        pointers[i] = touched(A::allocate(), 64);
    // By another thread, so that everything waits until this thread looks.
    std::thread([&] {
        for (std::size_t i = 0; i < pointers.count(); ++i)
            A::deallocate(pointers[i]);
    }).join();
    std::atomic<bool> end { false };
    Gate ready;
    double worst = 0;
    double worstSlept = 0;
    long waits = 0;
    std::thread allocates([&] {
        void *blocks[400];
        long slept = timesSlept();
        for (bool first = true; !end.load(); first = false) {
            Clock::time_point last = Clock::now();
            const auto note = [&] {
                const Clock::time_point now = Clock::now();
                const long sleptNow = timesSlept();
                if (!first) {
                    worst = std::max(worst, nanoseconds(now - last));
                    if (sleptNow != slept)
                        worstSlept = std::max(worstSlept, nanoseconds(now - last));
                    waits += sleptNow - slept;
                }
                slept = sleptNow;
                last = Clock::now();
            };
            for (void *&block : blocks) {
                block = Large::allocate();
                note();
            }
            for (void *block : blocks) {
                Large::deallocate(block);
                note();
            }
            if (first)
                ready.open();
        }
    });
    ready.wait();
    const Clock::time_point start = Clock::now();
    A::trim();
    const double took = nanoseconds(Clock::now() - start);
    end = true;
    allocates.join();
    std::printf("trim() of 455 MB: %.1f ms; another thread slept %ld times, %.3f ms at most, and was "
                "delayed by %.3f ms at most\n", took / 1e6, waits, worstSlept / 1e6, worst / 1e6);
}

// Of the calling thread only, so that other work on the machine has little effect.
double processorTime()
{
    timespec time;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0)
        std::abort();
    return double(time.tv_sec) * 1e9 + double(time.tv_nsec);
}

struct Producers
{
    double best = 1e9;
    double first = 1e9; // before anything was used again: with its page faults
};

// Chunks of the classes by turns, so that no two frees in a row go to the same bin. The threads
// that allocated them are alive, and do not look.
template <class... Classes>
Producers producers(std::size_t threads)
{
    constexpr std::size_t classes = sizeof...(Classes);
    constexpr std::size_t perBin = 20000;
    constexpr std::size_t parts = 10;
    constexpr int rounds = 10;
    const std::size_t bins = threads * classes;
    Pointers pointers(bins * perBin);
    using Function = void (*)(void *);
    using Allocate = void *(*)();
    static constexpr Allocate allocate[] = { [] {
        return touched(Classes::allocate(), Classes::size);
    }... };
    static constexpr Function deallocate[] = { [](void *p) { Classes::deallocate(p); }... };
    Producers result;
    for (int round = 0; round < rounds; ++round) {
        Sleepers sleepers;
        for (std::size_t t = 0; t < threads; ++t) {
            sleepers.add([&, t] {
                for (std::size_t i = 0; i < perBin; ++i) {
                    for (std::size_t c = 0; c < classes; ++c)
                        pointers[i * bins + t * classes + c] = allocate[c]();
                }
            });
        }
        for (std::size_t part = 0; part < parts; ++part) {
            const double start = processorTime();
            for (std::size_t i = part * perBin / parts; i < (part + 1) * perBin / parts; ++i) {
                for (std::size_t b = 0; b < bins; ++b)
                    deallocate[b % classes](pointers[i * bins + b]);
            }
            const double each = (processorTime() - start) / double(bins * perBin / parts);
            result.best = std::min(result.best, each);
            if (round == 0)
                result.first = std::min(result.first, each);
        }
        sleepers.end();
    }
    return result;
}

template <class... Classes>
void showProducers(const char *name, std::size_t threads)
{
    const Producers result = producers<Classes...>(threads);
    std::printf("%s: %.1f ns of processor time a free, %.1f the first time (best of many)\n", name,
                result.best, result.first);
}

// Two classes by turns, of any two: the worst pair of many shows what a collision costs.
template <class First, class... Others>
void worstPair()
{
    Producers worst { 0, 0 };
    const auto compare = [&](const Producers &pair) {
        worst.best = std::max(worst.best, pair.best);
        worst.first = std::max(worst.first, pair.first);
    };
    (compare(producers<First, Others>(1)), ...);
    std::printf("worst two classes: %.1f ns of processor time a free, %.1f the first time (best of "
                "many)\n", worst.best, worst.first);
}

template <template <std::size_t> class Allocator>
void twoClasses()
{
    worstPair<Allocator<32>, Allocator<40>, Allocator<48>, Allocator<56>, Allocator<64>,
              Allocator<72>, Allocator<80>, Allocator<88>, Allocator<96>, Allocator<104>,
              Allocator<112>, Allocator<120>, Allocator<128>, Allocator<136>, Allocator<144>,
              Allocator<152>, Allocator<160>>();
}

template <template <std::size_t> class Allocator, template <std::size_t> class Sized>
bool run(const char *scenario)
{
    const auto is = [scenario](const char *name) { return std::strcmp(scenario, name) == 0; };
    if (is("sleepers"))
        sleepingOwners<Allocator>();
    else if (is("orphans"))
        orphansServe<Allocator>();
    else if (is("debt"))
        manyOrphans<Allocator>(false);
    else if (is("debt-idle"))
        manyOrphans<Allocator>(true);
    else if (is("magazines"))
        magazines<Allocator>();
    else if (is("trim"))
        trimming<Allocator>();
    else if (is("one-class"))
        showProducers<Allocator<32>>("one class", 1);
    else if (is("two-classes"))
        twoClasses<Sized>();
    else if (is("producers"))
        showProducers<Allocator<32>>("32 producers", 32);
    else if (is("producers-classes"))
        showProducers<Sized<32>, Sized<48>, Sized<64>, Sized<96>>(
                "16 producers of four classes", 16);
    else
        return false;
    return true;
}

} // namespace

int main(int argc, char **argv)
{
    const bool pool = argc == 3 && std::strcmp(argv[2], "pool") == 0;
    const bool heap = argc == 3 && std::strcmp(argv[2], "malloc") == 0;
    if (!pool && !heap) {
        std::fprintf(stderr, "usage: %s SCENARIO pool|malloc\n", argv[0]);
        return 2;
    }
    return (pool ? run<Pool, SizedPool>(argv[1]) : run<Heap, Heap>(argv[1])) ? 0 : 2;
}
