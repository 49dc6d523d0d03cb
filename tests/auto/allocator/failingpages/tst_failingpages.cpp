// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Memory that runs out at any point: the n-th request to the page source fails, for every n of a
// scenario. Null is returned, nothing is lost, and later everything works again.

#include "failingpages.h"

#include "cookie.h"
#include "models.h"
#include "rendezvous.h"

#include <vector>

using namespace QPool;

namespace {

struct Block
{
    void *place;
    std::size_t size;
};

template <class Model>
class FailingPagesTest : public ::testing::Test
{
protected:
    using Pages = FailingPages<TaggedPages<Model>>;
    using Pool = QSizedPoolAllocator<Model, Pages>;

    // Uses enough classes and chunks for pages, magazines, an arena and a remote cache. Returns how
    // many allocations were refused.
    static unsigned scenario()
    {
        static constexpr std::size_t sizes[] = { 16, 24, 200, 1024 };
        unsigned refused = 0;
        std::vector<Block> blocks;
        const std::uint64_t liveBefore = arenaTotals<Pool>().live;
        for (int i = 0; i < 2400; ++i) {
            const std::size_t size = sizes[i % 4];
            void *place = Pool::allocate(size);
            if (!place) {
                ++refused;
                continue;
            }
            Cookie::write(place, size, blocks.size());
            blocks.push_back({ place, size });
        }
        EXPECT_EQ(arenaTotals<Pool>().live, liveBefore + blocks.size());
        for (std::size_t i = 0; i < blocks.size(); ++i)
            EXPECT_TRUE(Cookie::check(blocks[i].place, blocks[i].size, i));
        if constexpr (anyThreadFrees) {
            inOtherThread([&] { freeHalf(blocks, 0); });
        } else {
            freeHalf(blocks, 0);
        }
        freeHalf(blocks, 1);
        EXPECT_EQ(arenaTotals<Pool>().live, liveBefore);
        return refused;
    }

    static constexpr bool anyThreadFrees =
            std::is_same_v<Model, SharedPool> || std::is_same_v<Model, MultiThreaded>;

    static void freeHalf(const std::vector<Block> &blocks, std::size_t first)
    {
        for (std::size_t i = first; i < blocks.size(); i += 2)
            Pool::deallocate(blocks[i].place, blocks[i].size);
    }

    // In a new thread if the model has arenas for threads, so that each run needs everything that a
    // first use needs.
    static unsigned run(std::int64_t budget)
    {
        unsigned refused = 0;
        const auto body = [&] {
            Pages::setBudget(budget);
            refused = scenario();
            Pages::setBudget(INT64_MAX);
            Pool::trim();
        };
        if constexpr (std::is_same_v<Model, SingleThreaded>)
            body();
        else
            inOtherThread(body);
        return refused;
    }
};

TYPED_TEST_SUITE(FailingPagesTest, AllModels, ModelNames);

TYPED_TEST(FailingPagesTest, survivesTheFailureOfAnyRequest)
{
    using Pool = typename TestFixture::Pool;
    using Pages = typename TestFixture::Pages;

    EXPECT_GT(this->run(0), 0u) << "with no memory at all every allocation is refused";

    // From nothing to enough; what a run was granted stays, so later ones need less, and the
    // loop ends with the first that is refused nothing.
    std::int64_t budget = 1;
    while (this->run(budget) > 0) {
        ASSERT_LT(budget, 1000) << "the scenario never gets enough";
        ++budget;
    }
    EXPECT_GT(budget, 5) << "the scenario asks for too little to show anything";

    // And every request failed alone, on the way through a full run.
    const std::int64_t before = Pages::requests();
    EXPECT_EQ(this->run(INT64_MAX), 0u);
    const std::int64_t requests = Pages::requests() - before;
    for (std::int64_t n = 0; n < requests; ++n)
        this->run(n);

    EXPECT_EQ(this->run(INT64_MAX), 0u) << "it all works again";
    expectNothingLost<Pool>();
}

TYPED_TEST(FailingPagesTest, magazinesThatCannotGrowAreNoFailure)
{
    using Pool = typename TestFixture::Pool;
    using Pages = typename TestFixture::Pages;
    Pages::setBudget(INT64_MAX);
    std::vector<void *> chunks;
    void *first = Pool::allocate(64);
    ASSERT_NE(first, nullptr);
    // The page is available; all other requests are refused.
    Pages::setBudget(0);
    while (void *chunk = Pool::allocate(64))
        chunks.push_back(chunk);
    EXPECT_EQ(chunks.size(), chunksPerPage<SystemPages>(64) - 1);
    for (void *chunk : chunks)
        Pool::deallocate(chunk, 64);
    Pool::deallocate(first, 64);
    Pages::setBudget(INT64_MAX);
    expectNothingLost<Pool>();
}

// A refusal of the remote cache: frees go home one by one then.
TEST(FailingRemoteCache, freesGoHomeOneByOne)
{
    struct Tag;
    using Pages = FailingPages<TaggedPages<Tag>>;
    using Pool = QPoolAllocator<72, MultiThreaded, Pages>;
    Pages::setBudget(INT64_MAX);
    std::vector<void *> chunks;
    for (int i = 0; i < 1000; ++i)
        chunks.push_back(Pool::allocate());
    Pages::setBudget(0);
    inOtherThread([&] {
        for (std::size_t i = 0; i < chunks.size(); ++i) {
            Pool::deallocate(chunks[i]);
            EXPECT_EQ(arenaTotals<Pool>().backlog, i + 1);
        }
    });
    Pages::setBudget(INT64_MAX);
    EXPECT_EQ(Pool::statistics().remote, 1000u);
    expectNothingLost<Pool>();
}

} // namespace
