// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "models.h"
#include "rendezvous.h"

#include <cstring>
#include <mutex>
#include <set>
#include <vector>

using namespace QPool;

namespace {

// Buffers differ by their tags: each typed test has its own.
template <class Chunks>
class StaticPagesTest : public ::testing::Test
{
protected:
    using Pages = StaticPages<32 * 1024, Chunks>;
    using Pool = QPoolAllocator<Chunks::value, SingleThreaded, Pages>;

    std::vector<void *> exhaust()
    {
        std::vector<void *> chunks;
        while (void *chunk = Pool::allocate()) {
            std::memset(chunk, 0x5A, Pool::chunkSize);
            chunks.push_back(chunk);
        }
        return chunks;
    }
};

using ChunkSizes = ::testing::Types<
        std::integral_constant<std::size_t, 1>, std::integral_constant<std::size_t, 8>,
        std::integral_constant<std::size_t, 24>, std::integral_constant<std::size_t, 64>,
        std::integral_constant<std::size_t, 200>, std::integral_constant<std::size_t, 1000>,
        std::integral_constant<std::size_t, 1024>>;
TYPED_TEST_SUITE(StaticPagesTest, ChunkSizes);

TYPED_TEST(StaticPagesTest, returnsNullWhenExhaustedAndReusesEverything)
{
    using Pool = typename TestFixture::Pool;
    using Pages = typename TestFixture::Pages;

    const std::vector<void *> chunks = this->exhaust();
    EXPECT_EQ(chunks.size(), Pages::PageCount * (Pages::PageSize / Pool::chunkSize))
            << "every chunk of every page can be had";
    EXPECT_EQ(std::set<void *>(chunks.begin(), chunks.end()).size(), chunks.size());
    EXPECT_EQ(Pool::allocate(), nullptr);
    EXPECT_EQ(Pool::statistics().live(), chunks.size());

    for (int round = 0; round < 3; ++round) {
        for (void *chunk : chunks)
            Pool::deallocate(chunk);
        EXPECT_EQ(Pool::statistics().live(), 0u);
        const std::vector<void *> again = this->exhaust();
        EXPECT_EQ(std::set<void *>(again.begin(), again.end()),
                  std::set<void *>(chunks.begin(), chunks.end()));
    }
    for (void *chunk : chunks)
        Pool::deallocate(chunk);
    expectNothingLost<Pool>();
}

TYPED_TEST(StaticPagesTest, chunksAreAlignedAndOwned)
{
    using Pool = typename TestFixture::Pool;
    const std::vector<void *> chunks = this->exhaust();
    for (void *chunk : chunks) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(chunk) % Pool::alignment, 0u);
        EXPECT_TRUE(Pool::sourceContains(chunk));
    }
    for (void *chunk : chunks)
        Pool::deallocate(chunk);
    EXPECT_FALSE(Pool::sourceContains(&chunks));
}

struct TwoSizes;

TEST(StaticPagesSized, sizesShareTheBuffer)
{
    using Pages = StaticPages<64 * 1024, TwoSizes>;
    using Pool = QSizedPoolAllocator<SingleThreaded, Pages>;
    // A page that one class has emptied serves another.
    for (std::size_t size : { 8u, 1000u, 48u, 520u, 24u }) {
        std::vector<void *> chunks;
        while (void *chunk = Pool::allocate(size))
            chunks.push_back(chunk);
        EXPECT_GT(chunks.size() * size, Pages::PageCount * Pages::PageSize / 3) << size;
        for (void *chunk : chunks)
            Pool::deallocate(chunk, size);
        Pool::trim();
    }
    EXPECT_EQ(Pool::allocate(1025), nullptr) << "there is no heap to go to";
    expectNothingLost<Pool>();
}

struct Locked;

TEST(StaticPagesLocked, serveManyThreads)
{
    using Pages = StaticPages<1024 * 1024, Locked, 8192, std::mutex>;
    using Shared = QPoolAllocator<32, SharedPool, Pages>;
    using Threaded = QPoolAllocator<48, MultiThreaded, Pages>;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([] {
            std::vector<void *> shared;
            std::vector<void *> threaded;
            for (int i = 0; i < 1000; ++i) {
                shared.push_back(Shared::allocate());
                threaded.push_back(Threaded::allocate());
                ASSERT_TRUE(shared.back() && threaded.back());
            }
            for (void *chunk : shared)
                Shared::deallocate(chunk);
            for (void *chunk : threaded)
                Threaded::deallocate(chunk);
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    expectNothingLost<Shared>();
    expectNothingLost<Threaded>();
}

} // namespace
