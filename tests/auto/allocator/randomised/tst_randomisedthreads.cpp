// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// The same with several threads that pass blocks, and what is expected of them, to each other. Threads
// start and end meanwhile. QPOOL_TEST_SEED repeats what each thread does; the system decides how they
// interleave.

#include "cookie.h"
#include "mailbox.h"
#include "models.h"
#include "randomsource.h"
#include "testscale.h"

#include <atomic>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

using namespace QPool;

namespace {

struct Block
{
    void *place;
    std::size_t size;
    std::uint64_t number;
};

// The blocks in use, over all threads: none may be handed out twice.
class Register
{
public:
    bool insert(const Block &block)
    {
        Shard &shard = shardOf(block.place);
        std::lock_guard<std::mutex> lock(shard.mutex);
        return shard.blocks.insert({ block.place, block.number }).second;
    }

    bool erase(const Block &block)
    {
        Shard &shard = shardOf(block.place);
        std::lock_guard<std::mutex> lock(shard.mutex);
        const auto known = shard.blocks.find(block.place);
        if (known == shard.blocks.end() || known->second != block.number)
            return false;
        shard.blocks.erase(known);
        return true;
    }

private:
    struct Shard
    {
        std::mutex mutex;
        std::unordered_map<void *, std::uint64_t> blocks;
    };

    Shard &shardOf(void *place)
    {
        return m_shards[Cookie::mixed(reinterpret_cast<std::uintptr_t>(place)) % 16];
    }

    Shard m_shards[16];
};

template <class Model>
class RandomisedThreadsTest : public ::testing::Test
{
protected:
    using Pool = QSizedPoolAllocator<Model>;
    static constexpr unsigned Threads = 4;

    void run(std::uint64_t seed, std::uint64_t operations)
    {
        RandomSource random(seed);
        std::vector<Block> mine;
        for (std::uint64_t i = 0; i < operations && failures == 0; ++i) {
            const std::size_t dice = random.below(100);
            if (dice < 45 || mine.empty()) {
                mine.push_back(allocate(random));
            } else if (dice < 65) {
                free(take(mine, random));
            } else if (dice < 95) {
                mailboxes[random.below(Threads)].put(take(mine, random));
            } else if (dice < 98) {
                for (const Block &block : mailboxes[random.below(Threads)].takeAll())
                    random.below(4) ? free(block) : mine.push_back(block);
            } else {
                callRarely(random);
            }
            while (mine.size() > 5000)
                free(take(mine, random));
        }
        // Blocks that a thread has when it ends are passed to others.
        for (const Block &block : mine)
            mailboxes[random.below(Threads)].put(block);
    }

    Block allocate(RandomSource &random)
    {
        Block block = { nullptr, random.blockSize(), random() };
        block.place = Pool::allocate(block.size);
        expect(block.place && registered.insert(block));
        Cookie::write(block.place, block.size, block.number);
        return block;
    }

    void free(const Block &block)
    {
        expect(Cookie::check(block.place, block.size, block.number));
        expect(registered.erase(block));
        Pool::deallocate(block.place, block.size);
    }

    static Block take(std::vector<Block> &blocks, RandomSource &random)
    {
        std::swap(blocks[random.below(blocks.size())], blocks.back());
        const Block block = blocks.back();
        blocks.pop_back();
        return block;
    }

    static void callRarely(RandomSource &random)
    {
        switch (random.below(50)) {
        case 0:
            return Pool::trim();
        case 1:
        case 2:
            return Pool::flush();
        case 3:
            Pool::idle();
        }
    }

    void expect(bool condition)
    {
        if (!condition)
            ++failures;
    }

    Mailbox<Block> mailboxes[Threads];
    Register registered;
    std::atomic<unsigned> failures { 0 };
};

TYPED_TEST_SUITE(RandomisedThreadsTest, AnyThreadFreesModels, ModelNames);

TYPED_TEST(RandomisedThreadsTest, blocksPassedAroundKeepTheirContent)
{
    using Pool = typename TestFixture::Pool;
    constexpr unsigned Lives = 10; // of each thread, one after the other
    const std::uint64_t seed = TestScale::seed();
    const std::uint64_t operations = TestScale::scaled(1000000) / (this->Threads * Lives) + 1;
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < this->Threads; ++t) {
        threads.emplace_back([this, t, seed, operations] {
            for (unsigned life = 0; life < Lives; ++life) {
                std::thread([&] {
                    this->run(seed + t * Lives + life, operations);
                }).join();
            }
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    for (Mailbox<Block> &mailbox : this->mailboxes) {
        for (const Block &block : mailbox.takeAll())
            this->free(block);
    }
    EXPECT_EQ(this->failures, 0u);
    expectNothingLost<Pool>();
}

} // namespace
