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
    EXPECT_EQ(range.usedPages(), 5u);
}

TEST_F(PageRangeTest, keepsCachedAndReturnedPagesApart)
{
    PageHeader *first = range.takeFresh(1);
    PageHeader *second = range.takeFresh(1);
    range.putCached(first);
    range.putDecommitted(second);
    EXPECT_EQ(range.cachedPages(), 1u);
    EXPECT_EQ(range.usedPages(), 0u);

    EXPECT_EQ(range.takeAnyCached(), first);
    EXPECT_EQ(range.takeAnyCached(), nullptr);
    EXPECT_EQ(range.takeDecommitted(), second);
    EXPECT_EQ(range.takeDecommitted(), nullptr);
    EXPECT_EQ(range.cachedPages(), 0u);
    EXPECT_EQ(range.usedPages(), 2u);
}

TEST_F(PageRangeTest, keepsPartlyTouchedPagesForTheirClass)
{
    using Classes = QPool::PageRange<PageSize>;
    Classes classes;
    classes.initialize(headers.get(), pages->bytes, Count);
    PageHeader *narrow = classes.takeFresh(1);
    narrow->chunkSize = 24;
    narrow->touched = PageSize / 4;
    PageHeader *whole = classes.takeFresh(1);
    whole->chunkSize = 24;
    whole->touched = PageSize;
    classes.putCached(whole);
    classes.putCached(narrow);
    EXPECT_EQ(classes.wholeCached(), 1u);
    EXPECT_EQ(classes.partialBytes(), PageSize / 4);

    EXPECT_EQ(classes.takeCached(1024), whole);
    EXPECT_EQ(classes.takeCached(1024), nullptr);
    EXPECT_EQ(classes.takeCached(24), narrow);
    EXPECT_EQ(classes.wholeCached(), 0u);
    EXPECT_EQ(classes.partialBytes(), 0u);

    // Whole blocks first: otherwise a request for two pages would use up both blocks.
    classes.putCached(narrow);
    classes.putCached(whole);
    EXPECT_EQ(classes.takeCached(24), whole);
    EXPECT_EQ(classes.takeAnyCached(), narrow);
    EXPECT_EQ(classes.cachedPages(), 0u);
}

// No two size classes wait in one place.
TEST_F(PageRangeTest, everySizeClassHasItsOwnCachedPages)
{
    using QPool::SizeClasses;
    QPool::PageRange<PageSize> classes;
    classes.initialize(headers.get(), pages->bytes, Count);
    for (unsigned mine = 0; mine < SizeClasses::Count; ++mine) {
        headers[0].chunkSize = std::uint32_t(SizeClasses::sizeOf(mine));
        headers[0].touched = 8;
        classes.putCached(&headers[0]);
        for (unsigned other = 0; other < SizeClasses::Count; ++other) {
            if (other != mine) {
                EXPECT_EQ(classes.takeCached(SizeClasses::sizeOf(other)), nullptr);
            }
        }
        EXPECT_EQ(classes.takeCached(SizeClasses::sizeOf(mine)), &headers[0]);
    }
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
