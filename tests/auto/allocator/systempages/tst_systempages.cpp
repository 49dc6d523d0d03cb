// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "pages/qpoolsystempages.h"
#include "rendezvous.h"
#include "testscale.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <set>
#include <vector>

using QPool::PageHeader;
using QPool::PageMemory;
using QPool::SystemPages;

namespace {

class SystemPagesTest : public ::testing::Test
{
protected:
    ~SystemPagesTest() override
    {
        for (PageHeader *page : pages)
            SystemPages::releasePage(page);
        SystemPages::trim();
    }

    void acquire(std::size_t count)
    {
        for (std::size_t i = 0; i < count; ++i) {
            PageHeader *page = SystemPages::acquirePage();
            ASSERT_NE(page, nullptr);
            pages.push_back(page);
        }
    }

    // As a bin leaves pages after it handed out \a touched bytes of each in chunks of \a chunkSize.
    void releaseAll(std::size_t touched = SystemPages::PageSize, std::uint32_t chunkSize = 64)
    {
        for (PageHeader *page : pages) {
            page->touched = std::uint32_t(touched);
            page->chunkSize = chunkSize;
            SystemPages::releasePage(page);
        }
        pages.clear();
    }

    std::vector<PageHeader *> pages;
};

TEST_F(SystemPagesTest, handsOutDistinctAlignedWritablePages)
{
    acquire(100);
    std::set<char *> places;
    for (PageHeader *page : pages) {
        char *place = SystemPages::pageOf(page);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(place) % SystemPages::PageSize, 0u);
        EXPECT_TRUE(places.insert(place).second);
        EXPECT_TRUE(SystemPages::contains(place));
        EXPECT_TRUE(SystemPages::contains(place + SystemPages::PageSize - 1));
        EXPECT_EQ(SystemPages::headerOf(place + 4711), page);
        std::memset(place, 0x5A, SystemPages::PageSize);
    }
}

TEST_F(SystemPagesTest, ownsNothingElse)
{
    acquire(1);
    int onTheStack = 0;
    auto onTheHeap = std::make_unique<int>();
    EXPECT_FALSE(SystemPages::contains(&onTheStack));
    EXPECT_FALSE(SystemPages::contains(onTheHeap.get()));
    EXPECT_FALSE(SystemPages::contains(nullptr));
    EXPECT_FALSE(SystemPages::contains(pages[0])) << "the headers are no memory for chunks";
}

TEST_F(SystemPagesTest, countsWhatIsCommitted)
{
    acquire(1000);
    const PageMemory full = SystemPages::memory();
    EXPECT_GE(full.committed, 1000 * SystemPages::PageSize);
    EXPECT_GE(full.reserved, full.committed);
    releaseAll();
    SystemPages::trim();
    const PageMemory trimmed = SystemPages::memory();
    EXPECT_EQ(trimmed.reserved, full.reserved);
    EXPECT_LE(trimmed.committed + 1000 * SystemPages::PageSize, full.committed);
}

TEST_F(SystemPagesTest, keepsOnlyAShareOfWhatCameFree)
{
    acquire(1000);
    const std::size_t full = SystemPages::memory().committed;
    releaseAll();
    // A few pages, and an eighth of what was in use when they were released.
    const std::size_t kept = 16 + 1000 / 8;
    EXPECT_LE(SystemPages::memory().committed, full - (1000 - kept) * SystemPages::PageSize);
}

// If pages were given back and soon needed again, each swing of the load would cost a page fault
// for each of the system's pages.
TEST_F(SystemPagesTest, keepsMoreWhileTheLoadSwings)
{
    acquire(1000);
    const std::size_t full = SystemPages::memory().committed;
    releaseAll();
    EXPECT_LT(SystemPages::memory().committed, full);
    acquire(1000);
    releaseAll();
    EXPECT_EQ(SystemPages::memory().committed, full);
    SystemPages::idle();
    EXPECT_LT(SystemPages::memory().committed, full - 900 * SystemPages::PageSize);
    acquire(1000);
    releaseAll();
    EXPECT_LT(SystemPages::memory().committed, full) << "idle() forgets the swing";
}

// Pages that each turn of an event loop takes and gives back are kept over idle(), if they are no
// more than one and a half times what is in use all the time. A turn that does not need them gives
// them back.
TEST_F(SystemPagesTest, keepsWhatEachTurnUsesAgain)
{
    constexpr std::size_t swing = 60;
    for (std::size_t usedAlways : { swing - 10, 2 * swing }) {
        const auto turn = [this, usedAlways](std::size_t count) {
            acquire(count);
            for (; pages.size() > usedAlways; pages.pop_back()) {
                pages.back()->touched = SystemPages::PageSize;
                pages.back()->chunkSize = 64;
                SystemPages::releasePage(pages.back());
            }
            SystemPages::idle();
            return SystemPages::memory().decommitted / SystemPages::PageSize;
        };
        acquire(usedAlways);
        SystemPages::trim();
        for (int round = 0; round < 3; ++round) {
            turn(swing);
            const std::size_t decommitted = turn(swing);
            for (int again = 0; again < 5; ++again)
                EXPECT_EQ(turn(swing), decommitted);
            EXPECT_GE(turn(0), decommitted + swing - 16) << "it was not used";
        }
        releaseAll();
        SystemPages::trim();
    }
}

TEST_F(SystemPagesTest, keepsNothingOfALargerSwing)
{
    for (std::size_t usedAlways : { 20u, 1000u }) {
        std::size_t swing = usedAlways < 64 ? usedAlways + usedAlways / 2 + 1 : 129;
        std::vector<PageHeader *> others;
        acquire(usedAlways);
        others.swap(pages);
        SystemPages::trim();
        const std::size_t committed = SystemPages::memory().committed;
        for (int turn = 0; turn < 5; ++turn) {
            acquire(swing);
            releaseAll();
            SystemPages::idle();
            EXPECT_LE(SystemPages::memory().committed,
                      committed + (16 + usedAlways / 32) * SystemPages::PageSize);
        }
        pages.swap(others);
        releaseAll();
        SystemPages::trim();
    }
}

// Pages that were hardly touched are expensive to fetch again and cheap to keep.
TEST_F(SystemPagesTest, keepsMoreOfWhatWasTouchedLittle)
{
    const auto keptOf = [this](std::size_t count, std::size_t touched) {
        acquire(count);
        const std::size_t full = SystemPages::memory().committed;
        releaseAll(touched);
        const std::size_t gone = (full - SystemPages::memory().committed) / SystemPages::PageSize;
        SystemPages::trim();
        return count - gone;
    };
    EXPECT_GE(keptOf(60, 8 * 1024), 60u) << "as many as two threads have";
    EXPECT_LE(keptOf(60, SystemPages::PageSize), 16u);
    const std::size_t bound = 2 * 1024 * 1024;
    EXPECT_LE(keptOf(1000, 32 * 1024) * 32 * 1024, bound);
    EXPECT_LE(keptOf(1000, 8), 128u) << "their number is bounded, too";
}

TEST_F(SystemPagesTest, aClassGetsItsOwnPagesBack)
{
    acquire(1);
    PageHeader *narrow = pages[0];
    releaseAll(4096, 16);
    acquire(1);
    PageHeader *wide = pages[0];
    releaseAll(4096, 1024);
    EXPECT_NE(narrow, wide) << "another class would spoil it";
    for (int round = 0; round < 3; ++round) {
        PageHeader *first = SystemPages::acquirePage(1024);
        PageHeader *second = SystemPages::acquirePage(16);
        EXPECT_EQ(first, wide);
        EXPECT_EQ(second, narrow);
        SystemPages::releasePage(first);
        SystemPages::releasePage(second);
    }
}

TEST_F(SystemPagesTest, takesReturnedPagesBeforeFreshOnes)
{
    acquire(500);
    releaseAll();
    SystemPages::trim();
    const std::size_t before = SystemPages::memory().committed;
    for (int round = 0; round < 10; ++round) {
        acquire(500);
        EXPECT_LE(SystemPages::memory().committed, before + 500 * SystemPages::PageSize);
        releaseAll();
        SystemPages::trim();
        EXPECT_EQ(SystemPages::memory().committed, before);
    }
}

TEST_F(SystemPagesTest, metadataIsZeroAlignedAndApart)
{
    std::vector<std::pair<char *, std::size_t>> blocks;
    for (std::size_t bytes : { 1u, 64u, 65u, 8192u, 65536u, 200000u, 24u }) {
        auto *block = static_cast<char *>(SystemPages::allocateMetadata(bytes));
        ASSERT_NE(block, nullptr);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % QPool::CacheLineSize, 0u);
        EXPECT_TRUE(std::all_of(block, block + bytes, [](char byte) { return byte == 0; }));
        std::memset(block, int(blocks.size()) + 1, bytes);
        blocks.emplace_back(block, bytes);
    }
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const auto [block, bytes] = blocks[i];
        EXPECT_EQ(std::count(block, block + bytes, char(i + 1)), std::ptrdiff_t(bytes));
    }
}

TEST_F(SystemPagesTest, servesManyThreads)
{
    const std::uint64_t rounds = TestScale::scaled(20000);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([=] {
            std::vector<PageHeader *> mine;
            for (std::uint64_t i = 0; i < rounds; ++i) {
                if (i % 3 != 2 || mine.empty()) {
                    PageHeader *page = SystemPages::acquirePage();
                    *SystemPages::pageOf(page) = char(t);
                    page->fresh = unsigned(t);
                    mine.push_back(page);
                } else {
                    PageHeader *page = mine.back();
                    mine.pop_back();
                    ASSERT_EQ(*SystemPages::pageOf(page), char(t));
                    ASSERT_EQ(page->fresh, unsigned(t));
                    SystemPages::releasePage(page);
                }
                if (mine.size() > 200) {
                    for (PageHeader *page : mine)
                        SystemPages::releasePage(page);
                    mine.clear();
                }
            }
            for (PageHeader *page : mine)
                SystemPages::releasePage(page);
        });
    }
    for (std::thread &thread : threads)
        thread.join();
}

// The contents of a page stay while others' memory is given back, however the page was acquired.
TEST_F(SystemPagesTest, servesWhileOthersTrim)
{
    const std::uint64_t rounds = TestScale::scaled(10000);
    std::atomic<int> working { 2 };
    std::vector<std::thread> threads;
    for (int t = 0; t < 2; ++t) {
        threads.emplace_back([=, &working] {
            std::vector<PageHeader *> mine;
            for (std::uint64_t i = 0; i < rounds; ++i) {
                PageHeader *page = SystemPages::acquirePage(64);
                char *place = SystemPages::pageOf(page);
                place[0] = place[SystemPages::PageSize - 1] = char(t + 1);
                page->touched = SystemPages::PageSize;
                page->chunkSize = 64;
                mine.push_back(page);
                if (mine.size() < 60)
                    continue;
                for (PageHeader *old : mine) {
                    const char *bytes = SystemPages::pageOf(old);
                    EXPECT_EQ(bytes[0], char(t + 1));
                    EXPECT_EQ(bytes[SystemPages::PageSize - 1], char(t + 1));
                    SystemPages::releasePage(old);
                }
                mine.clear();
            }
            for (PageHeader *page : mine)
                SystemPages::releasePage(page);
            --working;
        });
    }
    threads.emplace_back([&working] {
        while (working > 0)
            SystemPages::trim();
    });
    threads.emplace_back([&working] {
        while (working > 0) {
            SystemPages::idle();
            const PageMemory memory = SystemPages::memory();
            EXPECT_LE(memory.committed + memory.decommitted, memory.reserved);
        }
    });
    for (std::thread &thread : threads)
        thread.join();
}

} // namespace
