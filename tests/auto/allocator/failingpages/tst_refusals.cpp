// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// While there is no memory a refusal costs little, however much the arena holds; and none comes
// once memory is there again, wherever it came from.

#include "failingpages.h"

#include "models.h"
#include "rendezvous.h"

#include <vector>

using namespace QPool;

namespace {

constexpr std::size_t Small = 64;
constexpr std::size_t Large = 1024;

template <class Model>
class RefusalsTest : public ::testing::Test
{
protected:
    using Pages = FailingPages<TaggedPages<RefusalsTest<Model>>>;
    using Pool = QSizedPoolAllocator<Model, Pages>;

    ~RefusalsTest() override
    {
        Pages::setBudget(INT64_MAX);
        for (void *block : blocks)
            Pool::deallocate(block, Small);
        expectNothingLost<Pool>();
    }

    // So many pages of small chunks, of which all stay in use, and no memory left.
    void exhaust(std::size_t pages)
    {
        Pages::setBudget(INT64_MAX);
        const std::size_t perPage = chunksPerPage<Pages>(Small);
        for (std::size_t i = 0; i < pages * perPage; ++i)
            blocks.push_back(Pool::allocate(Small));
        Pages::setBudget(0);
        while (void *block = Pool::allocate(Small))
            blocks.push_back(block);
        EXPECT_FALSE(isServed());
        EXPECT_FALSE(isServed());
    }

    // Blocks in the arena of a thread that has ended. The caller has an arena of its own.
    static std::vector<void *> leftByAThread(std::size_t count, std::size_t size)
    {
        Pages::setBudget(INT64_MAX);
        Pool::deallocate(Pool::allocate(Small), Small);
        std::vector<void *> left(count);
        inOtherThread([&] {
            for (void *&block : left)
                block = Pool::allocate(size);
        });
        return left;
    }

    // Whether a block of another class can be allocated. It is freed again, and its page then stays
    // with its class, so the answer is yes from then on.
    static bool isServed()
    {
        void *block = Pool::allocate(Large);
        Pool::deallocate(block, Large);
        return block;
    }

    // The source is asked once for each, and now and then thoroughly.
    static void expectCheapRefusals()
    {
        const std::int64_t before = Pages::requests();
        constexpr int rounds = 1000;
        for (int i = 0; i < rounds; ++i)
            EXPECT_FALSE(isServed());
        EXPECT_LE(Pages::requests() - before, rounds + rounds / 20);
    }

    // Frees the pages of the first blocks, up to this number, in the calling thread.
    void freePages(std::size_t pages)
    {
        const std::size_t count = pages * chunksPerPage<Pages>(Small);
        for (std::size_t i = 0; i < count; ++i)
            Pool::deallocate(blocks[i], Small);
        blocks.erase(blocks.begin(), blocks.begin() + std::ptrdiff_t(count));
    }

    std::vector<void *> blocks;
};

TYPED_TEST_SUITE(RefusalsTest, AllModels, ModelNames);

TYPED_TEST(RefusalsTest, askTheSourceAndNothingElse)
{
    this->exhaust(20);
    this->expectCheapRefusals();
}

TYPED_TEST(RefusalsTest, endWhenTheSourceHasPages)
{
    using Pages = typename TestFixture::Pages;
    this->exhaust(2);
    Pages::setBudget(1);
    EXPECT_TRUE(this->isServed());
}

// The last chunk of a page, freed into a magazine, where it is not noticed.
TYPED_TEST(RefusalsTest, endWithTheOwnersFrees)
{
    using Pool = typename TestFixture::Pool;
    using Pages = typename TestFixture::Pages;
    Pages::setBudget(INT64_MAX);
    void *alone = Pool::allocate(200);
    this->exhaust(2);
    Pool::deallocate(alone, 200);
    Pages::setBudget(1); // what the arena releases the source gives out again
    EXPECT_TRUE(this->isServed());

    this->exhaust(4);
    this->freePages(3);
    Pages::setBudget(1);
    EXPECT_TRUE(this->isServed());
}

TYPED_TEST(RefusalsTest, endWithTheFreesOfOthers)
{
    using Pages = typename TestFixture::Pages;
    using Pool = typename TestFixture::Pool;
    if constexpr (std::is_same_v<TypeParam, SharedPool>
                  || std::is_same_v<TypeParam, MultiThreaded>) {
        this->exhaust(4);
        inOtherThread([&] {
            this->freePages(3);
            Pool::flush();
        });
        Pages::setBudget(1); // unless the arena kept one of the pages for itself
        EXPECT_TRUE(this->isServed());
    }
}

// A thread has ended, and the refused thread frees what it left. The pages of orphans are released
// at an allocation, however many were refused before.
TYPED_TEST(RefusalsTest, releasePagesFreedInOrphans)
{
    using Pages = typename TestFixture::Pages;
    using Pool = typename TestFixture::Pool;
    if constexpr (std::is_same_v<TypeParam, MultiThreaded>) {
        const auto left = this->leftByAThread(chunksPerPage<Pages>(256), 256);
        this->exhaust(4);
        const std::uint64_t pages = arenaTotals<Pool>().pages;
        for (void *block : left)
            Pool::deallocate(block, 256);
        EXPECT_FALSE(this->isServed());
        EXPECT_LT(arenaTotals<Pool>().pages, pages);
        Pages::setBudget(1);
        EXPECT_TRUE(this->isServed());
    }
}

// What was freed to orphans is searched once, not at each refusal from then on.
TYPED_TEST(RefusalsTest, askTheSourceOnlyAfterFreesToOrphans)
{
    using Pool = typename TestFixture::Pool;
    if constexpr (std::is_same_v<TypeParam, MultiThreaded>) {
        const auto left = this->leftByAThread(1, Small);
        this->exhaust(4);
        Pool::deallocate(left[0], Small);
        this->expectCheapRefusals();
    }
}

} // namespace
