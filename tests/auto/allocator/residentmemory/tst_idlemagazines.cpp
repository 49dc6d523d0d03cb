// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// What magazines hold after a burst, and when they give it back: when their class was not used for a period.

#include "models.h"
#include "../systempages/systemcalls.h"

#include <vector>

using namespace QPool;

namespace {

template <class Model>
class IdleMagazinesTest : public ::testing::Test
{
protected:
    // A separate pool for each model, so that nothing else counts as pages of its arenas.
    using Pool = QSizedPoolAllocator<Model, TaggedPages<IdleMagazinesTest<Model>>>;

    IdleMagazinesTest() { SystemCalls::clockMilliseconds = 1000; }
    ~IdleMagazinesTest() override { expectNothingLost<Pool>(); }

    static std::uint64_t pages() { return arenaTotals<Pool>().pages; }

    // Frees a burst of \a bytes in blocks of \a size, twice: the first time shows that the class is
    // worth a large magazine, which holds everything the second time.
    static void burst(std::size_t size, std::size_t bytes)
    {
        std::vector<void *> blocks(bytes / size);
        for (int round = 0; round < 2; ++round) {
            for (void *&block : blocks)
                block = Pool::allocate(size);
            for (void *block : blocks)
                Pool::deallocate(block, size);
        }
    }

    static void goIdle(int times)
    {
        for (int i = 0; i < times; ++i) {
            SystemCalls::clockMilliseconds += SystemPages::Period;
            Pool::idle();
        }
    }

    static constexpr int TurnsUntilRelease = 2; // the second of two looks sees that nothing happened
};

TYPED_TEST_SUITE(IdleMagazinesTest, AllModels, ModelNames);

TYPED_TEST(IdleMagazinesTest, allGoesBackWhenUnused)
{
    for (int round = 0; round < 3; ++round) {
        for (unsigned index = 0; index < SizeClasses::Count; ++index)
            this->burst(SizeClasses::sizeOf(index), SizeClasses::sizeOf(index) * 100);
        EXPECT_GT(this->pages(), 0u);
        this->goIdle(this->TurnsUntilRelease);
        EXPECT_EQ(this->pages(), 0u);
    }
}

TYPED_TEST(IdleMagazinesTest, littleGoesBackWhenUnused)
{
    for (int round = 0; round < 3; ++round) {
        this->burst(64, 60 * 1024);
        this->burst(256, 60 * 1024);
        const std::uint64_t pages = this->pages();
        EXPECT_GT(pages, 1u);
        this->goIdle(1);
        EXPECT_GT(this->pages(), 0u) << "it may be wanted again in a moment";
        this->goIdle(this->TurnsUntilRelease);
        EXPECT_EQ(this->pages(), 0u);
    }
}

TYPED_TEST(IdleMagazinesTest, usedClassesKeepTheirPages)
{
    using Pool = typename TestFixture::Pool;
    this->burst(64, 60 * 1024);
    this->burst(256, 60 * 1024);
    const std::uint64_t pages = this->pages();
    for (int turn = 0; turn < 10 * this->TurnsUntilRelease; ++turn) {
        Pool::deallocate(Pool::allocate(64), 64);
        this->goIdle(1);
    }
    EXPECT_GT(this->pages(), 0u);
    EXPECT_LT(this->pages(), pages) << "the other class was not used";
    this->goIdle(this->TurnsUntilRelease);
    EXPECT_EQ(this->pages(), 0u);
}

// A class that was idle is active again: frees to it are noticed.
TYPED_TEST(IdleMagazinesTest, freesAfterARestGoBack)
{
    using Pool = typename TestFixture::Pool;
    constexpr std::size_t size = 64;
    std::vector<void *> blocks(900);
    for (int round = 0; round < 3; ++round) {
        this->burst(size, 60 * 1024);
        for (void *&block : blocks)
            block = Pool::allocate(size);
        this->goIdle(this->TurnsUntilRelease);
        const std::uint64_t held = this->pages();
        EXPECT_GT(held, 0u) << "the blocks are there";
        for (void *block : blocks)
            Pool::deallocate(block, size);
        this->goIdle(2 * this->TurnsUntilRelease);
        EXPECT_EQ(this->pages(), 0u);
    }
}

// Only few large chunks are held, and none by an idle class.
TYPED_TEST(IdleMagazinesTest, holdOnlyFewLargeChunks)
{
    struct Tag;
    using Pool = QPoolAllocator<SystemPages::PageSize, TypeParam, TaggedPages<Tag>>;
    std::vector<void *> blocks(32);
    for (void *&block : blocks)
        block = Pool::allocate();
    for (void *block : blocks)
        Pool::deallocate(block);
    EXPECT_LE(arenaTotals<Pool>().pages, 2 + 1 + 4u) << "magazine, bin and arena";
    for (int turn = 0; turn < this->TurnsUntilRelease; ++turn) {
        SystemCalls::clockMilliseconds += SystemPages::Period;
        Pool::idle();
    }
    EXPECT_EQ(arenaTotals<Pool>().pages, 0u);
}

// A thread that never calls idle(): what a class holds goes back while others are used.
TYPED_TEST(IdleMagazinesTest, goBackWhileOtherClassesAreUsed)
{
    const auto useAnother = [this] {
        for (int round = 0; round < 200; ++round) {
            SystemCalls::clockMilliseconds += SystemPages::Period / 50;
            this->burst(64, 192 * 1024); // more than a magazine holds
        }
    };
    useAnother();
    const std::uint64_t pages = this->pages();
    this->burst(1024, 128 * 1024);
    EXPECT_GT(this->pages(), pages);
    useAnother();
    EXPECT_LE(this->pages(), pages);
}

} // namespace
