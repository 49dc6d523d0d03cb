// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A million operations in random order, held against a reference that knows every block's size
// and content. QPOOL_TEST_SEED repeats a run.

#include "cookie.h"
#include "models.h"
#include "randomsource.h"
#include "testscale.h"

#include <unordered_map>
#include <vector>

using namespace QPool;

namespace {

struct Expected
{
    std::size_t size;
    std::uint64_t number;
    std::size_t position; // in the list that random blocks are drawn from
};

template <class Pool>
class Reference
{
public:
    explicit Reference(std::uint64_t seed) : random(seed) { }

    void allocate()
    {
        const std::size_t size = random.blockSize();
        void *block = Pool::allocate(size);
        ASSERT_NE(block, nullptr);
        ASSERT_EQ(Pool::sourceContains(block), size <= Pool::MaxPooledSize);
        const std::uint64_t number = m_numbers++;
        const bool isNew = m_blocks.insert({ block, { size, number, m_order.size() } }).second;
        ASSERT_TRUE(isNew) << block << " is handed out already";
        m_order.push_back(block);
        Cookie::write(block, size, number);
        if (size <= Pool::MaxPooledSize)
            ++m_live[SizeClasses::indexOf(size)];
    }

    void freeAny() { free(m_order[random.below(m_order.size())]); }

    void freeNewest() { free(m_order.back()); }

    void checkAny()
    {
        const auto block = m_blocks.find(m_order[random.below(m_order.size())]);
        ASSERT_TRUE(Cookie::check(block->first, block->second.size, block->second.number));
    }

    void checkStatistics() const
    {
        for (unsigned index = 0; index < SizeClasses::Count; ++index) {
            ASSERT_EQ(Pool::statistics(SizeClasses::sizeOf(index)).live(), m_live[index])
                    << "class of " << SizeClasses::sizeOf(index);
        }
    }

    void freeAll()
    {
        while (!m_order.empty() && !::testing::Test::HasFatalFailure())
            freeNewest();
    }

    std::size_t size() const { return m_order.size(); }

    RandomSource random;

private:
    void free(void *block)
    {
        const auto known = m_blocks.find(block);
        const Expected expected = known->second;
        ASSERT_TRUE(Cookie::check(block, expected.size, expected.number));
        m_order[expected.position] = m_order.back();
        m_blocks[m_order.back()].position = expected.position;
        m_order.pop_back();
        m_blocks.erase(block);
        if (expected.size <= Pool::MaxPooledSize)
            --m_live[SizeClasses::indexOf(expected.size)];
        if (expected.number % 2)
            Pool::deallocate(block);
        else
            Pool::deallocate(block, expected.size);
    }

    std::unordered_map<void *, Expected> m_blocks;
    std::vector<void *> m_order;
    std::uint64_t m_live[SizeClasses::Count] = { };
    std::uint64_t m_numbers = 0;
};

template <class Model>
class RandomisedTest : public ::testing::Test
{
};

TYPED_TEST_SUITE(RandomisedTest, AllModels, ModelNames);

TYPED_TEST(RandomisedTest, aMillionOperationsMatchTheReference)
{
    using Pool = QSizedPoolAllocator<TypeParam>;
    Reference<Pool> reference(TestScale::seed());
    const std::uint64_t operations = TestScale::scaled(1000000);
    // The load swings between nothing and much, so that pages come and go.
    std::size_t target = 1000;
    for (std::uint64_t i = 0; i < operations && !this->HasFatalFailure(); ++i) {
        if (i % 20000 == 0)
            target = reference.random.below(4) ? reference.random.below(20000) : 0;
        const bool grow = reference.size() < target;
        const std::size_t dice = reference.random.below(16);
        if (reference.size() == 0 || (grow ? dice < 9 : dice < 6))
            reference.allocate();
        else if (dice < 12)
            reference.freeAny();
        else if (dice < 14)
            reference.freeNewest();
        else
            reference.checkAny();

        const std::size_t rare = reference.random.below(20000);
        if (rare == 0)
            Pool::trim();
        else if (rare < 20)
            Pool::idle();
        else if (rare < 30)
            Pool::flush();
        if (rare < 40)
            reference.checkStatistics();
    }
    reference.freeAll();
    expectNothingLost<Pool>();
}

} // namespace
