// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// The allocator for cache lines of 128 bytes.

#include "models.h"
#include "rendezvous.h"

#include <vector>

using namespace QPool;

namespace {

static_assert(CacheLineSize == 128);
static_assert(sizeof(PageHeader) % CacheLineSize == 0 && alignof(PageHeader) == CacheLineSize);
static_assert(alignof(Bin) == CacheLineSize && alignof(RemoteBatch) == CacheLineSize);

std::uintptr_t lineOf(const void *place)
{
    return reinterpret_cast<std::uintptr_t>(place) / CacheLineSize;
}

TEST(CacheLineTest, fieldsWrittenByOthersHaveTheirOwnLine)
{
    static Arena<FixedSize<32>> arena("none");
    const Bin &bin = arena.bins[0];
    EXPECT_NE(lineOf(&bin.level), lineOf(&bin.backlog));
    EXPECT_NE(lineOf(bin.inlineSlots), lineOf(&bin.backlog));
    EXPECT_EQ(lineOf(&bin.level), lineOf(&bin.nextWatched)) << "the owner's fields fit one line";
    EXPECT_NE(lineOf(&arena.pendingBytes), lineOf(&arena.restedAt));
    EXPECT_NE(lineOf(&arena.pendingBytes), lineOf(&bin.level));
}

template <class Model>
class CacheLineModelsTest : public ::testing::Test
{
};

TYPED_TEST_SUITE(CacheLineModelsTest, AllModels, ModelNames);

TYPED_TEST(CacheLineModelsTest, allocateAllSizesAndLoseNothing)
{
    using Pool = QSizedPoolAllocator<TypeParam>;
    std::vector<void *> blocks;
    for (int round = 0; round < 3; ++round) {
        for (std::size_t i = 0; i < 5000; ++i) {
            blocks.push_back(Pool::allocate(i % 1025));
            ASSERT_NE(blocks.back(), nullptr);
        }
        for (std::size_t i = 0; i < blocks.size(); ++i)
            Pool::deallocate(blocks[i], i % 1025);
        blocks.clear();
    }
    expectNothingLost<Pool>();
}

TEST(CacheLineTest, chunksFreedElsewhereComeHome)
{
    using Pool = QPoolAllocator<48, MultiThreaded>;
    std::vector<void *> chunks(1000);
    for (void *&chunk : chunks)
        chunk = Pool::allocate();
    inOtherThread([&] {
        for (void *chunk : chunks)
            Pool::deallocate(chunk);
    });
    expectNothingLost<Pool>();
}

} // namespace
