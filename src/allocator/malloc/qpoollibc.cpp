// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoollibc.h"

#include <atomic>
#include <cerrno>

#include <dlfcn.h>

QPOOL_BEGIN_NAMESPACE

namespace LibC {

// The C library prepares its allocator at the first call. It expects the program to have one thread then, as it
// has when the pool does not serve nearly everything. No option has the number zero.
__attribute__((constructor)) static void prepare() noexcept
{
    __libc_mallopt(0, 0);
}

// Looked up each time: none of them is called often, and there is no single moment to look them all up.
template <class Function>
static Function *next(const char *name) noexcept
{
    return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

void *allocateAligned(std::size_t alignment, std::size_t size) noexcept
{
    auto *function = next<void *(std::size_t, std::size_t)>("aligned_alloc");
    return function ? function(alignment, size) : __libc_memalign(alignment, size);
}

int registerAroundFork(void (*before)(), void (*inParent)(), void (*inChild)(), void *library) noexcept
{
    auto *function = next<int(void (*)(), void (*)(), void (*)(), void *)>("__register_atfork");
    return function ? function(before, inParent, inChild, library) : ENOMEM;
}

std::size_t usableSize(void *block) noexcept
{
    // Called often enough to be remembered. Two threads that look it up at once find the same.
    using Function = std::size_t(void *);
    static std::atomic<Function *> found { nullptr };
    Function *function = found.load(std::memory_order_relaxed);
    if (!function) {
        function = next<Function>("malloc_usable_size");
        found.store(function, std::memory_order_relaxed);
    }
    return function ? function(block) : 0;
}

int trim(std::size_t pad) noexcept
{
    auto *function = next<int(std::size_t)>("malloc_trim");
    return function ? function(pad) : 0;
}

struct mallinfo2 statistics() noexcept
{
    auto *function = next<struct mallinfo2()>("mallinfo2");
    if (!function)
        return {};
    return function();
}

int writeInfo(int options, std::FILE *file) noexcept
{
    auto *function = next<int(int, std::FILE *)>("malloc_info");
    return function ? function(options, file) : 0;
}

void writeStatistics() noexcept
{
    if (auto *function = next<void()>("malloc_stats"))
        function();
}

} // namespace LibC

QPOOL_END_NAMESPACE
