// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A program that writes past the end of its chunks does not reach the allocator's own data: arenas,
// magazines, headers.

#include "childprocess.h"
#include "pool/qsizedpoolallocator.h"
#include "testscale.h"

#include <gtest/gtest.h>

#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

using namespace QPool;

namespace {

struct Mapping
{
    std::uintptr_t begin;
    std::uintptr_t end;
    bool accessible;
};

std::vector<Mapping> mappings()
{
    std::vector<Mapping> result;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        Mapping mapping {};
        char flags[5] = "";
        if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " %4s", &mapping.begin, &mapping.end,
                        flags) == 3) {
            mapping.accessible = flags[0] == 'r' || flags[1] == 'w';
            result.push_back(mapping);
        }
    }
    return result;
}

// The end of what can be accessed from \a place on, without a gap.
std::uintptr_t accessibleEnd(const void *place)
{
    auto at = reinterpret_cast<std::uintptr_t>(place);
    for (const Mapping &mapping : mappings()) {
        if (mapping.begin <= at && at < mapping.end && mapping.accessible)
            at = mapping.end;
    }
    return at;
}

std::uintptr_t accessibleBegin(const void *place)
{
    auto at = reinterpret_cast<std::uintptr_t>(place);
    const std::vector<Mapping> all = mappings();
    for (auto mapping = all.rbegin(); mapping != all.rend(); ++mapping) {
        if (mapping->begin < at && at <= mapping->end && mapping->accessible)
            at = mapping->begin;
        else if (mapping->begin <= at && at < mapping->end && mapping->accessible)
            at = mapping->begin;
    }
    return at;
}

// Whatever the amount of both, and whatever their order.
TEST(GuardsTest, noMetadataLiesBetweenChunks)
{
    std::vector<char *> pages;
    std::vector<std::pair<char *, std::size_t>> metadata;
    for (int i = 0; i < 300; ++i) {
        PageHeader *page = SystemPages::acquirePage();
        ASSERT_NE(page, nullptr);
        pages.push_back(SystemPages::pageOf(page));
        const std::size_t bytes = std::size_t(64) << i % 12;
        auto *block = static_cast<char *>(SystemPages::allocateMetadata(bytes));
        ASSERT_NE(block, nullptr);
        metadata.emplace_back(block, bytes);
    }
    for (const auto &[block, bytes] : metadata) {
        EXPECT_FALSE(SystemPages::contains(block));
        EXPECT_FALSE(SystemPages::contains(block + bytes - 1));
    }
    if (!TestScale::ownsAddressSpace)
        return;
    // Along accessible memory no way leads from a page to metadata or to the headers.
    const std::uintptr_t begin = accessibleBegin(pages.front());
    const std::uintptr_t end = accessibleEnd(pages.back());
    // An eighth more may be mapped in advance.
    EXPECT_LE(end - begin, 350 * SystemPages::PageSize);
    for (const auto &[block, bytes] : metadata) {
        const auto at = reinterpret_cast<std::uintptr_t>(block);
        EXPECT_TRUE(at >= end || at + bytes <= begin);
    }
    const auto header = reinterpret_cast<std::uintptr_t>(SystemPages::headerOf(pages.front()));
    EXPECT_TRUE(header >= end || header < begin);
    // No write from other memory reaches metadata either.
    const std::uintptr_t first = accessibleBegin(metadata.front().first);
    const std::uintptr_t last = accessibleEnd(metadata.front().first);
    for (const Mapping &mapping : mappings()) {
        EXPECT_TRUE(mapping.end != first || !mapping.accessible);
        EXPECT_TRUE(mapping.begin != last || !mapping.accessible);
    }
}

// The parts of a window, and the addresses between them.
TEST(GuardsTest, nothingIsMappedBetweenTheParts)
{
    if (!TestScale::ownsAddressSpace)
        GTEST_SKIP() << "the sanitizer reports it";
    PageHeader *page = SystemPages::acquirePage();
    auto *metadata = static_cast<char *>(SystemPages::allocateMetadata(64));
    char *place = SystemPages::pageOf(page);
    EXPECT_EQ(PageWindows::headerOf(place), page);
    EXPECT_EQ(PageWindows::pageOf(page), place);
    const std::uintptr_t start = reinterpret_cast<std::uintptr_t>(place) / PageWindows::Bytes * PageWindows::Bytes;
    const auto offsetOf = [start](const void *any) { return reinterpret_cast<std::uintptr_t>(any) - start; };
    EXPECT_LT(offsetOf(page), PageWindows::HeaderEnd);
    EXPECT_GE(offsetOf(metadata), PageWindows::MetadataStart);
    EXPECT_LT(offsetOf(metadata), PageWindows::MetadataEnd);
    EXPECT_GE(offsetOf(place), PageWindows::FirstPage * PageWindows::PageSize);
    for (std::uintptr_t offset : { PageWindows::MetadataStart - PageWindows::Guard,
                                   PageWindows::MetadataStart - 1, PageWindows::MetadataEnd,
                                   PageWindows::FirstPage * PageWindows::PageSize - 1,
                                   PageWindows::Bytes - PageWindows::PageSize, PageWindows::Bytes - 1 }) {
        EXPECT_EQ(exitCodeOfChild([start, offset] {
            *reinterpret_cast<volatile char *>(start + offset) = 0;
            return 0;
        }), 128 + SIGSEGV) << offset;
    }
    SystemPages::releasePage(page);
}

// The writable memory behind the last chunk ends before anything else begins.
TEST(GuardsTest, anOverrunFaults)
{
    if (!TestScale::ownsAddressSpace)
        GTEST_SKIP() << "the sanitizer finds it first";
    using Pool = QSizedPoolAllocator<MultiThreaded>;
    EXPECT_EQ(exitCodeOfChild([] {
        // Two threads' arenas, and the last chunk of the last page there is.
        char *last = static_cast<char *>(Pool::allocate(1024));
        for (int i = 0; i < 5000; ++i) {
            auto *chunk = static_cast<char *>(Pool::allocate(1024));
            last = chunk > last ? chunk : last;
        }
        for (std::size_t i = 0; i < std::size_t(16) << 20; ++i)
            *const_cast<volatile char *>(last + i) = 0;
        return 0;
    }), 128 + SIGSEGV);
}

} // namespace
