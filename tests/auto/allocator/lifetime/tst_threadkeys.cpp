// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A process that has no pthread key left for the pools' hook.

#include "models.h"
#include "rendezvous.h"

#include <vector>

#include <pthread.h>

using namespace QPool;

namespace {

class AllKeys
{
public:
    AllKeys()
    {
        // libc++ takes a key with the first thread.
        inOtherThread([] {});
        pthread_key_t key;
        while (pthread_key_create(&key, nullptr) == 0)
            m_keys.push_back(key);
    }
    ~AllKeys()
    {
        for (pthread_key_t key : m_keys)
            pthread_key_delete(key);
    }

private:
    std::vector<pthread_key_t> m_keys;
};

// The hook still runs, among the destructors of thread_local objects: the arena is orphaned and
// adopted, and the contents of the remote cache are sent to their arenas.
TEST(ThreadKeys, poolsWorkWhenNoneIsLeft)
{
    struct Tag;
    using Pool = QPoolAllocator<32, MultiThreaded, TaggedPages<Tag>>;
    using Other = QPoolAllocator<64, MultiThreaded, TaggedPages<Tag>>;
    AllKeys keys;
    void *mine = Pool::allocate();
    ASSERT_NE(mine, nullptr);
    void *theirs = nullptr;
    for (int i = 0; i < 3; ++i) {
        inOtherThread([&] {
            void *chunk = Pool::allocate();
            EXPECT_NE(chunk, nullptr);
            EXPECT_EQ(arenaTotals<Pool>().arenas, 2u);
            Pool::deallocate(i == 0 ? mine : theirs);
            theirs = chunk;
            Other::deallocate(Other::allocate());
        });
        EXPECT_EQ(arenaTotals<Pool>().orphans, 1u);
        EXPECT_EQ(arenaTotals<Other>().orphans, 1u);
        EXPECT_EQ(Pool::statistics().live(), 1u) << "the remote cache was flushed";
    }
    Pool::deallocate(theirs);
    Pool::flush();
    expectNothingLost<Pool>();
    expectNothingLost<Other>();
}

// One slot of the system serves all pools: later pools need none.
TEST(ThreadKeys, oneServesAllPools)
{
    struct First;
    struct Second;
    using Pool = QPoolAllocator<32, MultiThreaded, TaggedPages<First>>;
    using Later = QPoolAllocator<32, MultiPool, TaggedPages<Second>>;
    Pool::deallocate(Pool::allocate());
    AllKeys keys;
    inOtherThread([] { Later::deallocate(Later::allocate()); });
    EXPECT_EQ(arenaTotals<Later>().orphans, 1u);
}

TEST(ThreadKeys, poolsWithoutThreadArenasNeedNone)
{
    struct Tag;
    using Single = QPoolAllocator<32, SingleThreaded, TaggedPages<Tag>>;
    using Shared = QPoolAllocator<32, SharedPool, TaggedPages<Tag>>;
    AllKeys keys;
    void *single = Single::allocate();
    void *shared = Shared::allocate();
    EXPECT_NE(single, nullptr);
    EXPECT_NE(shared, nullptr);
    Single::deallocate(single);
    Shared::deallocate(shared);
}

} // namespace
