// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Every form of operator new and delete: from the pool, in any combination that C++ allows, and
// what happens when there is no memory.

#include "childprocess.h"
#include "heapblock.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include <sys/resource.h>

namespace {

// Not known to the compiler, which may remove calls whose result it can foresee.
volatile std::size_t tooMuch = std::size_t(PTRDIFF_MAX) - 4096;

int handlerCalls = 0;

// In vain, twice; then there is no handler any more.
void tryThrice()
{
    if (++handlerCalls == 3)
        std::set_new_handler(nullptr);
}

struct FromHandler
{
};

class NewOperatorsTest : public ::testing::Test
{
protected:
    NewOperatorsTest() { handlerCalls = 0; }
    ~NewOperatorsTest() override { std::set_new_handler(nullptr); }

    template <class Allocate>
    static void expectAllFailures(Allocate allocate)
    {
        std::set_new_handler(nullptr);
        EXPECT_THROW(allocate(), std::bad_alloc);
        handlerCalls = 0;
        std::set_new_handler(&tryThrice);
        EXPECT_THROW(allocate(), std::bad_alloc);
        EXPECT_EQ(handlerCalls, 3);
        std::set_new_handler([] { throw FromHandler(); });
        EXPECT_THROW(allocate(), FromHandler);
    }

    template <class Allocate>
    static void expectNullInAllFailures(Allocate allocate)
    {
        std::set_new_handler(nullptr);
        EXPECT_EQ(allocate(), nullptr);
        handlerCalls = 0;
        std::set_new_handler(&tryThrice);
        EXPECT_EQ(allocate(), nullptr);
        EXPECT_EQ(handlerCalls, 3);
        std::set_new_handler([] { throw std::bad_alloc(); });
        EXPECT_EQ(allocate(), nullptr);
    }
};

constexpr std::align_val_t Aligned { 64 };

TEST_F(NewOperatorsTest, serveSmallSizesFromThePool)
{
    for (std::size_t size : { 0, 1, 24, 100, 1000, 1024 }) {
        void *block = operator new(size);
        EXPECT_TRUE(isPooled(block)) << size;
        operator delete(block);
        block = operator new[](size);
        EXPECT_TRUE(isPooled(block)) << size;
        operator delete[](block);
    }
}

TEST_F(NewOperatorsTest, everyDeleteFreesEveryMatchingNew)
{
    for (std::size_t size : { 1, 100, 1024, 3000 }) {
        for (int turn = 0; turn < 100; ++turn) {
            void *a = operator new(size);
            void *b = operator new(size, std::nothrow);
            void *c = operator new(size);
            std::memset(a, 1, size);
            operator delete(a);
            operator delete(b, size);
            operator delete(c, std::nothrow);
            a = operator new[](size);
            b = operator new[](size, std::nothrow);
            c = operator new[](size);
            operator delete[](a);
            operator delete[](b, size);
            operator delete[](c, std::nothrow);
            a = operator new(size, Aligned);
            b = operator new(size, Aligned, std::nothrow);
            c = operator new(size, Aligned);
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a) % 64, 0u);
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(b) % 64, 0u);
            operator delete(a, Aligned);
            operator delete(b, size, Aligned);
            operator delete(c, Aligned, std::nothrow);
            a = operator new[](size, Aligned);
            b = operator new[](size, Aligned, std::nothrow);
            c = operator new[](size, Aligned);
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a) % 64, 0u);
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(b) % 64, 0u);
            operator delete[](a, Aligned);
            operator delete[](b, size, Aligned);
            operator delete[](c, Aligned, std::nothrow);
        }
    }
    operator delete(nullptr);
    operator delete[](nullptr, std::size_t(8));
}

TEST_F(NewOperatorsTest, alignBlocksOfEverySize)
{
    for (std::size_t alignment = 1; alignment <= 65536; alignment *= 2) {
        for (std::size_t size : { std::size_t(0), std::size_t(40), alignment, 2 * alignment }) {
            void *block = operator new(size, std::align_val_t(alignment));
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignment, 0u);
            std::memset(block, 0x77, size);
            operator delete(block, size, std::align_val_t(alignment));
        }
    }
}

TEST_F(NewOperatorsTest, zeroBytesGiveADistinctBlock)
{
    void *first = operator new(0);
    void *second = operator new(0);
    EXPECT_NE(first, nullptr);
    EXPECT_NE(first, second);
    operator delete(first);
    operator delete(second);
}

TEST_F(NewOperatorsTest, throwWithoutMemory)
{
    expectAllFailures([] { return operator new(tooMuch); });
    expectAllFailures([] { return operator new[](tooMuch); });
    expectAllFailures([] { return operator new(tooMuch, Aligned); });
    expectAllFailures([] { return operator new[](tooMuch, Aligned); });
}

TEST_F(NewOperatorsTest, nothrowFormsReturnNullWithoutMemory)
{
    expectNullInAllFailures([] { return operator new(tooMuch, std::nothrow); });
    expectNullInAllFailures([] { return operator new[](tooMuch, std::nothrow); });
    expectNullInAllFailures([] { return operator new(tooMuch, Aligned, std::nothrow); });
    expectNullInAllFailures([] { return operator new[](tooMuch, Aligned, std::nothrow); });
}

// The purpose of a handler: it frees some memory, and the next try succeeds.
void *reserve = nullptr;

template <class Allocate>
int allocateFromReserve(Allocate allocate)
{
    return exitCodeOfChild([allocate] {
        constexpr rlim_t limit = 200 << 20;
        constexpr rlimit limits = { limit, limit };
        if (setrlimit(RLIMIT_DATA, &limits) != 0)
            return 101;
        reserve = std::malloc(120 << 20);
        if (!reserve)
            return 102;
        std::set_new_handler([] {
            ++handlerCalls;
            std::free(reserve);
            reserve = nullptr;
        });
        void *block = allocate(120 << 20);
        return !block ? 103 : handlerCalls == 1 ? 0 : 104;
    });
}

TEST_F(NewOperatorsTest, retryAfterAHandlerThatHelps)
{
    const auto single = [](std::size_t size) { return operator new(size); };
    const auto aligned = [](std::size_t size) { return operator new[](size, Aligned); };
    const auto silent = [](std::size_t size) { return operator new(size, std::nothrow); };
    EXPECT_EQ(allocateFromReserve(single), 0);
    EXPECT_EQ(allocateFromReserve(aligned), 0);
    EXPECT_EQ(allocateFromReserve(silent), 0);
}

} // namespace
