// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

// Every global operator new and delete. The C++ library is not linked: a program that calls these has
// it, and a C program that this library is loaded into has no need of it. So all that is used of it
// is weak.

#include "qpoolheap.h"

#include <new>

using namespace QPool;

extern "C" {
// std::get_new_handler(), which all C++ libraries of this ABI name alike, and what throws
// std::bad_alloc in libstdc++.
std::new_handler _ZSt15get_new_handlerv() noexcept __attribute__((weak));
void _ZSt17__throw_bad_allocv() __attribute__((weak));
}
// What the compiler needs for a catch.
__asm__(".weak __gxx_personality_v0\n"
        ".weak __cxa_begin_catch\n"
        ".weak __cxa_end_catch\n");

static std::new_handler newHandler() noexcept
{
    return _ZSt15get_new_handlerv ? _ZSt15get_new_handlerv() : nullptr;
}

// After a first refusal. What a handler throws goes through to the caller.
template <class Allocate>
QPOOL_NEVER_INLINE static void *allocateOrThrow(Allocate allocate)
{
    while (const std::new_handler handler = newHandler()) {
        handler();
        if (void *block = allocate())
            return block;
    }
    if (_ZSt17__throw_bad_allocv)
        _ZSt17__throw_bad_allocv();
    Os::die("operator new is out of memory, and the C++ library cannot throw std::bad_alloc");
}

template <class Allocate>
QPOOL_NEVER_INLINE static void *allocateOrNull(Allocate allocate) noexcept
{
    if (!newHandler())
        return nullptr;
    try {
        while (const std::new_handler handler = newHandler()) {
            handler();
            if (void *block = allocate())
                return block;
        }
    } catch (...) {
    }
    return nullptr;
}

QPOOL_ALWAYS_INLINE static void *allocate(std::size_t size)
{
    if (void *block = Heap::allocate(size); QPOOL_LIKELY(block))
        return block;
    return allocateOrThrow([size] { return Heap::allocate(size); });
}

QPOOL_ALWAYS_INLINE static void *allocate(std::size_t size, const std::nothrow_t &) noexcept
{
    if (void *block = Heap::allocate(size); QPOOL_LIKELY(block))
        return block;
    return allocateOrNull([size] { return Heap::allocate(size); });
}

static void *allocate(std::size_t size, std::align_val_t alignment)
{
    const auto once = [=] { return Heap::allocateAligned(std::size_t(alignment), size); };
    if (void *block = once(); QPOOL_LIKELY(block))
        return block;
    return allocateOrThrow(once);
}

static void *allocate(std::size_t size, std::align_val_t alignment, const std::nothrow_t &) noexcept
{
    const auto once = [=] { return Heap::allocateAligned(std::size_t(alignment), size); };
    if (void *block = once(); QPOOL_LIKELY(block))
        return block;
    return allocateOrNull(once);
}

#define QPOOL_EXPORT __attribute__((visibility("default")))
#define QPOOL_DEFINE_OPERATORS(New, Delete) \
    QPOOL_EXPORT void *New(std::size_t size) { return allocate(size); } \
    QPOOL_EXPORT void *New(std::size_t size, const std::nothrow_t &tag) noexcept \
    { return allocate(size, tag); } \
    QPOOL_EXPORT void *New(std::size_t size, std::align_val_t alignment) \
    { return allocate(size, alignment); } \
    QPOOL_EXPORT void *New(std::size_t size, std::align_val_t alignment, \
                           const std::nothrow_t &tag) noexcept \
    { return allocate(size, alignment, tag); } \
    QPOOL_EXPORT void Delete(void *block) noexcept { Heap::deallocate(block); } \
    QPOOL_EXPORT void Delete(void *block, std::size_t) noexcept { Heap::deallocate(block); } \
    QPOOL_EXPORT void Delete(void *block, const std::nothrow_t &) noexcept \
    { Heap::deallocate(block); } \
    QPOOL_EXPORT void Delete(void *block, std::align_val_t) noexcept { Heap::deallocate(block); } \
    QPOOL_EXPORT void Delete(void *block, std::size_t, std::align_val_t) noexcept \
    { Heap::deallocate(block); } \
    QPOOL_EXPORT void Delete(void *block, std::align_val_t, const std::nothrow_t &) noexcept \
    { Heap::deallocate(block); }

QPOOL_DEFINE_OPERATORS(operator new, operator delete)
QPOOL_DEFINE_OPERATORS(operator new[], operator delete[])
