// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolos.h"

#if !defined(_WIN32)

#include "qpoolspin.h"
#include "qpoolunix.h"

#include <atomic>
#include <cerrno>
#include <ctime>

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#if defined(__linux__)
#  include <sys/syscall.h>
#endif

QPOOL_BEGIN_NAMESPACE

namespace Os {

#ifndef MAP_NORESERVE
#  define MAP_NORESERVE 0
#endif

void *reserve(std::size_t bytes, std::size_t alignment) noexcept
{
    const KeptErrno kept;
    void *place = mapAligned(bytes, alignment, PROT_NONE, MAP_NORESERVE);
#if defined(MADV_DONTDUMP)
    // A core file of the reservation's nominal size is useless; commit() reverts this.
    if (place)
        madvise(place, bytes, MADV_DONTDUMP);
#endif
    return place;
}

void unreserve(void *address, std::size_t bytes) noexcept
{
    const KeptErrno kept;
    munmap(address, bytes);
}

Mapping mapAt(void *address, std::size_t bytes) noexcept
{
    const KeptErrno kept;
    // A kernel without the flag treats the address as a hint.
#if defined(MAP_FIXED_NOREPLACE)
    constexpr int flags = MAP_FIXED_NOREPLACE;
#elif defined(MAP_FIXED) && defined(MAP_EXCL)
    constexpr int flags = MAP_FIXED | MAP_EXCL;
#else
    constexpr int flags = 0;
#endif
    void *place = mmap(address, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    if (place == address)
        return Mapping::Done;
    if (place != MAP_FAILED) {
        munmap(place, bytes);
        return Mapping::Taken;
    }
    // ENOMEM and EAGAIN are about the amount, any other error about the address.
    return errno == ENOMEM || errno == EAGAIN ? Mapping::Refused : Mapping::Taken;
}

std::uintptr_t likelyAddress() noexcept
{
    const KeptErrno kept;
    const std::size_t bytes = pageBytes();
    void *place = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED)
        return reinterpret_cast<std::uintptr_t>(&errno);
    munmap(place, bytes);
    return reinterpret_cast<std::uintptr_t>(place);
}

void refuseHugePages([[maybe_unused]] void *address, [[maybe_unused]] std::size_t bytes) noexcept
{
#if defined(MADV_NOHUGEPAGE)
    const KeptErrno kept;
    madvise(address, bytes, MADV_NOHUGEPAGE);
#endif
}

std::size_t addressSpaceLimit() noexcept
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY
        || limit.rlim_cur > SIZE_MAX) {
        return SIZE_MAX;
    }
    return std::size_t(limit.rlim_cur);
}

std::size_t pageBytes() noexcept
{
    return std::size_t(sysconf(_SC_PAGESIZE));
}

bool commit(void *address, std::size_t bytes) noexcept
{
    const KeptErrno kept;
    // Not mprotect(), which a program that restricts its own system calls may not expect.
    return mmap(address, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == address;
}

bool decommit(void *address, std::size_t bytes) noexcept
{
    const KeptErrno kept;
    int result;
    do {
        result = madvise(address, bytes, MADV_DONTNEED);
    } while (result != 0 && errno == EAGAIN);
    return result == 0; // locked memory is not given back
}

bool recommit(void *, std::size_t) noexcept
{
    return true; // the mapping stayed: the next access gets a zero page
}

std::uint64_t threadId() noexcept
{
#if defined(__linux__)
    return std::uint64_t(syscall(SYS_gettid));
#else
    return std::uint64_t(reinterpret_cast<std::uintptr_t>(pthread_self()));
#endif
}

std::uint64_t processId() noexcept
{
    return std::uint64_t(getpid());
}

std::uint64_t randomNumber() noexcept
{
    const KeptErrno kept;
    std::uint64_t number = 0;
#if defined(SYS_getrandom)
    // Does not wait for the system's entropy pool early at boot.
    if (syscall(SYS_getrandom, &number, sizeof(number), 1u /* GRND_NONBLOCK */)
        == long(sizeof(number))) {
        return number;
    }
#endif
    timespec now = {};
    clock_gettime(CLOCK_MONOTONIC, &now);
    number ^= std::uint64_t(now.tv_nsec) * 0x9E3779B97F4A7C15u ^ std::uint64_t(now.tv_sec) << 32
            ^ processId() ^ reinterpret_cast<std::uintptr_t>(&now) * 0xBF58476D1CE4E5B9u;
    return number;
}

std::uint32_t milliseconds() noexcept
{
#if defined(CLOCK_MONOTONIC_COARSE)
    constexpr clockid_t clock = CLOCK_MONOTONIC_COARSE;
#else
    constexpr clockid_t clock = CLOCK_MONOTONIC;
#endif
    timespec now {};
    clock_gettime(clock, &now);
    return std::uint32_t(std::uint64_t(now.tv_sec) * 1000 + std::uint64_t(now.tv_nsec) / 1000000);
}

void pause(unsigned attempt) noexcept
{
    constexpr unsigned yields = 1000;
    if (attempt < Spins) {
        Detail::spinOnce();
        return;
    }
    if (attempt < yields) {
        sched_yield();
        return;
    }
    const KeptErrno kept;
    // No function of the pool is a cancellation point.
    int state;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    const timespec moment { 0, 50000 };
    nanosleep(&moment, nullptr);
    pthread_setcancelstate(state, nullptr);
}

// The slot is created without a lock: if two threads create one at once, one of them is deleted.
// Its number plus one; zero while there is none.
static std::atomic<std::uint64_t> s_exitSlot { 0 };

bool ThreadExitHook::armSlot() noexcept
{
    std::uint64_t slot = s_exitSlot.load(std::memory_order_acquire);
    if (slot == 0) {
        pthread_key_t key;
        if (pthread_key_create(&key, [](void *) { run(); }) != 0)
            return false;
        if (s_exitSlot.compare_exchange_strong(slot, std::uint64_t(key) + 1,
                                               std::memory_order_acq_rel)) {
            slot = std::uint64_t(key) + 1;
        } else {
            pthread_key_delete(key);
        }
    }
    // Any value but null.
    return pthread_setspecific(pthread_key_t(slot - 1), &s_exitSlot) == 0;
}

void aroundFork(void (*before)(), void (*after)(), void (*inChild)()) noexcept
{
    pthread_atfork(before, after, inChild ? inChild : after);
}

void writeErrors(const char *text, std::size_t bytes) noexcept
{
    [[maybe_unused]] const ssize_t ignored = write(STDERR_FILENO, text, bytes);
}

} // namespace Os

QPOOL_END_NAMESPACE

#endif // !defined(_WIN32)
