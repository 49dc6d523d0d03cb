// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "os/qpoolinterruptlock.h"
#include "pool/qlistedpoolallocator.h"

#include <gtest/gtest.h>

#include <cstring>
#include <future>
#include <thread>
#include <vector>

using namespace QPool;

namespace {

using Sizes = ListedSizes<16, 24, 64, 256>;

// Interrupts, as far as a lock sees of them.
struct Interrupts
{
    static bool mask() noexcept
    {
        const bool before = masked;
        masked = true;
        ++masks;
        return before;
    }
    static void restore(bool before) noexcept { masked = before; }

    static inline bool masked = false;
    static inline int masks = 0;
};

struct Plain;
struct Masked;
using PlainPool = QListedPoolAllocator<Sizes, SingleThreaded, StaticPages<32 * 1024, Plain>>;
using MaskedPages = StaticPages<8 * 1024, Masked, 1024, MaskingLock<Interrupts>>;
using MaskedPool = QListedPoolAllocator<Sizes, SharedPool, MaskedPages>;

} // namespace

TEST(ListedPool, servesEachSizeFromTheNextClass)
{
    for (std::size_t size = 0; size <= 256; ++size) {
        void *block = PlainPool::allocate(size);
        ASSERT_NE(block, nullptr) << size;
        std::memset(block, 1, size);
        const std::size_t chunk = Sizes::sizeOf(Sizes::indexOf(size));
        EXPECT_GE(chunk, size);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % (chunk & (~chunk + 1)), 0u) << size;
        EXPECT_EQ(PlainPool::statistics(size).live(), 1u);
        PlainPool::deallocate(block);
        EXPECT_EQ(PlainPool::statistics(size).live(), 0u);
    }
    PlainPool::deallocate(nullptr);
}

TEST(ListedPool, refusesSizesLargerThanAllClasses)
{
    EXPECT_EQ(PlainPool::allocate(257), nullptr);
    EXPECT_EQ(PlainPool::allocate(SIZE_MAX), nullptr);
}

// Any number of blocks that fits the pages is served after any history: a class takes a page only when it
// has no free chunk.
TEST(ListedPool, servesWhatFitsAfterAnyHistory)
{
    constexpr std::size_t pages = StaticPages<32 * 1024, Plain>::PageCount;
    for (std::size_t round = 0; round < 64; ++round) {
        PlainPool::trim();
        std::vector<void *> blocks;
        // A share of the pages for each class, another one in each round.
        std::size_t left = pages;
        for (unsigned i = 0; i < Sizes::Count; ++i) {
            const std::size_t share = i + 1 == Sizes::Count ? left : left * ((round + i) % 4) / 4;
            left -= share;
            for (std::size_t k = 0; k < share * (1024 / Sizes::sizeOf(i)); ++k) {
                blocks.push_back(PlainPool::allocate(Sizes::sizeOf(i)));
                ASSERT_NE(blocks.back(), nullptr) << "round " << round << " class " << i;
            }
        }
        // Not in the order of their allocation.
        for (std::size_t step = 0; step < 3; ++step) {
            for (std::size_t k = step; k < blocks.size(); k += 3)
                PlainPool::deallocate(blocks[k]);
        }
    }
}

TEST(MaskingLock, masksWhileThePoolWorksThenRestores)
{
    // While there is but one thread hosted builds take no lock.
    std::promise<void> over;
    std::thread other([&] { over.get_future().wait(); });
    for (bool before : { false, true }) {
        Interrupts::masked = before;
        Interrupts::masks = 0;
        std::vector<void *> blocks;
        while (void *block = MaskedPool::allocate(64)) {
            EXPECT_EQ(Interrupts::masked, before);
            blocks.push_back(block);
        }
        EXPECT_FALSE(blocks.empty());
        EXPECT_GE(std::size_t(Interrupts::masks), blocks.size());
        Interrupts::masks = 0;
        for (void *block : blocks) {
            MaskedPool::deallocate(block);
            EXPECT_EQ(Interrupts::masked, before);
        }
        EXPECT_GE(std::size_t(Interrupts::masks), blocks.size());
        MaskedPool::trim();
        EXPECT_EQ(Interrupts::masked, before);
        EXPECT_EQ(MaskedPool::statistics(64).live(), 0u);
        EXPECT_EQ(MaskedPool::statistics(64).remote, 0u); // nobody ever found the lock taken
    }
    Interrupts::masked = false;
    over.set_value();
    other.join();
}

TEST(MaskingLock, nests)
{
    MaskingLock<Interrupts> outer, inner;
    Interrupts::masked = false;
    outer.lock();
    EXPECT_TRUE(inner.try_lock());
    inner.unlock();
    EXPECT_TRUE(Interrupts::masked);
    outer.unlock();
    EXPECT_FALSE(Interrupts::masked);
}
