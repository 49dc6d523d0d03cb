// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolos.h"

#if defined(_WIN32)

#include "qpoolspin.h"

#include <atomic>
#include <cstdio>
#include <mutex>

#ifndef WIN32_LEAN_AND_MEAN
#  define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

QPOOL_BEGIN_NAMESPACE

namespace Os {

void *reserve(std::size_t bytes, std::size_t alignment) noexcept
{
    // Reservations start at the allocation granularity, 64 KiB. For a larger alignment, find a
    // place by reserving too much, then reserve its aligned part. Another thread may take the place
    // in between, hence the retries.
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

Mapping mapAt(void *address, std::size_t bytes) noexcept
{
    if (VirtualAlloc(address, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE))
        return Mapping::Done;
    return GetLastError() == ERROR_INVALID_ADDRESS ? Mapping::Taken : Mapping::Refused;
}

std::uintptr_t likelyAddress() noexcept
{
    void *place = VirtualAlloc(nullptr, 1, MEM_RESERVE, PAGE_NOACCESS);
    if (place)
        VirtualFree(place, 0, MEM_RELEASE);
    return reinterpret_cast<std::uintptr_t>(place);
}

void refuseHugePages(void *, std::size_t) noexcept
{
}

std::size_t addressSpaceLimit() noexcept
{
    return SIZE_MAX;
}

std::size_t pageBytes() noexcept
{
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwPageSize;
}

bool commit(void *address, std::size_t bytes) noexcept
{
    return VirtualAlloc(address, bytes, MEM_COMMIT, PAGE_READWRITE) != nullptr;
}

// A piece at a time, because no call may extend over two mappings, which are multiples of a piece.
template <class Call>
static bool forEachPiece(void *address, std::size_t bytes, Call &&call) noexcept
{
    constexpr std::size_t piece = 64 * 1024;
    for (std::size_t done = 0; done < bytes; done += piece) {
        if (!call(static_cast<char *>(address) + done, bytes - done < piece ? bytes - done : piece))
            return false;
    }
    return true;
}

bool decommit(void *address, std::size_t bytes) noexcept
{
    return forEachPiece(address, bytes, [](char *place, std::size_t size) {
        return VirtualFree(place, size, MEM_DECOMMIT) != 0;
    });
}

bool recommit(void *address, std::size_t bytes) noexcept
{
    return forEachPiece(address, bytes, [](char *place, std::size_t size) {
        return commit(place, size);
    });
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
    // The addresses of a process's heap and stacks are random, and so are the counter's low bits.
    LARGE_INTEGER counter = {};
    QueryPerformanceCounter(&counter);
    return std::uint64_t(counter.QuadPart) * 0x9E3779B97F4A7C15u
            ^ reinterpret_cast<std::uintptr_t>(&counter) * std::uint64_t(0xBF58476D1CE4E5B9u)
            ^ reinterpret_cast<std::uintptr_t>(GetProcessHeap()) ^ GetCurrentProcessId();
}

std::uint32_t milliseconds() noexcept
{
    return GetTickCount();
}

void pause(unsigned attempt) noexcept
{
    constexpr unsigned yields = 1000;
    if (attempt < Spins)
        Detail::spinOnce();
    else
        Sleep(attempt < yields ? 0 : 1);
}

// The slot is created without a lock: if two threads create one at once, one of them is deleted.
// Its number plus one; zero while there is none.
static std::atomic<std::uint64_t> s_exitSlot { 0 };

#if defined(_GLIBCXX_GCC_GTHR_POSIX_H)
// GCC keeps thread_local variables in memory that it frees in the destructor of a winpthreads key.
// For threads that this library starts, as std::thread does, this is before the system's callback.
// The functions to be called then would be lost, and the thread's arena with them. Keys are
// destroyed in the order in which they were created, and GCC creates its own at the first use of
// such a variable: so this one is created before that, when the program or library is loaded.
static pthread_key_t s_earlyKey;
static bool s_hasEarlyKey = false;
static std::atomic<void (*)()> s_earlyRun { nullptr };

__attribute__((constructor(101))) static void createEarlyKey() noexcept
{
    s_hasEarlyKey = pthread_key_create(&s_earlyKey, [](void *) {
        // The system's callback is then not needed for the same thread.
        FlsSetValue(DWORD(s_exitSlot.load(std::memory_order_acquire) - 1), nullptr);
        s_earlyRun.load(std::memory_order_relaxed)();
    }) == 0;
}

static void armEarly(void (*run)()) noexcept
{
    s_earlyRun.store(run, std::memory_order_relaxed); // the same value from every thread
    if (s_hasEarlyKey)
        pthread_setspecific(s_earlyKey, &s_exitSlot);
}
#else
static void armEarly(void (*)()) noexcept { }
#endif

bool ThreadExitHook::armSlot() noexcept
{
    struct Callback
    {
        static void WINAPI call(void *value)
        {
            // Also called for remaining values when a slot is freed.
            if (value == &s_exitSlot)
                run();
        }
    };
    std::uint64_t slot = s_exitSlot.load(std::memory_order_acquire);
    if (slot == 0) {
        const DWORD key = FlsAlloc(&Callback::call);
        if (key == FLS_OUT_OF_INDEXES)
            return false;
        if (s_exitSlot.compare_exchange_strong(slot, std::uint64_t(key) + 1,
                                               std::memory_order_acq_rel)) {
            slot = std::uint64_t(key) + 1;
        } else {
            FlsFree(key);
        }
    }
    if (!FlsSetValue(DWORD(slot - 1), &s_exitSlot))
        return false;
    armEarly(&run);
    return true;
}

void aroundFork(void (*)(), void (*)(), void (*)()) noexcept
{
}

void writeErrors(const char *text, std::size_t bytes) noexcept
{
    std::fwrite(text, 1, bytes, stderr);
    std::fflush(stderr);
}

} // namespace Os

QPOOL_END_NAMESPACE

#endif // defined(_WIN32)
