// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cookie.h"
#include "models.h"
#include "testscale.h"

#include <algorithm>
#include <vector>

using namespace QPool;

namespace {

template <class Model>
class SizedPoolAllocatorTest : public ::testing::Test
{
protected:
    using Pool = QSizedPoolAllocator<Model>;

    ~SizedPoolAllocatorTest() override { expectNothingLost<Pool>(); }
};

TYPED_TEST_SUITE(SizedPoolAllocatorTest, AllModels, ModelNames);

TYPED_TEST(SizedPoolAllocatorTest, servesEverySizeAligned)
{
    using Pool = typename TestFixture::Pool;
    std::vector<void *> blocks;
    for (std::size_t size = 0; size <= 3000; ++size) {
        void *block = Pool::allocate(size);
        ASSERT_NE(block, nullptr);
        ASSERT_EQ(Pool::sourceContains(block), size <= Pool::MaxPooledSize);
        for (std::size_t alignment = 1; alignment <= 64; alignment *= 2) {
            if (size > 0 && size % alignment == 0) {
                ASSERT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignment, 0u) << size;
            }
        }
        Cookie::write(block, size, size);
        blocks.push_back(block);
    }
    for (std::size_t size = 0; size < blocks.size(); ++size) {
        ASSERT_TRUE(Cookie::check(blocks[size], size, size));
        size % 2 ? Pool::deallocate(blocks[size]) : Pool::deallocate(blocks[size], size);
    }
}

TYPED_TEST(SizedPoolAllocatorTest, countsByClass)
{
    using Pool = typename TestFixture::Pool;
    std::vector<void *> blocks;
    for (unsigned index = 0; index < SizeClasses::Count; ++index) {
        for (unsigned i = 0; i <= index; ++i)
            blocks.push_back(Pool::allocate(SizeClasses::sizeOf(index)));
    }
    std::uint64_t bytes = 0;
    for (unsigned index = 0; index < SizeClasses::Count; ++index) {
        const std::size_t size = SizeClasses::sizeOf(index);
        EXPECT_EQ(Pool::statistics(size).live(), index + 1);
        EXPECT_EQ(Pool::statistics(size - 1).live(), index + 1) << "served by the same class";
        // With what hardened builds add.
        bytes += (index + 1) * LayoutInUse<AllSizes, SystemPages>::chunkSize(index);
    }
    EXPECT_EQ(arenaTotals<Pool>().live, blocks.size());
    EXPECT_EQ(arenaTotals<Pool>().liveBytes, bytes);
    for (void *block : blocks)
        Pool::deallocate(block);
}

TYPED_TEST(SizedPoolAllocatorTest, forwardsLargeSizes)
{
    using Pool = typename TestFixture::Pool;
    const ArenaTotals before = arenaTotals<Pool>();
    for (std::size_t size : { 1025u, 4096u, 65536u, 1000000u }) {
        void *first = Pool::allocate(size);
        void *second = Pool::allocate(size);
        ASSERT_TRUE(first && second);
        EXPECT_FALSE(Pool::sourceContains(first));
        Cookie::write(first, size, 1);
        Cookie::write(second, size, 2);
        EXPECT_TRUE(Cookie::check(first, size, 1));
        Pool::deallocate(first);
        Pool::deallocate(second, size);
    }
    EXPECT_EQ(arenaTotals<Pool>().live, before.live);
}

TYPED_TEST(SizedPoolAllocatorTest, refusesAnImpossibleSize)
{
    using Pool = typename TestFixture::Pool;
    if (!TestScale::ownsAddressSpace)
        GTEST_SKIP() << "the sanitizer stops at such a request";
    EXPECT_EQ(Pool::allocate(SIZE_MAX / 2), nullptr);
}

TYPED_TEST(SizedPoolAllocatorTest, nullIsFreedWithoutEffect)
{
    using Pool = typename TestFixture::Pool;
    const ArenaTotals before = arenaTotals<Pool>();
    Pool::deallocate(nullptr);
    Pool::deallocate(nullptr, 16);
    Pool::deallocate(nullptr, 5000);
    EXPECT_EQ(arenaTotals<Pool>().live, before.live);
}

TYPED_TEST(SizedPoolAllocatorTest, classesPassPagesOn)
{
    using Pool = typename TestFixture::Pool;
    // A load that moves from class to class needs the pages of one, not of all.
    std::uint64_t most = 0;
    for (unsigned index = 0; index < SizeClasses::Count; ++index) {
        const std::size_t size = SizeClasses::sizeOf(index);
        std::vector<void *> blocks;
        for (std::size_t bytes = 0; bytes < 2 * 1024 * 1024; bytes += size)
            blocks.push_back(Pool::allocate(size));
        most = std::max(most, arenaTotals<Pool>().pages);
        for (void *block : blocks)
            Pool::deallocate(block, size);
    }
    // Each class may keep a page, and its magazine's chunks, of 128 KiB at the most, on a few.
    EXPECT_LE(most, 2 * 1024 * 1024 / SystemPages::PageSize + 4 * SizeClasses::Count);
}

} // namespace
