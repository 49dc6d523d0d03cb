// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cookie.h"
#include "models.h"

#include <algorithm>
#include <memory>
#include <set>
#include <type_traits>
#include <vector>

using namespace QPool;

namespace {

template <std::size_t SizeV, class ModelT>
struct Case
{
    static constexpr std::size_t Size = SizeV;
    using Model = ModelT;
};

template <class C>
class PoolAllocatorTest : public ::testing::Test
{
protected:
    using Pool = QPoolAllocator<C::Size, typename C::Model>;
    // Many chunks, but not much memory: smaller numbers of large ones.
    static constexpr std::size_t Many = Pool::chunkSize < 1500 ? 3000 : 4000000 / Pool::chunkSize;

    ~PoolAllocatorTest() override
    {
        release();
        expectNothingLost<Pool>();
    }

    void allocate(std::size_t count)
    {
        for (std::size_t i = 0; i < count; ++i) {
            void *chunk = Pool::allocate();
            ASSERT_NE(chunk, nullptr);
            Cookie::write(chunk, Pool::chunkSize, chunks.size());
            chunks.push_back(chunk);
        }
    }

    void release()
    {
        for (void *chunk : chunks)
            Pool::deallocate(chunk);
        chunks.clear();
    }

    std::vector<void *> chunks;
};

struct CaseNames
{
    template <class C>
    static std::string GetName(int) { return C::Model::Name + std::to_string(C::Size); }
};

template <class Model>
using SizesOf = ::testing::Types<Case<1, Model>, Case<24, Model>, Case<100, Model>,
                                 Case<256, Model>, Case<20000, Model>, Case<65536, Model>>;

template <class... Lists>
struct Joined;
template <class... A>
struct Joined<::testing::Types<A...>>
{
    using Type = ::testing::Types<A...>;
};
template <class... A, class... B, class... More>
struct Joined<::testing::Types<A...>, ::testing::Types<B...>, More...>
    : Joined<::testing::Types<A..., B...>, More...>
{
};

using Cases = Joined<SizesOf<SingleThreaded>, SizesOf<SharedPool>, SizesOf<MultiPool>,
                     SizesOf<MultiThreaded>>::Type;
TYPED_TEST_SUITE(PoolAllocatorTest, Cases, CaseNames);

TYPED_TEST(PoolAllocatorTest, chunkSizeHoldsWhatWasAskedFor)
{
    using Pool = typename TestFixture::Pool;
    EXPECT_GE(Pool::chunkSize, TypeParam::Size);
    EXPECT_GE(Pool::chunkSize, sizeof(void *));
    EXPECT_LT(Pool::chunkSize - TypeParam::Size, sizeof(void *));
}

TYPED_TEST(PoolAllocatorTest, chunksAreAlignedDistinctAndInTheSource)
{
    using Pool = typename TestFixture::Pool;
    this->allocate(this->Many);
    std::vector<void *> sorted = this->chunks;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        ASSERT_EQ(reinterpret_cast<std::uintptr_t>(sorted[i]) % Pool::alignment, 0u);
        ASSERT_TRUE(Pool::sourceContains(sorted[i]));
        ASSERT_TRUE(Pool::sourceContains(static_cast<char *>(sorted[i]) + Pool::chunkSize - 1));
        if (i > 0) {
            ASSERT_GE(static_cast<char *>(sorted[i]) - static_cast<char *>(sorted[i - 1]),
                      std::ptrdiff_t(Pool::chunkSize));
        }
    }
    for (std::size_t i = 0; i < this->chunks.size(); ++i)
        ASSERT_TRUE(Cookie::check(this->chunks[i], Pool::chunkSize, i));
}

TYPED_TEST(PoolAllocatorTest, nullIsFreedWithoutEffect)
{
    using Pool = typename TestFixture::Pool;
    const BinStatistics before = Pool::statistics();
    Pool::deallocate(nullptr);
    EXPECT_EQ(Pool::statistics().freed, before.freed);
}

TYPED_TEST(PoolAllocatorTest, sourceContainsNoOtherMemory)
{
    using Pool = typename TestFixture::Pool;
    this->allocate(1);
    int onTheStack = 0;
    const auto onTheHeap = std::make_unique<int>();
    EXPECT_FALSE(Pool::sourceContains(&onTheStack));
    EXPECT_FALSE(Pool::sourceContains(onTheHeap.get()));
    EXPECT_FALSE(Pool::sourceContains(nullptr));
}

TYPED_TEST(PoolAllocatorTest, sourceContainsChunksOfOtherPools)
{
    using Pool = typename TestFixture::Pool;
    using Other = QPoolAllocator<48, SingleThreaded>;
    void *chunk = Other::allocate();
    ASSERT_TRUE(chunk);
    static_assert(!std::is_same_v<Pool, Other>);
    EXPECT_TRUE(Pool::sourceContains(chunk));
    Other::deallocate(chunk);
}

TYPED_TEST(PoolAllocatorTest, statisticsAreExactAtEveryStep)
{
    using Pool = typename TestFixture::Pool;
    const BinStatistics before = Pool::statistics();
    std::uint64_t allocated = 0;
    std::uint64_t freed = 0;
    const auto expectExact = [&] {
        const BinStatistics now = Pool::statistics();
        ASSERT_EQ(now.allocated - before.allocated, allocated);
        ASSERT_EQ(now.freed - before.freed, freed);
        ASSERT_EQ(now.live(), allocated - freed + before.live());
    };
    for (int wave : { 1, 15, 16, 17, 40, 400 }) {
        for (int i = 0; i < wave; ++i) {
            this->allocate(1);
            ++allocated;
            expectExact();
        }
        // A part of them back, from the middle, and then a trim with the rest alive.
        for (int i = 0; i < wave / 2; ++i) {
            const std::size_t middle = this->chunks.size() / 2;
            Pool::deallocate(this->chunks[middle]);
            this->chunks.erase(this->chunks.begin() + std::ptrdiff_t(middle));
            ++freed;
            expectExact();
        }
        if (wave % 2)
            Pool::trim();
        else
            Pool::idle();
        expectExact();
    }
}

TYPED_TEST(PoolAllocatorTest, whatIsFreedIsUsedAgain)
{
    using Pool = typename TestFixture::Pool;
    this->allocate(this->Many);
    const std::uint64_t pages = arenaTotals<Pool>().pages;
    for (int round = 0; round < 20; ++round) {
        this->release();
        this->allocate(this->Many);
        // A magazine's worth of chunks may stand elsewhere than where there is room.
        EXPECT_LE(arenaTotals<Pool>().pages, pages + 1);
    }
}

TYPED_TEST(PoolAllocatorTest, trimGivesMemoryBack)
{
    using Pool = typename TestFixture::Pool;
    this->allocate(16);
    Pool::trim();
    const std::size_t before = SystemPages::memory().committed;
    const std::uint64_t pages = arenaTotals<Pool>().pages;
    this->allocate(4 * 1024 * 1024 / Pool::chunkSize);
    EXPECT_GE(SystemPages::memory().committed, before + 3 * 1024 * 1024);
    while (this->chunks.size() > 16) {
        Pool::deallocate(this->chunks.back());
        this->chunks.pop_back();
    }
    Pool::trim();
    EXPECT_EQ(arenaTotals<Pool>().pages, pages);
    // Except for the rest of the last megabyte that was made usable, which was never touched.
    EXPECT_LE(SystemPages::memory().committed, before + 1024 * 1024);
}

TYPED_TEST(PoolAllocatorTest, idleAndFlushMayComeAtAnyTime)
{
    using Pool = typename TestFixture::Pool;
    for (int i = 0; i < 100; ++i) {
        Pool::idle();
        this->allocate(50);
        Pool::flush();
        Pool::idle();
        if (i % 3 == 0)
            this->release();
        Pool::idle();
        Pool::trim();
    }
}

// Models of one chunk size are different pools.
TEST(PoolAllocatorTypes, modelsShareNothing)
{
    using A = QPoolAllocator<88, MultiPool>;
    using B = QPoolAllocator<88, MultiThreaded>;
    void *chunk = A::allocate();
    EXPECT_EQ(A::statistics().live(), 1u);
    EXPECT_EQ(B::statistics().live(), 0u);
    EXPECT_EQ(arenaTotals<B>().arenas, 0u);
    A::deallocate(chunk);
    expectNothingLost<A>();
}

} // namespace
