// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// The child of a fork() has one thread. The arenas of the others are lost there, with the memory in them,
// unless new threads take them over. That is allowed only if the fork() found their threads between two
// operations.

#include "childprocess.h"
#include "cookie.h"
#include "models.h"

#include <future>
#include <thread>
#include <vector>

using namespace QPool;

namespace {

constexpr unsigned Threads = 4;
constexpr std::size_t BlockSize = 56;
constexpr unsigned Blocks = 3000;

// Threads that did the same work and wait, each between two operations of the pool, until they are told to
// end.
class WaitingThreads
{
public:
    template <class Work>
    explicit WaitingThreads(Work work)
    {
        for (unsigned i = 0; i < Threads; ++i) {
            std::promise<void> done;
            std::future<void> isDone = done.get_future();
            m_threads.emplace_back([this, i, work, done = std::move(done)]() mutable {
                work(i);
                done.set_value();
                m_mayEnd.wait();
            });
            isDone.wait();
        }
    }
    ~WaitingThreads()
    {
        m_end.set_value();
        for (std::thread &thread : m_threads)
            thread.join();
    }

private:
    std::promise<void> m_end;
    std::shared_future<void> m_mayEnd { m_end.get_future() };
    std::vector<std::thread> m_threads;
};

template <class Pool>
struct Block
{
    explicit Block(std::uint64_t number) : number(number), place(Pool::allocate(BlockSize))
    {
        Cookie::write(place, BlockSize, number);
    }
    bool isIntact() const { return Cookie::check(place, BlockSize, number); }

    std::uint64_t number;
    void *place;
};

template <class Pool>
using BlocksOf = std::vector<Block<Pool>>;

// Every second block is freed, so each magazine has some and each page, too.
template <class Pool>
void leaveHalf(BlocksOf<Pool> &blocks, std::uint64_t number)
{
    for (unsigned i = 0; i < Blocks; ++i)
        blocks.emplace_back(number * Blocks + i);
    for (unsigned i = 0; i < Blocks / 2; ++i) {
        Pool::deallocate(blocks[i].place);
        blocks[i] = blocks.back();
        blocks.pop_back();
    }
}

template <class Pool>
bool areIntact(const BlocksOf<Pool> (&blocks)[Threads])
{
    for (const BlocksOf<Pool> &some : blocks) {
        for (const Block<Pool> &block : some) {
            if (!block.isIntact())
                return false;
        }
    }
    return true;
}

// Returns 0, or what was wrong in the child of the last generation.
template <class Pool>
int forkChain(unsigned generations)
{
    BlocksOf<Pool> blocks[Threads];
    WaitingThreads threads([&](unsigned i) { leaveHalf<Pool>(blocks[i], i + Threads * generations); });
    if (generations == 0)
        return areIntact<Pool>(blocks) ? int(arenaTotals<Pool>().arenas) : 1;
    return exitCodeOfChild([&] {
        const int result = forkChain<Pool>(generations - 1);
        // What was allocated before the fork() is as it was, whoever has its arena now.
        return areIntact<Pool>(blocks) ? result : 2;
    });
}

template <class Model>
class LostArenas : public ::testing::Test
{
};

using OwnArenas = ::testing::Types<MultiPool, MultiThreaded>;
TYPED_TEST_SUITE(LostArenas, OwnArenas, ModelNames);

// At level 2 of hardening they stay lost.
TYPED_TEST(LostArenas, areTakenOverByThreadsOfTheChild)
{
    struct Tag;
    using Pool = QSizedPoolAllocator<TypeParam, TaggedPages<Tag>>;
    constexpr unsigned generations = 3;
    EXPECT_EQ(forkChain<Pool>(generations), int(hardening == 2 ? Threads * (generations + 1) : Threads));
}

// What a lost thread was about to send to others arrives.
TEST(LostRemoteCaches, areSent)
{
    struct Tag;
    using Pool = QPoolAllocator<BlockSize, MultiThreaded, TaggedPages<Tag>>;
    std::vector<void *> blocks;
    for (unsigned i = 0; i < 3 * Threads; ++i)
        blocks.push_back(Pool::allocate());
    WaitingThreads threads([&](unsigned i) {
        void *own = Pool::allocate();
        for (unsigned k = 0; k < 3; ++k)
            Pool::deallocate(blocks[3 * i + k]);
        Pool::deallocate(own);
    });
    EXPECT_EQ(exitCodeOfChild([] {
        {
            WaitingThreads others([](unsigned) { Pool::deallocate(Pool::allocate()); });
        }
        Pool::trim();
        return int(arenaTotals<Pool>().live);
    }), hardening == 2 ? 3 * int(Threads) : 0);
}

// Blocks a thread within a slow path.
struct Slow
{
    std::promise<void> reached;
    std::promise<void> mayGoOn;
};
thread_local Slow *slow = nullptr;

template <class Tag>
struct SlowPages : TaggedPages<Tag>
{
    static PageHeader *acquirePage() noexcept
    {
        if (slow) {
            slow->reached.set_value();
            slow->mayGoOn.get_future().wait();
            slow = nullptr;
        }
        return SystemPages::acquirePage();
    }
};

TEST(LostArena, isNotTakenOverIfASlowPathWasChangingIt)
{
    struct Tag;
    using Pool = QPoolAllocator<BlockSize, MultiThreaded, SlowPages<Tag>>;
    Slow here;
    std::thread thread([&] {
        slow = &here;
        Pool::deallocate(Pool::allocate());
    });
    here.reached.get_future().wait();
    EXPECT_EQ(arenaTotals<Pool>().arenas, 1u);
    EXPECT_EQ(exitCodeOfChild([] {
        std::thread([] { Pool::deallocate(Pool::allocate()); }).join();
        return int(arenaTotals<Pool>().arenas);
    }), 2);
    here.mayGoOn.set_value();
    thread.join();
}

} // namespace
