// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A record that gets another use while it is read: what was read belongs to neither use, and is not
// to be shown.

#include "qpoolcacheview.h"

#include "pools/objects/qpoolcachesegment.h"
#include "stats/qpoolsegment.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

using namespace QPool;

namespace {

constexpr std::uint32_t Stride = sizeof(CacheRecord) + 64;
constexpr std::uint32_t SecondUse = 1 << 2; // above the kind

// A segment of two records. The last one's counters are on a page that can be closed: the reader stops at
// the first of them, having read the state and the names, and goes on when the handler has run.
class ReusedRecord : public ::testing::Test
{
protected:
    void SetUp() override
    {
        m_page = std::size_t(sysconf(_SC_PAGESIZE));
        void *memory = mmap(nullptr, 2 * m_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        ASSERT_NE(memory, MAP_FAILED);
        m_memory = static_cast<char *>(memory);

        CacheSegmentHeader header = {};
        std::memcpy(header.magic, CacheSegmentHeader::Magic, sizeof(header.magic));
        header.byteOrder = SegmentHeader::ByteOrder;
        header.version = CacheSegmentHeader::Version;
        header.headerBytes = sizeof(header);
        header.wordBytes = sizeof(std::size_t);
        header.segmentBytes = 2 * m_page;
        header.pid = 1;
        header.recordsAt = std::uint32_t(m_page - sizeof(CacheRecord) - Stride);
        header.recordStride = Stride;
        header.recordCountAt = sizeof(header);
        header.missingAt = sizeof(header) + 4;
        std::memcpy(m_memory, &header, sizeof(header));
        const std::uint32_t recordCount = 2;
        std::memcpy(m_memory + header.recordCountAt, &recordCount, sizeof(recordCount));
        for (std::uint32_t i = 0; i < recordCount; ++i)
            new (m_memory + header.recordsAt + i * Stride) CacheRecord {};
    }

    void TearDown() override
    {
        if (s_open) {
            mprotect(m_memory + m_page, m_page, PROT_READ | PROT_WRITE);
            s_open = nullptr;
        }
        if (m_memory)
            munmap(m_memory, 2 * m_page);
    }

    CacheRecord &first() { return *reinterpret_cast<CacheRecord *>(m_memory + m_page - sizeof(CacheRecord) - Stride); }
    CacheRecord &last() { return *reinterpret_cast<CacheRecord *>(m_memory + m_page - sizeof(CacheRecord)); }

    // All counters are the words behind the record, which are 0.
    static void makeCategory(CacheRecord &record, std::uint64_t number, const char *name)
    {
        record.category = number;
        record.cache = number;
        record.objectSize = 64;
        for (std::uint32_t *at : { &record.heldAt, &record.idleAt, &record.missesAt, &record.depotTakesAt,
                                   &record.directTakesAt, &record.stealsAt, &record.discardedAt })
            *at = sizeof(CacheRecord);
        std::strcpy(record.cacheName, name);
        record.state.store(CacheRecord::Category);
    }

    static void makeStock(CacheRecord &record, std::uint64_t category)
    {
        record.category = category;
        for (std::uint32_t *at : { &record.takenAt, &record.topAt, &record.slotsAt })
            *at = sizeof(CacheRecord);
        record.slotCount = 1;
        record.state.store(CacheRecord::Stock);
    }

    // Reads the segment; where the reader comes to the counters of the last record, \a meanwhile is called.
    CacheListing readWith(void (*meanwhile)(CacheRecord &))
    {
        SegmentView::Error error;
        std::string message;
        const std::optional<CacheView> view = CacheView::open(m_memory, 2 * m_page, &error, &message);
        EXPECT_TRUE(view) << message;
        if (!view)
            return {};

        s_open = m_memory + m_page;
        s_bytes = m_page;
        s_record = &last();
        s_meanwhile = meanwhile;
        struct sigaction action = {};
        struct sigaction before[2];
        action.sa_handler = openPage;
        sigaction(SIGSEGV, &action, &before[0]);
        sigaction(SIGBUS, &action, &before[1]); // some systems' signal for it
        EXPECT_EQ(mprotect(s_open, m_page, PROT_NONE), 0);
        CacheListing listing = view->read();
        sigaction(SIGSEGV, &before[0], nullptr);
        sigaction(SIGBUS, &before[1], nullptr);
        EXPECT_EQ(s_open, nullptr) << "the reader did not come to the counters";
        return listing;
    }

private:
    static void openPage(int)
    {
        if (!s_open || mprotect(s_open, s_bytes, PROT_READ | PROT_WRITE) != 0)
            std::abort();
        s_open = nullptr;
        s_meanwhile(*s_record);
    }

    static inline char *s_open = nullptr;
    static inline std::size_t s_bytes = 0;
    static inline CacheRecord *s_record = nullptr;
    static inline void (*s_meanwhile)(CacheRecord &) = nullptr;

    std::size_t m_page = 0;
    char *m_memory = nullptr;
};

TEST_F(ReusedRecord, unchangedCategoryIsShown)
{
    makeCategory(last(), 1, "old");
    const CacheListing listing = readWith([](CacheRecord &) { });
    ASSERT_EQ(listing.caches.size(), 1u);
    EXPECT_EQ(listing.caches[0].name, "old");
}

TEST_F(ReusedRecord, freedCategoryIsDropped)
{
    makeCategory(last(), 1, "old");
    EXPECT_TRUE(readWith([](CacheRecord &record) { record.state.store(CacheRecord::Free | SecondUse); })
                        .caches.empty());
}

TEST_F(ReusedRecord, newCategoryIsNotReadUntilTheNextTime)
{
    makeCategory(last(), 1, "old");
    EXPECT_TRUE(readWith([](CacheRecord &record) {
                    makeCategory(record, 2, "new");
                    record.state.store(CacheRecord::Category | SecondUse);
                }).caches.empty());
    const CacheListing listing = readWith([](CacheRecord &) { });
    ASSERT_EQ(listing.caches.size(), 1u);
    EXPECT_EQ(listing.caches[0].name, "new");
    EXPECT_EQ(listing.caches[0].number, 2u);
}

TEST_F(ReusedRecord, stockOfAnotherCategoryIsNotCounted)
{
    makeCategory(first(), 1, "cache");
    makeStock(last(), 1);
    const auto stocks = [](const CacheListing &listing) {
        return listing.caches.size() == 1 ? listing.caches[0].categories.at(0).stocks : 99;
    };
    EXPECT_EQ(stocks(readWith([](CacheRecord &) { })), 1u);
    // Another category's by now.
    EXPECT_EQ(stocks(readWith([](CacheRecord &record) {
                  makeStock(record, 2);
                  record.state.store(CacheRecord::Stock | SecondUse);
              })), 0u);
}

} // namespace
