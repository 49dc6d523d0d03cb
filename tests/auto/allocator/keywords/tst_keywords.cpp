// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Programs include the allocator after Qt's headers, which by default define these words as macros.
// Most of the test is that this compiles; the pools' templates are instantiated here, and each
// header is also compiled separately.

#define slots
#define signals public
#define emit
#define foreach(variable, container) for (variable : container)
#define forever for (;;)

#include "pool/qsizedpoolallocator.h"

#include <gtest/gtest.h>

using namespace QPool;

namespace {

template <class Model>
class KeywordsTest : public testing::Test
{
};

using AllModels = testing::Types<SingleThreaded, SharedPool, MultiPool, MultiThreaded>;
TYPED_TEST_SUITE(KeywordsTest, AllModels);

TYPED_TEST(KeywordsTest, poolsCompileAndWorkAfterQtHeaders)
{
    using Pool = QSizedPoolAllocator<TypeParam>;
    void *block = Pool::allocate(24);
    ASSERT_NE(block, nullptr);
    EXPECT_TRUE(Pool::sourceContains(block));
    Pool::deallocate(block);
    EXPECT_EQ(Pool::statistics(24).live(), 0u);
    Pool::trim();
}

} // namespace
