// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A process that has no pthread key left for the pool's hook. Without it a thread's arena would
// be lost with the thread, so the thread gets none; but frees must still go home.

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

TEST(ThreadKeys, allocationIsRefusedAndRecovers)
{
    struct Tag;
    using Pool = QPoolAllocator<32, MultiThreaded, TaggedPages<Tag>>;
    {
        AllKeys keys;
        EXPECT_EQ(Pool::allocate(), nullptr);
        EXPECT_EQ(Pool::allocate(), nullptr);
        Pool::flush();
        Pool::idle();
        Pool::trim();
    }
    void *chunk = Pool::allocate();
    EXPECT_NE(chunk, nullptr);
    Pool::deallocate(chunk);
    expectNothingLost<Pool>();
}

TEST(ThreadKeys, poolsWithoutArenasOfThreadsNeedNone)
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
