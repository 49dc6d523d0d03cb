// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A program that replaces operator new and operator delete, and no other form of them, as C++
// allows it to: all the others lead to its own.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

// In front of each block, so that a block that another operator frees would be invalid.
struct alignas(16) Header
{
    std::uint64_t magic;
};
constexpr std::uint64_t Magic = 0x51504F4F4C;

int live = 0;
bool refuses = false;

class OwnOperatorsTest : public ::testing::Test
{
protected:
    // GoogleTest allocates as well, so counts are taken around single calls.
    template <class Call>
    static int change(Call call)
    {
        const int before = live;
        call();
        return live - before;
    }
};

TEST_F(OwnOperatorsTest, serveEveryFormOfNewAndDelete)
{
    void *block = nullptr;
    const auto isOwn = [&] { return static_cast<Header *>(block)[-1].magic == Magic; };

    EXPECT_EQ(change([&] { block = operator new(24); }), 1);
    EXPECT_TRUE(isOwn());
    EXPECT_EQ(change([&] { operator delete(block, std::size_t(24)); }), -1);

    EXPECT_EQ(change([&] { block = operator new(24, std::nothrow); }), 1);
    EXPECT_TRUE(isOwn());
    EXPECT_EQ(change([&] { operator delete(block, std::nothrow); }), -1);

    EXPECT_EQ(change([&] { block = operator new[](24); }), 1);
    EXPECT_TRUE(isOwn());
    EXPECT_EQ(change([&] { operator delete[](block); }), -1);

    EXPECT_EQ(change([&] { block = operator new[](24, std::nothrow); }), 1);
    EXPECT_TRUE(isOwn());
    EXPECT_EQ(change([&] { operator delete[](block, std::size_t(24)); }), -1);

    EXPECT_EQ(change([&] { block = operator new[](24); }), 1);
    EXPECT_EQ(change([&] { operator delete[](block, std::nothrow); }), -1);
}

TEST_F(OwnOperatorsTest, nothrowReturnsNullWhenTheyThrow)
{
    refuses = true;
    void *single = operator new(24, std::nothrow);
    void *array = operator new[](24, std::nothrow);
    refuses = false;
    EXPECT_EQ(single, nullptr);
    EXPECT_EQ(array, nullptr);
}

// These have other basic forms, which the program did not replace.
TEST_F(OwnOperatorsTest, areNotCalledForAlignedBlocks)
{
    void *block = nullptr;
    constexpr std::align_val_t aligned { 64 };
    EXPECT_EQ(change([&] { block = operator new(24, aligned); }), 0);
    EXPECT_EQ(change([&] { operator delete(block, std::size_t(24), aligned); }), 0);
}

} // namespace

void *operator new(std::size_t size)
{
    auto *header = refuses ? nullptr : static_cast<Header *>(std::malloc(sizeof(Header) + size));
    if (!header)
        throw std::bad_alloc();
    header->magic = Magic;
    ++live;
    return header + 1;
}

void operator delete(void *block) noexcept
{
    if (!block)
        return;
    Header *header = static_cast<Header *>(block) - 1;
    if (header->magic != Magic)
        std::abort();
    header->magic = 0;
    --live;
    std::free(header);
}
