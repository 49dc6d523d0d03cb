// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Reading segments of object caches that are sound, damaged, or of another version.

#include "publishedcaches.h"

#include "randomsource.h"
#include "segmenttest.h"
#include "testscale.h"

#include <cstring>

#include <unistd.h>

using namespace QPool;

namespace {

// What this process publishes, cut to what is in use of it.
class CacheViewTest : public SegmentTest<CacheView, CacheSegmentHeader>
{
protected:
    CacheViewTest()
        : SegmentTest(2048)
    {
        publishObjectCaches();
        cache = std::make_unique<Cache>(named("sample"));
        auto part = cache->category("part");
        takeMany(*cache, 6).clear();
        held = takeMany(part, 2);
        const ProcEntry entry(getpid());
        std::string number;
        const Descriptor file = entry.openMemoryFile(
                CacheSegmentHeader::NamePrefix + std::to_string(getpid()), &number);
        const ssize_t length = pread(file.get(), words.data(), words.size() * sizeof(words[0]), 0);
        words.resize(length > 0 ? std::size_t(length) / sizeof(words[0]) : 0);
        set(offsetof(CacheSegmentHeader, segmentBytes), std::uint64_t(length));
    }

    std::unique_ptr<Cache> cache;
    std::vector<Cache::Handle> held;
};

TEST_F(CacheViewTest, readsASoundSegment)
{
    SegmentView::Error error = SegmentView::Damaged;
    std::string message;
    const auto view = open(&error, &message);
    ASSERT_TRUE(view) << message;
    EXPECT_EQ(error, SegmentView::NoError);
    EXPECT_EQ(view->pid(), std::uint64_t(getpid()));
    EXPECT_GT(view->since(), 1600000000000u); // a time of this century
    const CacheStatistics statistics = cacheOf(view->read(), "sample");
    ASSERT_EQ(statistics.categories.size(), 2u);
    EXPECT_EQ(statistics.categories[0].inStocks, 6u);
    EXPECT_EQ(statistics.categories[1].inUse, 2u);
}

TEST_F(CacheViewTest, refusesImpossibleHeaders)
{
    expectHeaderRefusals("2", "object caches");
    const auto with = changing();
    with(offsetof(CacheSegmentHeader, recordsAt), 1u << 30);
    expectRefusal(SegmentView::Damaged, "records lie outside");
    with(offsetof(CacheSegmentHeader, recordStride), 0);
    expectRefusal(SegmentView::Damaged, "records are too small");
    with(offsetof(CacheSegmentHeader, recordCountAt), 1u << 30);
    expectRefusal(SegmentView::Damaged, "counts lie outside");
    with(offsetof(CacheSegmentHeader, missingAt), 3);
    expectRefusal(SegmentView::Damaged, "counts lie outside");
}

// Wherever it is damaged, a reader stays within it and its statistics are those that JSON can hold. What is
// read beyond its end is for AddressSanitizer and Memcheck to see.
TEST_F(CacheViewTest, yieldsSaneValuesFromDamagedSegments)
{
    constexpr std::uint64_t limit = std::uint64_t(1) << 53;
    const Words sound = words;
    RandomSource random(TestScale::seed());
    std::uint64_t opened = 0;
    for (std::uint64_t i = 0; i < TestScale::scaled(20000); ++i) {
        words = sound;
        for (std::size_t changes = 1 + random.below(6); changes > 0; --changes) {
            const std::size_t at = random.below(random.below(2) ? words.size() : 160);
            if (random.below(2))
                words[at] = random();
            else
                words[at] ^= std::uint64_t(1) << random.below(64);
        }
        SegmentView::Error error = SegmentView::NoError;
        std::string message;
        const auto view = open(&error, &message);
        if (!view) {
            ASSERT_FALSE(message.empty());
            ASSERT_NE(error, SegmentView::NoError);
            continue;
        }
        ++opened;
        for (const CacheStatistics &statistics : view->read().caches) {
            ASSERT_LT(statistics.number, limit);
            ASSERT_LT(statistics.objectSize, limit);
            const CacheCounts sum = statistics.counts();
            for (std::uint64_t count : { sum.inUse, sum.inStocks, sum.inDepot, sum.made, sum.destroyed,
                                         sum.ownHits, sum.depotHits, sum.steals, sum.misses, sum.resets })
                ASSERT_LT(count, limit);
            for (char c : statistics.name)
                ASSERT_TRUE(static_cast<unsigned char>(c) >= ' ' && c != 0x7f);
        }
    }
    EXPECT_GT(opened, 0u);
}

} // namespace
