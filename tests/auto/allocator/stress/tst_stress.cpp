// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Producers keep a working set and replace it block by block; what they replace, consumers check
// and free. Producers live for a while only, so that arenas are orphaned and adopted with blocks
// under way all the time.
//
//   QPOOL_STRESS_FREES=100000000  how many remote frees; by default a run of seconds

#include "boundedqueue.h"
#include "cookie.h"
#include "models.h"
#include "randomsource.h"
#include "rendezvous.h"
#include "testscale.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ostream>
#include <thread>
#include <vector>

using namespace QPool;

namespace {

struct Block
{
    void *place = nullptr;
    std::uint32_t size = 0;
    std::uint32_t number = 0;
};

using Batch = std::vector<Block>;

struct Shape
{
    const char *name;
    unsigned producers;
    unsigned consumers;
    std::uint64_t share; // of the frees asked for, in percent

    friend void PrintTo(const Shape &self, std::ostream *stream) { *stream << self.name; }
};

class StressTest : public ::testing::TestWithParam<Shape>
{
protected:
    struct Tag;
    using Pool = QSizedPoolAllocator<MultiThreaded, TaggedPages<Tag>>;

    static constexpr std::size_t BatchSize = 256;
    static constexpr std::size_t WorkingSet = 100000; // blocks, over all producers
    static constexpr std::uint64_t LifeOfAProducer = 500000; // blocks

    void produce(std::uint64_t seed, std::uint64_t blocks)
    {
        RandomSource random(seed);
        // Short runs have a smaller one, or they would end before it is complete.
        std::vector<Block> set(std::min<std::uint64_t>(WorkingSet / GetParam().producers,
                                                       blocks / 5 + 1));
        std::thread([&] {
            for (Block &slot : set)
                slot = allocate(random);
        }).join();
        // Memory is compared from here on, whichever producer the system favours.
        allComplete.wait();
        for (std::uint64_t done = 0; done < blocks;) {
            const std::uint64_t life = std::min(blocks - done, LifeOfAProducer);
            std::thread([&] { replace(set, random, life); }).join();
            done += life;
        }
        for (std::size_t i = 0; i < set.size(); i += BatchSize)
            send(Batch(set.begin() + std::ptrdiff_t(i),
                       set.begin() + std::ptrdiff_t(std::min(i + BatchSize, set.size()))));
    }

    void replace(std::vector<Block> &set, RandomSource &random, std::uint64_t blocks)
    {
        Batch batch;
        batch.reserve(BatchSize);
        for (std::uint64_t i = 0; i < blocks; ++i) {
            Block &slot = set[random.below(set.size())];
            batch.push_back(slot);
            slot = allocate(random);
            if (batch.size() == BatchSize) {
                send(batch);
                batch = { };
                batch.reserve(BatchSize);
                // Like an event loop before it waits.
                Pool::idle();
            }
        }
        send(batch);
    }

    Block allocate(RandomSource &random)
    {
        Block block;
        block.size = std::uint32_t(random.below(256) ? 16 + random.below(241) : random.below(1025));
        block.number = std::uint32_t(random());
        block.place = Pool::allocate(block.size);
        if (!block.place)
            ++failures;
        else
            Cookie::write(block.place, block.size, block.number);
        return block;
    }

    void send(const Batch &batch) { queue.put(batch); }

    void consume()
    {
        Batch batch;
        while (queue.take(batch)) {
            for (const Block &block : batch) {
                if (!block.place)
                    continue;
                if (!Cookie::check(block.place, block.size, block.number))
                    ++failures;
                Pool::deallocate(block.place, block.size);
            }
            sample(frees.fetch_add(batch.size()) + batch.size());
        }
    }

    // The most memory that is committed, by quarters of the run.
    void sample(std::uint64_t done)
    {
        const std::size_t committed = SystemPages::memory().committed;
        const std::size_t quarter = std::min<std::uint64_t>(done * 4 / total, 3);
        std::size_t most = peak[quarter].load();
        while (committed > most && !peak[quarter].compare_exchange_weak(most, committed)) { }
    }

    static constexpr std::size_t QueueSize = 64; // batches
    BoundedQueue<Batch> queue { QueueSize };
    Rendezvous allComplete { GetParam().producers };
    std::uint64_t total = 0;
    std::atomic<std::uint64_t> frees { 0 };
    std::atomic<unsigned> failures { 0 };
    std::atomic<std::size_t> peak[4] = { };
};

TEST_P(StressTest, nothingIsLostAndMemoryStaysBounded)
{
    const Shape &shape = GetParam();
    const std::uint64_t affordable = std::min<std::uint64_t>(10000000, TestScale::scaled(20000000));
    const std::uint64_t asked = TestScale::environmentNumber("QPOOL_STRESS_FREES",
                                                             affordable);
    const std::uint64_t perProducer = asked * shape.share / 100 / shape.producers + 1;
    total = perProducer * shape.producers;

    const auto start = std::chrono::steady_clock::now();
    std::vector<std::thread> producers;
    std::vector<std::thread> consumers;
    const std::uint64_t seed = TestScale::seed();
    for (unsigned c = 0; c < shape.consumers; ++c)
        consumers.emplace_back([this] { consume(); });
    for (unsigned p = 0; p < shape.producers; ++p)
        producers.emplace_back([this, seed, p, perProducer] { produce(seed + p, perProducer); });
    for (std::thread &producer : producers)
        producer.join();
    queue.close();
    for (std::thread &consumer : consumers)
        consumer.join();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;

    EXPECT_EQ(failures, 0u);
    const ArenaTotals totals = arenaTotals<Pool>();
    EXPECT_EQ(totals.live, 0u);
    // One for each live producer, and another for each that ends while the next begins.
    EXPECT_LE(totals.arenas, 2 * 4u);
    // A short run, of a few lives of producers, is not steady: how full the queue gets is the
    // scheduler's choice, and memory is committed a mebibyte at a time. Long ones, where growth
    // would show, get no allowance.
    constexpr std::size_t queued = QueueSize * BatchSize * 128;
    const std::size_t step = total < 10000000 ? 1024 * 1024 + queued : 0;
    // A producer that finds all orphans in others' hands gets a new arena, and this some full pages
    // of each class before it takes what orphans have.
    constexpr std::size_t ofItsOwn = SizeClasses::Count * (256 + 64) * std::size_t(1024);
    const std::size_t late = totals.arenas > shape.producers ? totals.arenas - shape.producers : 0;
    EXPECT_LE(peak[3], peak[1] + peak[1] / 10 + step + late * ofItsOwn);
    std::printf("%s: %llu blocks freed remotely in %.1f s; committed at most %.1f, %.1f, %.1f and "
                "%.1f MiB by quarters; %u arenas, %llu adoptions\n",
                shape.name, static_cast<unsigned long long>(total), took.count(),
                double(peak[0]) / 1048576, double(peak[1]) / 1048576, double(peak[2]) / 1048576,
                double(peak[3]) / 1048576, totals.arenas,
                static_cast<unsigned long long>(totals.adoptions));
    expectNothingLost<Pool>();
}

INSTANTIATE_TEST_SUITE_P(Shapes, StressTest,
                         ::testing::Values(Shape { "oneToOne", 1, 1, 25 },
                                           Shape { "oneToMany", 1, 4, 25 },
                                           Shape { "manyToOne", 4, 1, 25 },
                                           Shape { "manyToMany", 3, 3, 25 }),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
