// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A program that keeps a few blocks of a burst, and trims, keeps the parts of the pages that these are in.

#include "cookie.h"
#include "models.h"
#include "randomsource.h"
#include "../systempages/systemcalls.h"

#include <algorithm>
#include <set>
#include <thread>
#include <vector>

using namespace QPool;

namespace {

constexpr std::size_t Sizes[] = { 16, 24, 48, 64, 200, 328, 1024 };

std::uintptr_t addressOf(const void *pointer)
{
    return reinterpret_cast<std::uintptr_t>(pointer);
}

// The addresses of the system's pages, of those of the pool in which the blocks are, that have memory.
std::set<std::uintptr_t> residentParts(const std::set<std::uintptr_t> &pages)
{
    const std::size_t part = Os::pageBytes();
    std::set<std::uintptr_t> result;
    for (std::uintptr_t page : pages) {
        std::vector<unsigned char> states(SystemPages::PageSize / part);
        EXPECT_EQ(mincore(reinterpret_cast<void *>(page), SystemPages::PageSize, states.data()), 0);
        for (std::size_t i = 0; i < states.size(); ++i) {
            if (states[i] & 1)
                result.insert(page + i * part);
        }
    }
    return result;
}

template <class Model>
class SparsePagesTest : public ::testing::Test
{
protected:
    using Pool = QSizedPoolAllocator<Model, TaggedPages<SparsePagesTest<Model>>>;

    struct Block
    {
        void *address;
        std::size_t size;
    };

    ~SparsePagesTest() override
    {
        SystemCalls::refusesToTake = false;
        free(0);
        expectNothingLost<Pool>();
    }

    // Blocks of each size, of \a bytes for each.
    void fill(std::size_t bytes)
    {
        for (std::size_t size : Sizes) {
            for (std::size_t done = 0; done < bytes; done += size) {
                blocks.push_back({ Pool::allocate(size), size });
                Cookie::write(blocks.back().address, size, size);
            }
        }
    }

    // All but about one in \a kept, in random order; all if that is 0.
    void free(unsigned kept)
    {
        std::vector<Block> left;
        for (std::size_t i = blocks.size(); i > 1; --i)
            std::swap(blocks[i - 1], blocks[random.below(i)]);
        for (const Block &block : blocks) {
            if (kept != 0 && random.below(kept) == 0) {
                left.push_back(block);
                continue;
            }
            ASSERT_TRUE(Cookie::check(block.address, block.size, block.size));
            Pool::deallocate(block.address, block.size);
        }
        blocks = left;
    }

    void expectIntact() const
    {
        std::vector<std::pair<std::uintptr_t, std::size_t>> places;
        for (const Block &block : blocks) {
            EXPECT_TRUE(Cookie::check(block.address, block.size, block.size));
            places.emplace_back(addressOf(block.address), block.size);
        }
        std::sort(places.begin(), places.end());
        for (std::size_t i = 1; i < places.size(); ++i)
            EXPECT_GE(places[i].first - places[i - 1].first, places[i - 1].second) << "two blocks overlap";
    }

    std::set<std::uintptr_t> pages() const
    {
        std::set<std::uintptr_t> result;
        for (const Block &block : blocks)
            result.insert(addressOf(block.address) & ~(std::uintptr_t(SystemPages::PageSize) - 1));
        return result;
    }

    RandomSource random { 4711 };
    std::vector<Block> blocks;
};

} // namespace

TYPED_TEST_SUITE(SparsePagesTest, AllModels, ModelNames);

TYPED_TEST(SparsePagesTest, keepOnlyWhatBlocksAreIn)
{
    using Pool = typename TestFixture::Pool;
    if (hardened || Os::pageBytes() >= SystemPages::PageSize)
        GTEST_SKIP() << "whole pages alone are given back";
    this->fill(4 * 1024 * 1024);
    this->free(1000);
    Pool::trim();
    const std::uintptr_t mask = ~(std::uintptr_t(Os::pageBytes()) - 1);
    std::set<std::uintptr_t> needed;
    for (const auto &block : this->blocks) {
        const std::uintptr_t address = addressOf(block.address);
        // The chunk in front links to one behind.
        for (std::uintptr_t place : { address - block.size, address, address + block.size - 1 })
            needed.insert(place & mask);
    }
    const std::set<std::uintptr_t> resident = residentParts(this->pages());
    EXPECT_TRUE(std::includes(needed.begin(), needed.end(), resident.begin(), resident.end()));
    EXPECT_LT(resident.size() * 3, this->pages().size() * (SystemPages::PageSize / Os::pageBytes()));
    this->expectIntact();
}

// What went back is used again, and nothing twice.
TYPED_TEST(SparsePagesTest, areFilledAgain)
{
    using Pool = typename TestFixture::Pool;
    this->fill(1024 * 1024);
    for (int round = 0; round < 8; ++round) {
        this->free(round % 2 ? 3 : 300);
        Pool::trim();
        if (round % 3 == 0)
            Pool::trim();
        this->expectIntact();
        const std::size_t kept = this->pages().size();
        this->fill(round % 4 == 3 ? 200'000 : 1024 * 1024);
        this->expectIntact();
        EXPECT_GE(this->pages().size(), kept);
    }
}

// A page that is full again links nothing, and one chunk after the other comes back to it.
TYPED_TEST(SparsePagesTest, takeChunksBackOneByOne)
{
    using Pool = typename TestFixture::Pool;
    this->fill(256 * 1024);
    for (int round = 0; round < 6; ++round) {
        this->free(2);
        Pool::trim();
        for (int i = 0; i < 300; ++i) {
            const std::size_t size = Sizes[this->random.below(std::size(Sizes))];
            this->blocks.push_back({ Pool::allocate(size), size });
            Cookie::write(this->blocks.back().address, size, size);
            if (i % 50 == 0)
                Pool::trim();
        }
        this->expectIntact();
    }
}

TYPED_TEST(SparsePagesTest, stayWholeIfTheSystemRefuses)
{
    using Pool = typename TestFixture::Pool;
    this->fill(1024 * 1024);
    this->free(100);
    SystemCalls::refusesToTake = true;
    Pool::trim();
    SystemCalls::refusesToTake = false;
    this->expectIntact();
    this->fill(1024 * 1024);
    this->expectIntact();
}

// What went back is not looked for again, unless something was freed there.
TYPED_TEST(SparsePagesTest, areNotGivenBackTwice)
{
    using Pool = typename TestFixture::Pool;
    if (hardened || Os::pageBytes() >= SystemPages::PageSize)
        GTEST_SKIP() << "whole pages alone are given back";
    this->fill(256 * 1024);
    this->free(100);
    Pool::trim();
    const int first = SystemCalls::givenBack;
    Pool::trim();
    EXPECT_EQ(SystemCalls::givenBack, first);
    Pool::deallocate(this->blocks.back().address, this->blocks.back().size);
    this->blocks.pop_back();
    Pool::trim();
    EXPECT_GT(SystemCalls::givenBack, first);
    EXPECT_LE(SystemCalls::givenBack, first + int(SystemPages::PageSize / Os::pageBytes()));
}

// Blocks of 48 bytes of which a thread freed all but one in \a of, before it ended.
template <class Pool>
std::vector<void *> keptByAnEndedThread(std::size_t count, std::size_t of)
{
    std::vector<void *> kept;
    std::thread([&] {
        std::vector<void *> blocks(count);
        for (void *&block : blocks)
            block = Pool::allocate(48);
        for (std::size_t i = 0; i < count; ++i) {
            if (i % of == 0)
                kept.push_back(blocks[i]);
            else
                Pool::deallocate(blocks[i], 48);
        }
    }).join();
    return kept;
}

// Of threads that ended, too: nobody but trim() comes to their pages.
TEST(SparsePages, ofOrphansAreGivenBack)
{
    struct Tag;
    using Pool = QSizedPoolAllocator<MultiThreaded, TaggedPages<Tag>>;
    if (hardened || Os::pageBytes() >= SystemPages::PageSize)
        GTEST_SKIP() << "whole pages alone are given back";
    const std::vector<void *> kept = keptByAnEndedThread<Pool>(200'000, 1000);
    Pool::trim();
    std::set<std::uintptr_t> pages;
    for (void *block : kept)
        pages.insert(addressOf(block) & ~(std::uintptr_t(SystemPages::PageSize) - 1));
    EXPECT_GT(pages.size(), 100u);
    EXPECT_LE(residentParts(pages).size(), 2 * kept.size());
    for (void *block : kept)
        Pool::deallocate(block, 48);
    expectNothingLost<Pool>();
}

// A thread that frees to the same arena all the time does not keep trim() from ending.
TEST(SparsePages, endATrimWhateverComesBack)
{
    struct Tag;
    using Pool = QSizedPoolAllocator<MultiThreaded, TaggedPages<Tag>>;
    if (hardened || Os::pageBytes() >= SystemPages::PageSize)
        GTEST_SKIP() << "whole pages alone are given back";
    std::vector<void *> kept = keptByAnEndedThread<Pool>(100'000, 100);
    // Each page that trim() deals with brings a chunk back to another one.
    RandomSource random(7);
    std::size_t next = 0;
    for (std::size_t i = kept.size(); i > 1; --i)
        std::swap(kept[i - 1], kept[random.below(i)]);
    SystemCalls::duringGivingBack = [&] {
        if (next < kept.size())
            Pool::deallocate(kept[next++], 48);
    };
    Pool::trim();
    SystemCalls::duringGivingBack = nullptr;
    EXPECT_GT(next, 50u);
    EXPECT_LT(next, kept.size()) << "it went on until nothing came back";
    while (next < kept.size())
        Pool::deallocate(kept[next++], 48);
    expectNothingLost<Pool>();
}
