// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// fork() from a threaded program: whatever the other threads were doing, the child can allocate and
// free, and so can the parent. A lock that stays locked would show as a hang, which ends the child.

#include "childprocess.h"
#include "cookie.h"
#include "models.h"
#include "testscale.h"

#include <atomic>
#include <thread>
#include <vector>

#include <pthread.h>

using namespace QPool;

namespace {

struct First;
struct Second;
using Sized = QSizedPoolAllocator<MultiThreaded, TaggedPages<First>>;
using Fixed = QPoolAllocator<48, MultiThreaded, TaggedPages<Second>>;
using Shared = QSizedPoolAllocator<SharedPool, TaggedPages<First>>;
using PerThread = QSizedPoolAllocator<MultiPool, TaggedPages<First>>;
using Single = QSizedPoolAllocator<SingleThreaded, TaggedPages<First>>;

constexpr std::size_t BlockSize = 48;

// Blocks that one thread leaves and another takes away.
class Exchange
{
public:
    void *swap(std::size_t slot, void *block)
    {
        return m_slots[slot % Count].exchange(block, std::memory_order_acq_rel);
    }

    static constexpr std::size_t Count = 64;

private:
    std::atomic<void *> m_slots[Count] = { };
};

class ForkTest : public ::testing::Test
{
protected:
    ForkTest()
    {
        for (unsigned t = 0; t < 3; ++t)
            threads.emplace_back([this, t] { churn(t); });
        threads.emplace_back([this] { holdLocks(); });
    }

    ~ForkTest() override
    {
        stop = true;
        for (std::thread &thread : threads)
            thread.join();
        for (std::size_t slot = 0; slot < Exchange::Count; ++slot) {
            Fixed::deallocate(fixed.swap(slot, nullptr));
            Shared::deallocate(shared.swap(slot, nullptr));
        }
        expectNothingLost<Fixed>();
        expectNothingLost<Sized>();
        expectNothingLost<Shared>();
    }

    void churn(unsigned seed)
    {
        std::vector<void *> mine;
        for (std::size_t i = seed; !stop; i += 7) {
            exchangeOne(i);
            mine.push_back(Sized::allocate(i % 1000));
            void *own = PerThread::allocate(i % 300);
            if (mine.size() == 3000) {
                for (void *block : mine)
                    Sized::deallocate(block);
                mine.clear();
                std::thread([] { Fixed::deallocate(Fixed::allocate()); }).join();
            }
            PerThread::deallocate(own);
        }
        for (void *block : mine)
            Sized::deallocate(block);
    }

    // The locks of registries and of the source are what a fork must not catch; this thread has
    // one of them most of the time.
    void holdLocks()
    {
        while (!stop) {
            Fixed::trim();
            Sized::trim();
            Shared::trim();
        }
    }

    void exchangeOne(std::size_t i)
    {
        void *block = Fixed::allocate();
        Cookie::write(block, BlockSize, 1);
        block = fixed.swap(i, block);
        if (block && !Cookie::check(block, BlockSize, 1))
            spoilt = true;
        Fixed::deallocate(block);
        Shared::deallocate(shared.swap(i, Shared::allocate(i % 200)));
    }

    int useAllPools()
    {
        for (std::size_t i = 0; i < 2000; ++i) {
            exchangeOne(i); // blocks of threads that the child does not have, among others
            void *sized = Sized::allocate(i % 1024);
            void *single = Single::allocate(i % 1024);
            void *perThread = PerThread::allocate(i % 1024);
            if (!sized || !single || !perThread)
                return 1;
            Sized::deallocate(sized);
            Single::deallocate(single);
            PerThread::deallocate(perThread);
        }
        Sized::flush();
        Fixed::idle();
        Fixed::trim();
        Shared::trim();
        Single::trim();
        PerThread::trim();
        return spoilt ? 2 : 0;
    }

    Exchange fixed;
    Exchange shared;
    std::atomic<bool> stop { false };
    std::atomic<bool> spoilt { false };
    std::vector<std::thread> threads;
};

TEST_F(ForkTest, childAndParentCanUseAllPools)
{
    ASSERT_EQ(useAllPools(), 0);
    const std::uint64_t forks = TestScale::scaled(400);
    for (std::uint64_t i = 0; i < forks; ++i) {
        ASSERT_EQ(exitCodeOfChild([this] { return useAllPools(); }), 0) << "fork " << i;
        ASSERT_EQ(useAllPools(), 0);
    }
}

TEST_F(ForkTest, aChildMayForkAgain)
{
    EXPECT_EQ(exitCodeOfChild([this] {
        if (useAllPools() != 0)
            return 1;
        if (exitCodeOfChild([this] { return useAllPools(); }) != 0)
            return 2;
        return useAllPools();
    }), 0);
}

// Each class begins with what takes the pool's locks.
template <class Pool, std::size_t... sizes>
void useClasses()
{
    std::vector<void *> blocks;
    for (std::size_t size : { sizes... }) {
        for (int i = 0; i < 100; ++i)
            blocks.push_back(Pool::allocate(size));
    }
    for (void *block : blocks)
        Pool::deallocate(block);
}

// The program's own fork handlers, registered before it used any pool.
template <class Model>
int forkWithHandlers()
{
    struct Tag;
    using Pool = QSizedPoolAllocator<Model, TaggedPages<Tag>>;
    pthread_atfork(useClasses<Pool, 8, 800>, useClasses<Pool, 16, 816>, useClasses<Pool, 24, 600>);
    useClasses<Pool, 32>();
    const auto useAgain = [] {
        useClasses<Pool, 40>();
        return 0;
    };
    const int code = exitCodeOfChild(useAgain);
    useAgain();
    return code;
}

TEST(ForkHandlersTest, mayAllocate)
{
    EXPECT_EQ(exitCodeOfChild(forkWithHandlers<SingleThreaded>), 0);
    EXPECT_EQ(exitCodeOfChild(forkWithHandlers<SharedPool>), 0);
    EXPECT_EQ(exitCodeOfChild(forkWithHandlers<MultiPool>), 0);
    EXPECT_EQ(exitCodeOfChild(forkWithHandlers<MultiThreaded>), 0);
}

// The first use of a pool may be in the child.
TEST_F(ForkTest, aPoolMayBeFirstUsedInTheChild)
{
    EXPECT_EQ(exitCodeOfChild([] {
        struct Tag;
        using Pool = QPoolAllocator<80, MultiThreaded, TaggedPages<Tag>>;
        void *chunk = Pool::allocate();
        if (!chunk)
            return 1;
        Pool::deallocate(chunk);
        return exitCodeOfChild([] {
            void *again = Pool::allocate();
            Pool::deallocate(again);
            return again ? 0 : 1;
        });
    }), 0);
}

} // namespace
