// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "pages/qpoolpagerange.h"
#include "pool/qsizedpoolallocator.h"

#include <gtest/gtest.h>

#include <memory>

using QPool::PageHeader;

namespace {

class PageRangeTest : public ::testing::Test
{
protected:
    static constexpr std::size_t PageSize = 1024;
    static constexpr std::size_t Count = 8;
    using Range = QPool::PageRange<PageSize>;

    struct alignas(PageSize) Pages
    {
        char bytes[Count * PageSize];
    };

    PageRangeTest() { range.initialize(headers.get(), pages->bytes, Count); }

    std::unique_ptr<Pages> pages { new Pages };
    std::unique_ptr<PageHeader[]> headers { new PageHeader[Count]() };
    Range range;
};

TEST_F(PageRangeTest, containsItsPagesAndNothingElse)
{
    const char *begin = pages->bytes;
    EXPECT_TRUE(range.contains(begin));
    EXPECT_TRUE(range.contains(begin + Count * PageSize - 1));
    EXPECT_FALSE(range.contains(begin - 1));
    EXPECT_FALSE(range.contains(begin + Count * PageSize));
    EXPECT_FALSE(range.contains(nullptr));
    EXPECT_FALSE(range.contains(reinterpret_cast<void *>(UINTPTR_MAX)));
    EXPECT_FALSE(range.contains(headers.get()));
}

TEST_F(PageRangeTest, containsNothingBeforeItHasPages)
{
    static Range empty;
    int onTheStack = 0;
    EXPECT_FALSE(empty.isInitialized());
    EXPECT_FALSE(empty.contains(nullptr));
    EXPECT_FALSE(empty.contains(&onTheStack));
    EXPECT_FALSE(empty.contains(&empty));
    EXPECT_FALSE(empty.contains(pages.get()));
    EXPECT_FALSE(empty.contains(reinterpret_cast<void *>(UINTPTR_MAX)));
}

TEST_F(PageRangeTest, findsTheHeaderOfEveryByte)
{
    for (std::size_t i = 0; i < Count; ++i) {
        char *page = pages->bytes + i * PageSize;
        EXPECT_EQ(range.headerOf(page), &headers[i]);
        EXPECT_EQ(range.headerOf(page + 1), &headers[i]);
        EXPECT_EQ(range.headerOf(page + PageSize - 1), &headers[i]);
        EXPECT_EQ(range.pageOf(&headers[i]), page);
    }
}

TEST_F(PageRangeTest, handsOutFreshPagesInOrder)
{
    EXPECT_EQ(range.takeFresh(1), &headers[0]);
    EXPECT_EQ(range.takeFresh(3), &headers[1]);
    EXPECT_EQ(range.takeFresh(1), &headers[4]);
    EXPECT_EQ(range.freshIndex(), 5u);
}

TEST_F(PageRangeTest, knowsWhichPagesHaveHeaders)
{
    range.takeFresh(3);
    const char *begin = pages->bytes;
    EXPECT_EQ(range.findUsedHeader(begin + 3 * PageSize - 1), &headers[2]);
    EXPECT_EQ(range.findUsedHeader(begin + 3 * PageSize), nullptr);
    EXPECT_EQ(range.findHeader(begin + 3 * PageSize), &headers[3]);
    EXPECT_EQ(range.findUsedHeader(begin - 1), nullptr);
    EXPECT_EQ(range.findHeader(begin + Count * PageSize), nullptr);
}

// The cost of a page's header, and of the rest that no chunk fits into, relative to the page.
class PageOverhead : public ::testing::TestWithParam<unsigned>
{
};

TEST_P(PageOverhead, isAtMostOnePercent)
{
    if (QPool::hardening == 2)
        GTEST_SKIP() << "hardened headers hold the map of live chunks, too";
    const std::size_t size = QPool::SizeClasses::sizeOf(GetParam());
    const std::size_t served = QPool::chunksPerPage<QPool::SystemPages>(size) * size;
    const std::size_t cost = QPool::SystemPages::PageSize + sizeof(PageHeader) - served;
    EXPECT_LE(double(cost) / double(served), 0.01) << "chunks of " << size;
}

INSTANTIATE_TEST_SUITE_P(Classes, PageOverhead, ::testing::Range(0u, QPool::SizeClasses::Count));

} // namespace
