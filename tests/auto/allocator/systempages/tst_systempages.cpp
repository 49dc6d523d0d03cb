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

    void releaseAll()
    {
        for (PageHeader *page : pages)
            SystemPages::releasePage(page);
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

// What was released last may still be in a processor's cache.
TEST_F(SystemPagesTest, takesTheLastReturnedPageFirst)
{
    acquire(9);
    std::vector<PageHeader *> apart;
    for (std::size_t i = 1; i < pages.size(); i += 2)
        apart.push_back(pages[i]);
    for (PageHeader *page : apart)
        SystemPages::releasePage(page);
    for (auto page = apart.rbegin(); page != apart.rend(); ++page)
        EXPECT_EQ(SystemPages::acquirePage(), *page);
}

TEST_F(SystemPagesTest, aPageFromTheSystemIsUntouched)
{
    acquire(20);
    for (PageHeader *page : pages) {
        page->touched = SystemPages::PageSize;
        SystemPages::pageOf(page)[0] = 1;
    }
    releaseAll();
    acquire(20);
    for (PageHeader *page : pages)
        EXPECT_EQ(page->touched, SystemPages::PageSize) << "it has its memory";
    releaseAll();
    SystemPages::trim();
    acquire(20);
    for (PageHeader *page : pages) {
        EXPECT_EQ(page->touched, 0u);
        EXPECT_EQ(SystemPages::pageOf(page)[0], 0);
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
                PageHeader *page = SystemPages::acquirePage();
                char *place = SystemPages::pageOf(page);
                place[0] = place[SystemPages::PageSize - 1] = char(t + 1);
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
