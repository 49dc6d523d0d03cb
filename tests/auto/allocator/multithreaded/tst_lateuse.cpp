// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A thread may use pools until the last of its destructors has run: those of thread_local
// objects, which run before a pool's own hook, and those of pthread keys, which run before or
// after it, in several rounds.

#include "cookie.h"
#include "models.h"
#include "rendezvous.h"
#include "testscale.h"

#include <climits>
#include <functional>
#include <ostream>
#include <vector>

#include <pthread.h>

using namespace QPool;

namespace {

constexpr std::size_t Size = 64;

// A pthread key whose destructor calls a function, repeatedly.
class Key
{
public:
    struct Rounds
    {
        pthread_key_t key = 0;
        int left = 0;
        std::function<void(int left)> body;
    };

    Key() { pthread_key_create(&m_key, &Key::run); }
    ~Key() { pthread_key_delete(m_key); }

    void atThreadEnd(Rounds &rounds)
    {
        rounds.key = m_key;
        pthread_setspecific(m_key, &rounds);
    }

private:
    static void run(void *argument)
    {
        auto *rounds = static_cast<Rounds *>(argument);
        rounds->body(--rounds->left);
        if (rounds->left > 0)
            pthread_setspecific(rounds->key, rounds);
    }

    pthread_key_t m_key;
};

// ThreadSanitizer itself leaves the thread in the last round; what runs after it can't be watched.
constexpr int AllRounds = TestScale::underThreadSanitizer ? PTHREAD_DESTRUCTOR_ITERATIONS - 2
                                                          : PTHREAD_DESTRUCTOR_ITERATIONS;

template <class Pool>
struct AtEnd
{
    std::vector<void *> early; // to be freed late
    std::vector<void *> *late = nullptr; // allocated late, to be freed by another thread

    void operator()(int)
    {
        for (int i = 0; i < 3 && !early.empty(); ++i) {
            EXPECT_TRUE(Cookie::check(early.back(), Size, 1));
            Pool::deallocate(early.back());
            early.pop_back();
        }
        void *chunk = Pool::allocate();
        EXPECT_NE(chunk, nullptr);
        Cookie::write(chunk, Size, 2);
        Pool::deallocate(chunk);
        chunk = Pool::allocate();
        EXPECT_NE(chunk, nullptr);
        Cookie::write(chunk, Size, 3);
        late->push_back(chunk);
    }
};

template <class Pool>
std::vector<void *> someChunks(std::size_t count)
{
    std::vector<void *> chunks;
    for (std::size_t i = 0; i < count; ++i) {
        chunks.push_back(Pool::allocate());
        Cookie::write(chunks.back(), Size, 1);
    }
    return chunks;
}

template <class Pool>
void freeLateOnes(std::vector<void *> &late)
{
    for (void *chunk : late) {
        EXPECT_TRUE(Cookie::check(chunk, Size, 3));
        Pool::deallocate(chunk);
    }
    late.clear();
    expectNothingLost<Pool>();
}

TEST(LateUse, worksInThreadLocalDestructors)
{
    struct Tag;
    using Pool = QPoolAllocator<Size, MultiThreaded, TaggedPages<Tag>>;
    struct Local
    {
        ~Local()
        {
            if (!body)
                return;
            body(0);
            body(0);
        }
        std::function<void(int)> body;
    };
    std::vector<void *> late;
    for (int round = 0; round < 20; ++round) {
        inOtherThread([&] {
            static thread_local Local beforeFirstUse;
            auto chunks = someChunks<Pool>(6);
            static thread_local Local afterFirstUse;
            afterFirstUse.body = AtEnd<Pool> { chunks, &late };
            beforeFirstUse.body = AtEnd<Pool> { someChunks<Pool>(6), &late };
        });
        EXPECT_EQ(Pool::statistics().live(), late.size());
    }
    freeLateOnes<Pool>(late);
}

// The destructor is the thread's only use of the pool.
TEST(LateUse, mayBeAThreadsFirstUse)
{
    struct Tag;
    using Pool = QPoolAllocator<Size, MultiThreaded, TaggedPages<Tag>>;
    Key key;
    std::vector<void *> late;
    Key::Rounds rounds;
    inOtherThread([&] {
        rounds = { 0, AllRounds, AtEnd<Pool> { { }, &late } };
        key.atThreadEnd(rounds);
    });
    EXPECT_EQ(late.size(), std::size_t(AllRounds));
    freeLateOnes<Pool>(late);
}

struct KeysCase
{
    const char *name;
    bool createdBeforeThePools;
    bool createdAfterThePools;

    friend void PrintTo(const KeysCase &self, std::ostream *stream) { *stream << self.name; }
};

class LateUseInKeys : public ::testing::TestWithParam<KeysCase>
{
};

template <class Pool>
void useInKeys(const KeysCase &order)
{
    std::vector<Key::Rounds> rounds(2);
    std::vector<void *> late;
    auto before = std::make_unique<Key>();
    inOtherThread([] { Pool::deallocate(Pool::allocate()); }); // creates the pool's key
    auto after = std::make_unique<Key>();
    for (int round = 0; round < 10; ++round) {
        inOtherThread([&] {
            // A function that no key calls frees nothing: this thread does it below.
            rounds[0] = { 0, AllRounds, AtEnd<Pool> { someChunks<Pool>(12), &late } };
            rounds[1] = { 0, AllRounds, AtEnd<Pool> { someChunks<Pool>(12), &late } };
            if (order.createdBeforeThePools)
                before->atThreadEnd(rounds[0]);
            if (order.createdAfterThePools)
                after->atThreadEnd(rounds[1]);
        });
        // Chunks that no destructor freed are freed here, like those of an ended thread.
        for (const Key::Rounds &left : rounds) {
            if (const auto *atEnd = left.body.target<AtEnd<Pool>>()) {
                for (void *chunk : atEnd->early)
                    Pool::deallocate(chunk);
            }
        }
        rounds[0].body = nullptr;
        rounds[1].body = nullptr;
        Pool::flush();
    }
    freeLateOnes<Pool>(late);
}

TEST_P(LateUseInKeys, survivesEveryRound)
{
    struct First;
    struct Second;
    struct Third;
    const KeysCase &order = GetParam();
    if (!order.createdBeforeThePools)
        useInKeys<QPoolAllocator<Size, MultiThreaded, TaggedPages<First>>>(order);
    else if (!order.createdAfterThePools)
        useInKeys<QPoolAllocator<Size, MultiThreaded, TaggedPages<Second>>>(order);
    else
        useInKeys<QPoolAllocator<Size, MultiThreaded, TaggedPages<Third>>>(order);
}

INSTANTIATE_TEST_SUITE_P(Orders, LateUseInKeys,
                         ::testing::Values(KeysCase { "after", false, true },
                                           KeysCase { "before", true, false },
                                           KeysCase { "both", true, true }),
                         [](const auto &info) { return std::string(info.param.name); });

// Late frees of others' chunks have no remote cache to wait in: they go home at once.
TEST(LateUse, freesOfOthersGoHomeAtOnce)
{
    struct Tag;
    using Pool = QPoolAllocator<Size, MultiThreaded, TaggedPages<Tag>>;
    std::vector<void *> chunks = someChunks<Pool>(10); // this thread's
    Pool::deallocate(Pool::allocate());
    Key key;
    Key::Rounds rounds;
    inOtherThread([&] {
        // In the second round, after the pool's hook, whichever of the keys is called first.
        rounds = { 0, 2, [&](int left) {
            if (left > 0)
                return;
            for (std::size_t i = 0; i < chunks.size(); ++i) {
                Pool::deallocate(chunks[i]);
                EXPECT_EQ(Pool::statistics().remote, i + 1);
            }
        } };
        key.atThreadEnd(rounds);
        Pool::deallocate(Pool::allocate()); // arms the hook
    });
    EXPECT_EQ(Pool::statistics().live(), 0u);
    expectNothingLost<Pool>();
}

// A thread that no longer has an arena allocates much: from an orphan, adopted each time.
TEST(LateUse, manyAllocationsShareOneOrphan)
{
    struct Tag;
    using Pool = QPoolAllocator<Size, MultiThreaded, TaggedPages<Tag>>;
    inOtherThread([] { Pool::deallocate(Pool::allocate()); });
    Key key;
    std::vector<void *> late;
    Key::Rounds rounds;
    inOtherThread([&] {
        rounds = { 0, 2, [&](int) {
            for (int i = 0; i < 3000; ++i) {
                late.push_back(Pool::allocate());
                Cookie::write(late.back(), Size, 3);
            }
        } };
        key.atThreadEnd(rounds);
        Pool::deallocate(Pool::allocate());
    });
    EXPECT_EQ(Pool::statistics().live(), 6000u);
    EXPECT_LE(arenaTotals<Pool>().pages, 6000 * Size / SystemPages::PageSize + 2);
    EXPECT_EQ(arenaTotals<Pool>().arenas, 1u);
    freeLateOnes<Pool>(late);
}

} // namespace
