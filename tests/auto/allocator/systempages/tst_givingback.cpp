// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// When memory goes back to the system: what nobody needed for a whole period, in small steps.

#include "givingback.h"
#include "pool/qpoolallocator.h"

namespace {

TEST_F(GivingBackTest, nothingGoesWithinAPeriod)
{
    acquire(100);
    release(50);
    pass(Period - 1);
    release(50);
    EXPECT_EQ(SystemPages::idle(), 1);
    pass(1);
    // The period ends, but at its start no page was free.
    EXPECT_EQ(SystemPages::idle(), Period);
    pass(Period - 1);
    EXPECT_EQ(SystemPages::idle(), 1);
    EXPECT_EQ(SystemCalls::givenBack, 0);
}

TEST_F(GivingBackTest, whatWasFreeForAPeriodGoesInSteps)
{
    constexpr std::size_t count = 100;
    const PageMemory before = SystemPages::memory();
    makeOld(count);
    for (std::size_t left = count; left > 0;) {
        SystemCalls::reset();
        const int next = SystemPages::idle();
        const std::size_t step = left < SystemPages::StepPages ? left : SystemPages::StepPages;
        EXPECT_EQ(SystemCalls::bytes, step * PageSize);
        EXPECT_LE(SystemCalls::givenBack, int(SystemPages::StepPages));
        left -= step;
        EXPECT_EQ(next, left > 0 ? 0 : -1);
    }
    EXPECT_EQ(SystemPages::memory().decommitted + SystemPages::memory().committed,
              before.decommitted + before.committed);
    SystemCalls::reset();
    EXPECT_EQ(SystemPages::idle(), -1);
    EXPECT_EQ(SystemCalls::givenBack, 0);
}

// Adjacent pages go in one system call.
TEST_F(GivingBackTest, aStepTakesOneCall)
{
    makeOld(10 * SystemPages::StepPages);
    for (int step = 1; step <= 10; ++step) {
        SystemPages::idle();
        EXPECT_EQ(SystemCalls::givenBack, step);
    }
    EXPECT_EQ(SystemCalls::mostAtOnce, StepBytes);
}

TEST_F(GivingBackTest, allIsGoneAfterTwoPeriods)
{
    acquire(1000);
    const std::size_t before = SystemPages::memory().committed;
    releaseAll();
    pass(Period);
    while (SystemPages::idle() == 0) { }
    pass(Period);
    while (SystemPages::idle() == 0) { }
    EXPECT_EQ(SystemPages::idle(), -1);
    EXPECT_EQ(pagesGivenBack(), 1000u);
    EXPECT_EQ(SystemPages::memory().committed, before - 1000 * PageSize);
}

// Nor does one that changes the sizes of blocks.
TEST_F(GivingBackTest, eachChangeOfABlockDoesAStep)
{
    bool isZero;
    void *block = SystemPages::allocateBlock(100 * PageSize, PageSize, &isZero);
    ASSERT_NE(block, nullptr);
    PageHeader *first = SystemPages::headerOf(block);
    ASSERT_TRUE(SystemPages::resizeBlock(first, PageSize));
    for (int i = 0; i < 10; ++i) {
        for (std::size_t bytes : { 2 * PageSize, PageSize }) {
            pass(Period);
            ASSERT_TRUE(SystemPages::resizeBlock(first, bytes));
        }
    }
    EXPECT_GE(pagesGivenBack(), 90u);
    SystemPages::deallocateBlock(first);
}

// A thread that releases pages does not need to go to sleep for what is old to be known.
TEST_F(GivingBackTest, releasesTellWhatIsOld)
{
    acquire(20);
    const std::vector<PageHeader *> used = std::exchange(pages, { });
    makeOld(100);
    pages = used;
    for (std::size_t i = 1; i <= 10; ++i) {
        release(1);
        SystemPages::giveBackDue();
        EXPECT_EQ(pagesGivenBack(), i * SystemPages::StepPages);
    }
    // What was released last is not old.
    release(10);
    for (int i = 0; i < 10; ++i)
        SystemPages::giveBackDue();
    EXPECT_EQ(pagesGivenBack(), 100u);
}

TEST_F(GivingBackTest, aThreadAtWorkDoesAStepNowAndThen)
{
    makeOld(20);
    std::uint32_t since = std::uint32_t(SystemCalls::clockMilliseconds) - Period + 1;
    EXPECT_FALSE(SystemPages::periodEnds(since));
    EXPECT_EQ(SystemCalls::givenBack, 0) << "for this thread, no period has ended";
    pass(1);
    EXPECT_TRUE(SystemPages::periodEnds(since));
    EXPECT_EQ(since, std::uint32_t(SystemCalls::clockMilliseconds));
    EXPECT_EQ(SystemCalls::bytes, 0u);
    // All is old: no step waits for another period.
    constexpr std::size_t step = SystemPages::StepPages;
    for (std::size_t pages : { step, 2 * step, std::size_t(20), std::size_t(20) }) {
        EXPECT_FALSE(SystemPages::periodEnds(since));
        SystemPages::giveBackDue();
        EXPECT_EQ(pagesGivenBack(), pages);
    }
}

TEST_F(GivingBackTest, whatIsUsedAgainStays)
{
    makeOld(100);
    EXPECT_EQ(SystemPages::idle(), 0); // the first step
    acquire(60);
    while (SystemPages::idle() == 0) { }
    EXPECT_EQ(pagesGivenBack(), 40u);
    releaseAll();
    // They are as old as others after a period in which nobody needs them.
    pass(Period);
    while (SystemPages::idle() == 0) { }
    EXPECT_EQ(pagesGivenBack(), 40u);
    pass(Period);
    while (SystemPages::idle() == 0) { }
    EXPECT_EQ(pagesGivenBack(), 100u);
}

TEST_F(GivingBackTest, nothingGoesWhileTheLoadSwings)
{
    acquire(10);
    for (int turn = 0; turn < 100; ++turn) {
        acquire(500);
        release(500);
        const int next = SystemPages::idle();
        EXPECT_GT(next, 0);
        EXPECT_LE(next, Period);
        pass(Period / 3);
    }
    EXPECT_EQ(SystemCalls::givenBack, 0);
}

// Once, for good.
TEST_F(GivingBackTest, whatASwingDoesNotReachGoes)
{
    acquire(500);
    release(500);
    for (int turn = 0; turn < 100; ++turn) {
        acquire(200);
        release(200);
        while (SystemPages::idle() == 0) { }
        pass(Period / 3);
    }
    EXPECT_EQ(pagesGivenBack(), 300u);
}

TEST_F(GivingBackTest, idleSaysWhenToComeBack)
{
    EXPECT_EQ(SystemPages::idle(), -1);
    acquire(1);
    EXPECT_EQ(SystemPages::idle(), -1);
    pass(50);
    release(1);
    EXPECT_EQ(SystemPages::idle(), Period - 50);
    // A thread that comes each time it was asked to, comes three times.
    int calls = 0;
    for (int next = SystemPages::idle(); next >= 0; next = SystemPages::idle()) {
        pass(next);
        ASSERT_LE(++calls, 3);
    }
    EXPECT_EQ(pagesGivenBack(), 1u);
}

TEST_F(GivingBackTest, trimGivesBackAtOnce)
{
    acquire(300);
    const std::size_t before = SystemPages::memory().committed;
    releaseAll();
    SystemPages::trim();
    EXPECT_EQ(pagesGivenBack(), 300u);
    EXPECT_EQ(SystemPages::memory().committed, before - 300 * PageSize);
    EXPECT_EQ(SystemPages::idle(), -1);
    EXPECT_LE(SystemCalls::mostAtOnce, StepBytes) << "nobody waits long for the pages on their way";
}

// The system may refuse, as it does when the program has locked its memory.
TEST_F(GivingBackTest, refusedPagesStayUsable)
{
    constexpr int tries = 1 + int(SystemPages::StepPages); // a run, and each of its pages
    const std::size_t before = SystemPages::memory().committed;
    makeOld(100);
    const PageMemory full = SystemPages::memory();
    SystemCalls::refusesToTake = true;
    EXPECT_EQ(SystemPages::idle(), Period);
    EXPECT_EQ(SystemCalls::givenBack, tries);
    pass(Period - 1);
    EXPECT_EQ(SystemPages::idle(), 1);
    acquire(1);
    releaseAll();
    EXPECT_EQ(SystemCalls::givenBack, tries) << "it was refused in this period";
    pass(1);
    EXPECT_EQ(SystemPages::idle(), Period);
    EXPECT_EQ(SystemCalls::givenBack, 2 * tries);
    EXPECT_EQ(SystemPages::memory().committed, full.committed);
    EXPECT_EQ(SystemPages::memory().decommitted, full.decommitted);
    acquire(100);
    EXPECT_EQ(SystemPages::memory().committed, full.committed);
    releaseAll();
    SystemPages::trim();
    EXPECT_EQ(SystemCalls::givenBack, 3 * tries) << "it was refused once";
    // They go when the system takes them.
    SystemCalls::refusesToTake = false;
    for (int period = 0; period < 2; ++period) {
        pass(Period);
        while (SystemPages::idle() == 0) { }
    }
    EXPECT_EQ(pagesGivenBack(), 100u);
    EXPECT_EQ(SystemPages::memory().committed, before > 100 * PageSize ? full.committed - 100 * PageSize
                                                                       : before);
}

using Pool = QPool::QPoolAllocator<1024, QPool::MultiThreaded>;

// A pool's pages, and the chunks in magazines, which keep them in use.
TEST_F(GivingBackTest, poolsReturnWhatTheyDoNotUse)
{
    std::vector<void *> chunks(100 * PageSize / 1024);
    for (int round = 0; round < 2; ++round) {
        for (void *&chunk : chunks)
            chunk = Pool::allocate();
        for (void *chunk : chunks)
            Pool::deallocate(chunk);
    }
    const std::size_t full = SystemPages::memory().committed;
    int periods = 0;
    for (int next = Pool::idle(); next >= 0; next = Pool::idle()) {
        EXPECT_LE(next, Period);
        pass(next);
        periods += next > 0;
        ASSERT_LT(periods, 10);
    }
    EXPECT_GE(pagesGivenBack(), 99u);
    EXPECT_LE(SystemPages::memory().committed, full - 99 * PageSize);
}

} // namespace
