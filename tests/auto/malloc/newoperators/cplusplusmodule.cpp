// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Says what C++ expects of the global operators and does not get; null if it is nothing.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

static volatile std::size_t tooMuch = std::size_t(PTRDIFF_MAX) - 4096;
static int handlerCalls = 0;
static void *reserve = nullptr;

static void giveUp()
{
    ++handlerCalls;
    if (handlerCalls % 3 == 0)
        std::set_new_handler(nullptr);
}

template <class Allocate>
static bool throwsBadAlloc(Allocate allocate)
{
    try {
        reserve = allocate();
    } catch (const std::bad_alloc &) {
        return true;
    }
    return false;
}

extern "C" __attribute__((visibility("default"))) const char *missingOfCPlusPlus()
{
    if (!throwsBadAlloc([] { return operator new(tooMuch); }))
        return "operator new does not throw";
    if (!throwsBadAlloc([] { return operator new[](tooMuch); }))
        return "operator new[] does not throw";
    if (!throwsBadAlloc([] { return operator new(tooMuch, std::align_val_t(64)); }))
        return "aligned operator new does not throw";
    if (operator new(tooMuch, std::nothrow))
        return "nothrow operator new allocates more memory than exists";
    std::set_new_handler(&giveUp);
    if (!throwsBadAlloc([] { return operator new(tooMuch); }) || handlerCalls != 3)
        return "the handler is not called until none is installed";
    std::set_new_handler(&giveUp);
    if (operator new(tooMuch, std::nothrow) || handlerCalls != 6)
        return "the handler is not called for nothrow new";
    std::set_new_handler([] { throw std::bad_alloc(); });
    if (operator new(tooMuch, std::nothrow))
        return "nothrow operator new does not return null if the handler throws";
    if (!throwsBadAlloc([] { return operator new(tooMuch); }))
        return "an exception of the handler does not reach the caller of operator new";
    std::set_new_handler(nullptr);
    return nullptr;
}
