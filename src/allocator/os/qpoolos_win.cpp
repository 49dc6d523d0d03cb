// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolos.h"

#if defined(_WIN32)

#include <cstdio>

#ifndef WIN32_LEAN_AND_MEAN
#  define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

namespace QPool::Os {

void *reserve(std::size_t bytes, std::size_t alignment) noexcept
{
    // Reservations start at the allocation granularity, 64 KiB; for more, find a place by
    // reserving too much, then ask for the aligned part of it. Another thread may take the
    // place in between, hence the tries.
    for (int attempt = 0; attempt < 8; ++attempt) {
        void *probe = VirtualAlloc(nullptr, bytes + alignment, MEM_RESERVE, PAGE_NOACCESS);
        if (!probe)
            return nullptr;
        const auto address = reinterpret_cast<std::uintptr_t>(probe);
        const std::uintptr_t aligned = (address + alignment - 1) & ~std::uintptr_t(alignment - 1);
        VirtualFree(probe, 0, MEM_RELEASE);
        void *place = reinterpret_cast<void *>(aligned);
        if (void *range = VirtualAlloc(place, bytes, MEM_RESERVE, PAGE_NOACCESS))
            return range;
    }
    return nullptr;
}

void unreserve(void *address, std::size_t) noexcept
{
    VirtualFree(address, 0, MEM_RELEASE);
}

bool commit(void *address, std::size_t bytes) noexcept
{
    return VirtualAlloc(address, bytes, MEM_COMMIT, PAGE_READWRITE) != nullptr;
}

void decommit(void *address, std::size_t bytes) noexcept
{
    VirtualFree(address, bytes, MEM_DECOMMIT);
}

bool recommit(void *address, std::size_t bytes) noexcept
{
    return commit(address, bytes);
}

std::uint64_t threadId() noexcept
{
    return GetCurrentThreadId();
}

std::uint64_t processId() noexcept
{
    return GetCurrentProcessId();
}

std::uint64_t randomNumber() noexcept
{
    // Where a process's heap and stacks are is random, and so is the counter's low end.
    LARGE_INTEGER counter = {};
    QueryPerformanceCounter(&counter);
    return std::uint64_t(counter.QuadPart) * 0x9E3779B97F4A7C15u
            ^ reinterpret_cast<std::uintptr_t>(&counter) * std::uint64_t(0xBF58476D1CE4E5B9u)
            ^ reinterpret_cast<std::uintptr_t>(GetProcessHeap()) ^ GetCurrentProcessId();
}

static void WINAPI callFunction(void *argument)
{
    reinterpret_cast<ThreadExitHook::Function>(argument)();
}

bool ThreadExitHook::arm(Function function) noexcept
{
    if (!m_created) {
        const DWORD key = FlsAlloc(&callFunction);
        if (key == FLS_OUT_OF_INDEXES)
            return false;
        m_key = key;
        m_created = true;
    }
    return FlsSetValue(DWORD(m_key), reinterpret_cast<void *>(function));
}

void aroundFork(void (*)(), void (*)(), void (*)()) noexcept
{
}

void writeErrors(const char *text, std::size_t bytes) noexcept
{
    std::fwrite(text, 1, bytes, stderr);
    std::fflush(stderr);
}

} // namespace QPool::Os

#endif // defined(_WIN32)
