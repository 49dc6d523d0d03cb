// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// The slowest single allocations and frees: the 99.9th percentile and the worst; and how long a
// thread that allocates waits while another gives memory back. In nanoseconds, including the clock,
// which costs about twenty.
//
// An interruption of a process hits another operation each time, but the work of the allocator
// occurs at the same operation each time. So several children do the same work in turn, and the
// fastest of them counts for each operation.

#include "measure.h"
#include "subjects.h"
#include "team.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace Bench;

namespace {

constexpr int Operations = 200000;
constexpr int Children = 5;

using Times = std::uint32_t[Operations];

template <class Work>
std::uint32_t nanosecondsOf(Work &&work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    const auto end = std::chrono::steady_clock::now();
    return std::uint32_t(
            std::chrono::duration_cast<std::chrono::nanoseconds>(end - begin).count());
}

// Replaces random ones of ten thousand blocks of mixed, mostly small sizes, from the first on.
template <class Allocator>
void work(Times &allocating, Times &freeing)
{
    struct Block
    {
        void *address = nullptr;
        unsigned size = 0;
    };
    std::vector<Block> blocks(10000);
    Random random(99);
    for (int i = 0; i < Operations; ++i) {
        Block &block = blocks[random.below(unsigned(blocks.size()))];
        freeing[i] = 0;
        if (block.address)
            freeing[i] = nanosecondsOf([&] { Allocator::deallocate(block.address, block.size); });
        block.size = random.below(10) ? 8 + random.below(120) : 128 + random.below(800);
        allocating[i] = nanosecondsOf([&] { block.address = opaque(Allocator::allocate(block.size)); });
        *static_cast<char *>(block.address) = 1;
    }
}

struct Measured
{
    Times allocating;
    Times freeing;
};

// \a permille of all are as fast, or faster.
double quantile(std::vector<std::uint32_t> &times, int permille)
{
    const auto at = times.begin() + (std::ptrdiff_t(times.size()) - 1) * permille / 1000;
    std::nth_element(times.begin(), at, times.end());
    return *at;
}

template <class Allocator>
double tail(bool freeing, int permille)
{
    void *shared = mmap(nullptr, Children * sizeof(Measured), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        qFatal("no memory to measure in");
    auto *measured = static_cast<Measured *>(shared);
    // The start of an allocator is paid for once, and for a preloaded one before main().
    Allocator::deallocate(opaque(Allocator::allocate(24)), 24);
    for (int i = 0; i < Children; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            // Its pages are not to be faulted in while time is taken.
            std::fill_n(reinterpret_cast<char *>(&measured[i]), sizeof(Measured), 1);
            // Nor are the allocator's own pages, which the first write after fork() copies.
            void *blocks[64];
            for (void *&block : blocks)
                block = opaque(Allocator::allocate(24));
            for (void *block : blocks)
                Allocator::deallocate(block, 24);
            work<Allocator>(measured[i].allocating, measured[i].freeing);
            _exit(0);
        }
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
            qFatal("a child that measures failed");
    }
    std::vector<std::uint32_t> fastest(Operations);
    for (int operation = 0; operation < Operations; ++operation) {
        std::uint32_t least = UINT32_MAX;
        for (int i = 0; i < Children; ++i) {
            const Measured &one = measured[i];
            least = std::min(least, (freeing ? one.freeing : one.allocating)[operation]);
        }
        fastest[operation] = least;
    }
    munmap(shared, Children * sizeof(Measured));
    return quantile(fastest, permille);
}

using Tail = double (*)(bool freeing, int permille);

// How often the calling thread was taken off its processor: what happened then is no fault of the
// allocator's.
long preemptions()
{
    rusage usage = { };
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nivcsw;
}

// Blocks of a page each, as the pools have them from their source.
struct PoolPages
{
    using Block = QPool::PageHeader *;
    using Source = QPool::SystemPages;
    static Block take() { return Source::acquirePage(); }
    static void touch(Block block) { std::memset(Source::pageOf(block), 1, Source::PageSize); }
    static void give(Block block)
    {
        block->touched = Source::PageSize;
        block->chunkSize = 64;
        Source::releasePage(block);
    }
    static void trim() { Source::trim(); }
};

// For comparison: the same with the general allocator, which trims when it is told to.
struct MallocPages
{
    using Block = void *;
    static constexpr std::size_t Size = 64 * 1024;
    static Block take() { return opaque(std::malloc(Size)); }
    static void touch(Block block) { std::memset(block, 1, Size); }
    static void give(Block block) { std::free(block); }
    static void trim() { malloc_trim(0); }
};

// A thread takes pages and gives them back, while another trims some 450 MB that were used. The
// longest wait of the first; the least of several tries, because other work may use the processors
// meanwhile.
template <class Pages>
double worstWaitWhileTrimming(bool, int)
{
    constexpr std::size_t trimmed = 7000;
    const int tries = qEnvironmentVariableIsSet("QPOOL_BENCH_QUICK") ? 1 : 5;
    double least = 1e12;
    for (int i = 0; i < tries; ++i) {
        std::vector<typename Pages::Block> pages(trimmed);
        for (auto &page : pages)
            page = Pages::take();
        for (auto &page : pages)
            Pages::touch(page);
        for (auto &page : pages)
            Pages::give(page);
        std::atomic<bool> isReady { false };
        std::atomic<bool> isDone { false };
        double worst = 0;
        std::thread other([&] {
            long before = preemptions();
            isReady = true;
            while (!isDone) {
                const double nanoseconds = nanosecondsOf([] { Pages::give(Pages::take()); });
                if (nanoseconds <= worst)
                    continue;
                if (const long now = preemptions(); now == before)
                    worst = nanoseconds;
                else
                    before = now;
            }
        });
        while (!isReady)
            std::this_thread::yield();
        Pages::trim();
        isDone = true;
        other.join();
        least = std::min(least, worst);
    }
    return least;
}

} // namespace

Q_DECLARE_METATYPE(Tail)

class tst_Bench_Tail : public QObject
{
    Q_OBJECT
private slots:
    void tail_data();
    void tail();
};

void tst_Bench_Tail::tail_data()
{
    QTest::addColumn<bool>("freeing");
    QTest::addColumn<int>("permille");
    QTest::addColumn<Tail>("function");
    for (const char *what : { "allocate", "free" }) {
        const bool freeing = what[0] == 'f';
        for (int permille : { 999, 1000 }) {
            const char *kind = permille == 1000 ? "worst" : "p99.9";
            QTest::addRow("%s/%s/pool", what, kind)
                    << freeing << permille << Tail(::tail<Pool::Sized>);
            QTest::addRow("%s/%s/malloc", what, kind)
                    << freeing << permille << Tail(::tail<MallocSubject::Sized>);
            QTest::addRow("%s/%s/limit", what, kind)
                    << freeing << permille << Tail(::tail<LimitSubject::Sized>);
        }
    }
    QTest::addRow("trim/worst/pool") << false << 1000 << Tail(worstWaitWhileTrimming<PoolPages>);
    QTest::addRow("trim/worst/malloc")
            << false << 1000 << Tail(worstWaitWhileTrimming<MallocPages>);
}

void tst_Bench_Tail::tail()
{
    QFETCH(bool, freeing);
    QFETCH(int, permille);
    QFETCH(Tail, function);
    // The children need no warm-up.
    measureOnce(QTest::WalltimeNanoseconds, [&] { return function(freeing, permille); });
}

QTEST_APPLESS_MAIN(tst_Bench_Tail)

#include "tst_bench_tail.moc"
