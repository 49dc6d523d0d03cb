// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolnewfailures.h"
#include "../os/qpoolos.h"
#include "qpoolheap.h"
#include "qpoolweakexceptions.h"

#include <atomic>

#include <dlfcn.h>

extern "C" {
// std::get_new_handler(), which has the same name in all C++ libraries of this ABI, and the
// function that throws std::bad_alloc in libstdc++.
std::new_handler _ZSt15get_new_handlerv() noexcept __attribute__((weak));
void _ZSt17__throw_bad_allocv() __attribute__((weak));
}

QPOOL_BEGIN_NAMESPACE

namespace NewFailure {

#if __SIZEOF_SIZE_T__ == __SIZEOF_INT__
#  define QPOOL_NEW_NAME(arguments) "_Znwj" arguments
#else
#  define QPOOL_NEW_NAME(arguments) "_Znwm" arguments
#endif

// For a C++ library that came after this one, with a module that a program in C loaded: its own
// operator of that name, which calls malloc() and new-handlers, and throws.
template <class Operator>
static Operator *lateOperator(const char *name) noexcept
{
    // Once found, the library stays loaded.
    static std::atomic<void *> found { nullptr };
    void *library = found.load(std::memory_order_acquire);
    if (!library)
        library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);
    if (!library)
        library = dlopen("libc++.so.1", RTLD_LAZY | RTLD_NOLOAD);
    found.store(library, std::memory_order_release);
    return library ? reinterpret_cast<Operator *>(dlsym(library, name)) : nullptr;
}

static std::new_handler newHandler() noexcept
{
    return _ZSt15get_new_handlerv ? _ZSt15get_new_handlerv() : nullptr;
}

// An exception of a new-handler passes to the caller.
template <class Allocate>
static void *allocateOrThrow(Allocate allocate)
{
    while (const std::new_handler handler = newHandler()) {
        handler();
        if (void *block = allocate())
            return block;
    }
    _ZSt17__throw_bad_allocv();
    return nullptr;
}

template <class Allocate>
static void *nullInsteadOfThrowing(Allocate allocate) noexcept
{
    try {
        return allocate();
    } catch (...) {
    }
    return nullptr;
}

template <class Allocate>
static void *allocateOrNull(Allocate allocate) noexcept
{
    if (!newHandler())
        return nullptr;
    return nullInsteadOfThrowing([=] { return allocateOrThrow(allocate); });
}

[[noreturn]] static void dieWithoutMemory() noexcept
{
    Os::die("operator new is out of memory, and the C++ library cannot throw std::bad_alloc");
}

void *allocate(std::size_t size)
{
    if (_ZSt17__throw_bad_allocv)
        return allocateOrThrow([size] { return Heap::allocate(size); });
    if (auto *late = lateOperator<void *(std::size_t)>(QPOOL_NEW_NAME("")))
        return late(size);
    dieWithoutMemory();
}

void *allocate(std::size_t size, const std::nothrow_t &tag) noexcept
{
    if (_ZSt17__throw_bad_allocv)
        return allocateOrNull([size] { return Heap::allocate(size); });
    using Operator = void *(std::size_t, const std::nothrow_t &) noexcept;
    auto *late = lateOperator<Operator>(QPOOL_NEW_NAME("RKSt9nothrow_t"));
    return late ? late(size, tag) : nullptr;
}

void *allocate(std::size_t size, std::align_val_t alignment)
{
    if (_ZSt17__throw_bad_allocv)
        return allocateOrThrow([=] { return Heap::allocateAligned(std::size_t(alignment), size); });
    using Operator = void *(std::size_t, std::align_val_t);
    if (auto *late = lateOperator<Operator>(QPOOL_NEW_NAME("St11align_val_t")))
        return late(size, alignment);
    dieWithoutMemory();
}

void *allocate(std::size_t size, std::align_val_t alignment, const std::nothrow_t &tag) noexcept
{
    if (_ZSt17__throw_bad_allocv)
        return allocateOrNull([=] { return Heap::allocateAligned(std::size_t(alignment), size); });
    using Operator = void *(std::size_t, std::align_val_t, const std::nothrow_t &) noexcept;
    constexpr const char *name = QPOOL_NEW_NAME("St11align_val_tRKSt9nothrow_t");
    auto *late = lateOperator<Operator>(name);
    return late ? late(size, alignment, tag) : nullptr;
}

void *callOrNull(void *(*function)(std::size_t), std::size_t size) noexcept
{
    return nullInsteadOfThrowing([=] { return function(size); });
}

void *callOrNull(void *(*function)(std::size_t, std::align_val_t), std::size_t size,
                 std::align_val_t alignment) noexcept
{
    return nullInsteadOfThrowing([=] { return function(size, alignment); });
}

} // namespace NewFailure

QPOOL_END_NAMESPACE
