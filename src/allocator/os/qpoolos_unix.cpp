// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolos.h"

#if !defined(_WIN32)

#include <cerrno>
#include <ctime>

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>
#if defined(__linux__)
#  include <sys/syscall.h>
#endif

namespace QPool::Os {

// Programs look at errno after a call that failed, whatever they allocated or freed in between.
class KeptErrno
{
public:
    KeptErrno() noexcept : m_saved(errno) { }
    ~KeptErrno() { errno = m_saved; }
    KeptErrno(const KeptErrno &) = delete;
    KeptErrno &operator=(const KeptErrno &) = delete;

private:
    const int m_saved;
};

#ifndef MAP_NORESERVE
#  define MAP_NORESERVE 0
#endif

void *reserve(std::size_t bytes, std::size_t alignment) noexcept
{
    // The system aligns to its own pages only: take more, then give the ends back.
    const std::size_t total = bytes + alignment;
    if (total < bytes)
        return nullptr;
    const KeptErrno kept;
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
    const KeptErrno kept;
    munmap(address, bytes);
}

bool commit(void *address, std::size_t bytes) noexcept
{
    const KeptErrno kept;
    const bool ok = mprotect(address, bytes, PROT_READ | PROT_WRITE) == 0;
#if defined(MADV_DODUMP)
    if (ok)
        madvise(address, bytes, MADV_DODUMP);
#endif
    return ok;
}

void decommit(void *address, std::size_t bytes) noexcept
{
    const KeptErrno kept;
    madvise(address, bytes, MADV_DONTNEED);
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

std::uint64_t randomNumber() noexcept
{
    const KeptErrno kept;
    std::uint64_t number = 0;
#if defined(SYS_getrandom)
    // Without waiting for the system's pool early at boot.
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

} // namespace QPool::Os

#endif // !defined(_WIN32)
