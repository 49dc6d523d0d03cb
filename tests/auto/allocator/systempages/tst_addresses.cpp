// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// How many addresses the page source takes, and what it does if something else is mapped there. Every case
// is a separate child that begins without any page: this process itself must never use a pool.

#include "childprocess.h"
#include "pages/qpoolsystempages.h"
#include "systemcalls.h"
#include "testscale.h"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <memory>
#include <vector>

using QPool::PageHeader;
using QPool::PageWindows;
using QPool::SystemPages;

namespace {

constexpr std::size_t PageSize = SystemPages::PageSize;
constexpr std::size_t Mebibyte = std::size_t(1) << 20;

std::size_t addressSpaceInUse()
{
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * std::size_t(sysconf(_SC_PAGESIZE));
}

class AddressesTest : public ::testing::Test
{
protected:
    void SetUp() override
    {
        if (!TestScale::ownsAddressSpace)
            GTEST_SKIP() << "the calls are the sanitizer's";
    }
};

TEST_F(AddressesTest, areFewForASmallProgram)
{
    EXPECT_EQ(exitCodeOfChild([] {
        const std::size_t before = addressSpaceInUse();
        SystemCalls::reset();
        if (!SystemPages::acquirePage() || !SystemPages::allocateMetadata(1000))
            return 1;
        const std::size_t reserved = SystemPages::memory().reserved;
        if (reserved == 0 || reserved > 64 * Mebibyte)
            return 2;
        // What it says is what it takes.
        if (addressSpaceInUse() - before > reserved + PageSize)
            return 3;
        // Nothing is there that cannot be used, except what tells where the system puts mappings.
        return SystemCalls::mostReserved <= std::size_t(sysconf(_SC_PAGESIZE)) ? 0 : 4;
    }), 0);
}

TEST_F(AddressesTest, growWithUse)
{
    EXPECT_EQ(exitCodeOfChild([] {
        std::vector<PageHeader *> pages;
        pages.reserve(50000);
        if (!SystemPages::acquirePage())
            return 1;
        SystemCalls::reset();
        for (std::size_t used = 2 * PageSize; used < 2000 * Mebibyte; used += PageSize) {
            PageHeader *page = SystemPages::acquirePage();
            if (!page)
                return 2;
            pages.push_back(page);
            if (SystemPages::memory().reserved > 2 * used + 8 * Mebibyte)
                return 3;
        }
        if (SystemCalls::protections != 0 || SystemCalls::mostReserved > 0)
            return 4;
        // Not more, however often they come and go.
        const std::size_t reserved = SystemPages::memory().reserved;
        for (int round = 0; round < 3; ++round) {
            for (PageHeader *page : pages)
                SystemPages::releasePage(page);
            SystemPages::trim();
            for (PageHeader *&page : pages)
                page = SystemPages::acquirePage();
        }
        return SystemPages::memory().reserved == reserved ? 0 : 5;
    }), 0);
}

TEST_F(AddressesTest, ofBlocksGrowWithThem)
{
    EXPECT_EQ(exitCodeOfChild([] {
        bool isZero = false;
        std::size_t used = 0;
        for (std::size_t bytes = PageSize; bytes <= 256 * Mebibyte; bytes *= 2) {
            if (!SystemPages::allocateBlock(bytes, PageSize, &isZero))
                return 1;
            used += bytes;
            if (SystemPages::memory().reserved > 2 * used + 8 * Mebibyte)
                return 2;
        }
        return 0;
    }), 0);
}

std::uintptr_t windowOf(const void *place)
{
    return reinterpret_cast<std::uintptr_t>(place) >> PageWindows::Shift;
}

// Acquires pages until \a count of them are in another window. Checks all, and what lies between them.
int useTwoWindows(PageHeader *first, std::size_t count, const std::vector<char *> &others)
{
    std::vector<PageHeader *> pages { first };
    pages.reserve(200000);
    const std::uintptr_t window = windowOf(first);
    for (std::size_t left = count; left > 0; left -= windowOf(pages.back()) != window) {
        pages.push_back(SystemPages::acquirePage());
        if (!pages.back() || pages.size() == pages.capacity())
            return 10;
    }
    for (std::size_t i = 0; i < pages.size(); ++i) {
        PageHeader *page = pages[i];
        char *place = SystemPages::pageOf(page);
        page->chunkSize = std::uint32_t(i);
        *place = char(i);
        for (char *byte : { place, place + 1, place + PageSize - 1 }) {
            if (!SystemPages::contains(byte) || SystemPages::headerOf(byte) != page
                || SystemPages::findHeader(byte) != page || SystemPages::findUsedHeader(byte) != page) {
                return 11;
            }
        }
    }
    for (std::size_t i = 0; i < pages.size(); ++i) {
        if (pages[i]->chunkSize != i || *SystemPages::pageOf(pages[i]) != char(i))
            return 12;
    }
    auto own = std::make_unique<int>();
    std::vector<const void *> foreign { &own, own.get(), nullptr, reinterpret_cast<void *>(UINTPTR_MAX),
                                        pages.front(), pages.back(), SystemPages::allocateMetadata(64) };
    // The start and the end of both windows, and their neighbours.
    for (PageHeader *page : { pages.front(), pages.back() }) {
        for (std::uintptr_t number : { windowOf(page) - 1, windowOf(page), windowOf(page) + 1 }) {
            const std::uintptr_t start = number << PageWindows::Shift;
            for (std::uintptr_t place : { start, start + PageWindows::FirstPage * PageSize - 1,
                                          start + PageWindows::Bytes - PageSize }) {
                foreign.push_back(reinterpret_cast<void *>(place));
            }
        }
    }
    foreign.insert(foreign.end(), others.begin(), others.end());
    for (const void *place : foreign) {
        if (SystemPages::contains(place) || SystemPages::findHeader(place))
            return 13;
    }
    for (const char *place : others) {
        if (*place != 'o')
            return 14;
    }
    // All of it is given back, and can be had again.
    for (PageHeader *page : pages)
        SystemPages::releasePage(page);
    SystemPages::trim();
    if (SystemPages::memory().decommitted != pages.size() * PageSize)
        return 15;
    const std::size_t reserved = SystemPages::memory().reserved;
    for (std::size_t i = 0; i < pages.size(); ++i) {
        if (!SystemPages::acquirePage())
            return 16;
    }
    return SystemPages::memory().reserved == reserved ? 0 : 17;
}

// Maps a page that belongs to the program; null if something is there.
char *mapAt(std::uintptr_t place)
{
    void *at = mmap(reinterpret_cast<void *>(place), PageSize, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (at == MAP_FAILED)
        return nullptr;
    *static_cast<char *>(at) = 'o';
    return static_cast<char *>(at);
}

// The first free place behind \a place, where the source would go on.
char *mapBehind(const void *place)
{
    auto at = reinterpret_cast<std::uintptr_t>(place) / PageSize * PageSize;
    char *own = nullptr;
    while (!own)
        own = mapAt(at += PageSize);
    return own;
}

TEST_F(AddressesTest, goOnElsewhereIfAnotherMappingIsBehindThePages)
{
    EXPECT_EQ(exitCodeOfChild([] {
        PageHeader *first = SystemPages::acquirePage();
        char *other = mapBehind(SystemPages::pageOf(first));
        return useTwoWindows(first, 3000, { other });
    }), 0);
}

TEST_F(AddressesTest, goOnElsewhereIfAnotherMappingIsBehindTheHeaders)
{
    EXPECT_EQ(exitCodeOfChild([] {
        PageHeader *first = SystemPages::acquirePage();
        char *other = mapBehind(first);
        return useTwoWindows(first, 3000, { other });
    }), 0);
}

TEST_F(AddressesTest, leaveOutAWindowInWhichOthersAre)
{
    EXPECT_EQ(exitCodeOfChild([] {
        PageHeader *first = SystemPages::acquirePage();
        std::vector<char *> others { mapBehind(SystemPages::pageOf(first)) };
        const std::uintptr_t headers = reinterpret_cast<std::uintptr_t>(first) % PageWindows::Bytes
                / PageSize * PageSize;
        for (std::uintptr_t number : { windowOf(first) - 1, windowOf(first) + 1 })
            others.push_back(mapAt((number << PageWindows::Shift) + headers));
        return useTwoWindows(first, 1000, others);
    }), 0);
}

TEST_F(AddressesTest, ofABlockAreElsewhereIfItDoesNotFit)
{
    if (sizeof(void *) < 8)
        GTEST_SKIP() << "there are not that many addresses";
    EXPECT_EQ(exitCodeOfChild([] {
        PageHeader *first = SystemPages::acquirePage();
        bool isZero = false;
        // No memory is touched, but some systems refuse what they could not provide.
        auto *block = static_cast<char *>(SystemPages::allocateBlock(SystemPages::MostBlockBytes, PageSize,
                                                                     &isZero));
        if (!block)
            return 0;
        char *last = block + SystemPages::MostBlockBytes - 1;
        *last = 1;
        if (windowOf(block) == windowOf(first) || !SystemPages::contains(last) || SystemPages::contains(last + 1))
            return 1;
        PageHeader *header = SystemPages::findHeader(block);
        if (!SystemPages::isBlock(header) || SystemPages::headerOf(block) != header || !isZero)
            return 2;
        SystemPages::deallocateBlock(header);
        SystemPages::trim();
        const std::size_t reserved = SystemPages::memory().reserved;
        block = static_cast<char *>(SystemPages::allocateBlock(SystemPages::MostBlockBytes, PageSize, &isZero));
        return block && isZero && SystemPages::memory().reserved == reserved ? 0 : 3;
    }), 0);
}

TEST_F(AddressesTest, ofMetadataGoOnElsewhere)
{
    EXPECT_EQ(exitCodeOfChild([] {
        PageHeader *page = SystemPages::acquirePage();
        auto *first = static_cast<char *>(SystemPages::allocateMetadata(64));
        char *other = mapBehind(first);
        for (int i = 0; i < 1000; ++i) {
            auto *block = static_cast<char *>(SystemPages::allocateMetadata(1024));
            if (!block || SystemPages::contains(block) || SystemPages::contains(block + 1023))
                return 1;
            block[0] = block[1023] = 1;
        }
        return *other == 'o' ? useTwoWindows(page, 0, { other }) : 2;
    }), 0);
}

} // namespace
