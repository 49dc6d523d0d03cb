// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolos.h"

#if !defined(_WIN32)

#include <cerrno>

#include <pthread.h>
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
    // The system aligns to its own pages only: take more, then give the ends back.
    const std::size_t total = bytes + alignment;
    if (total < bytes)
        return nullptr;
    void *start = mmap(nullptr, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                       -1, 0);
    if (start == MAP_FAILED)
        return nullptr;
    const auto address = reinterpret_cast<std::uintptr_t>(start);
    const std::uintptr_t aligned = (address + alignment - 1) & ~std::uintptr_t(alignment - 1);
    if (const std::size_t before = aligned - address)
        munmap(start, before);
    if (const std::size_t after = total - bytes - (aligned - address))
        munmap(reinterpret_cast<void *>(aligned + bytes), after);
#if defined(MADV_DONTDUMP)
    // A core file of the reservation's nominal size helps nobody; commit() takes it back.
    madvise(reinterpret_cast<void *>(aligned), bytes, MADV_DONTDUMP);
#endif
    return reinterpret_cast<void *>(aligned);
}

void unreserve(void *address, std::size_t bytes) noexcept
{
    munmap(address, bytes);
}

Reservation reserveAt(void *address, std::size_t bytes) noexcept
{
    const int saved = errno;
    // A kernel that does not know the flag takes the address for a wish.
#if defined(MAP_FIXED_NOREPLACE)
    constexpr int flags = MAP_FIXED_NOREPLACE;
#elif defined(MAP_FIXED) && defined(MAP_EXCL)
    constexpr int flags = MAP_FIXED | MAP_EXCL;
#else
    constexpr int flags = 0;
#endif
    void *place = mmap(address, bytes, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
    Reservation result = Reservation::Done;
    if (place == MAP_FAILED) {
        // ENOMEM and EAGAIN are about how much, anything else about where.
        result = errno == ENOMEM || errno == EAGAIN ? Reservation::Refused : Reservation::Taken;
    } else if (place != address) {
        munmap(place, bytes);
        result = Reservation::Taken;
    }
#if defined(MADV_DONTDUMP)
    else {
        madvise(address, bytes, MADV_DONTDUMP);
    }
#endif
    errno = saved;
    return result;
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

bool isResident(void *address) noexcept
{
#if defined(__linux__)
    unsigned char resident = 0;
#else
    char resident = 0;
#endif
    const int saved = errno;
    const bool known = mincore(address, 1, &resident) == 0;
    errno = saved;
    return known && (resident & 1);
}

bool commit(void *address, std::size_t bytes) noexcept
{
    const int saved = errno;
    const bool ok = mprotect(address, bytes, PROT_READ | PROT_WRITE) == 0;
#if defined(MADV_DODUMP)
    if (ok)
        madvise(address, bytes, MADV_DODUMP);
#endif
    errno = saved;
    return ok;
}

bool decommit(void *address, std::size_t bytes) noexcept
{
    const int saved = errno;
    int result;
    do {
        result = madvise(address, bytes, MADV_DONTNEED);
    } while (result != 0 && errno == EAGAIN);
    errno = saved;
    return result == 0; // locked memory stays
}

bool recommit(void *, std::size_t) noexcept
{
    return true; // the mapping stayed writable: the next touch brings a zero page
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

bool ThreadExitHook::arm(Function function) noexcept
{
    // Callers hold the lock of the registry the hook belongs to, so no two create the key.
    if (!m_created) {
        pthread_key_t key;
        auto call = [](void *argument) { reinterpret_cast<Function>(argument)(); };
        if (pthread_key_create(&key, call) != 0)
            return false;
        m_key = key;
        m_created = true;
    }
    return pthread_setspecific(pthread_key_t(m_key), reinterpret_cast<void *>(function)) == 0;
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
