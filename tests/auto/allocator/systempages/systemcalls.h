// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SYSTEMCALLS_H
#define SYSTEMCALLS_H

#include <atomic>
#include <cerrno>
#include <functional>

#include <ctime>

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// The system calls of this program for memory: counted, and, if a test wants it, refused; and the
// allocator's clock, which a test may set. They are defined in the program and so replace the C
// library's. Only one file may include this.
namespace SystemCalls {

inline std::atomic<int> givenBack { 0 }; // madvise(MADV_DONTNEED)
inline thread_local int givenBackHere = 0; // by this thread
inline std::atomic<std::size_t> mostAtOnce { 0 };
inline std::atomic<std::size_t> bytes { 0 };
inline std::atomic<int> protections { 0 };
inline std::atomic<int> mappings { 0 };
inline std::atomic<std::size_t> mostReserved { 0 }; // addresses without memory
inline std::atomic<bool> refusesToTake { false };
inline std::atomic<int> clockMilliseconds { -1 }; // negative: the system's
inline std::function<void()> duringGivingBack; // called by the thread that gives back

inline const bool isReady = getpid() != 0;

inline void reset()
{
    givenBack = givenBackHere = protections = mappings = 0;
    mostAtOnce = bytes = mostReserved = 0;
}

} // namespace SystemCalls

// The runtimes of sanitizers call these, too, before they are ready for what compilers add to functions: until the
// program's variables are initialised nothing is counted.
#if defined(__GNUC__)
#  define WITHOUT_SANITIZERS __attribute__((no_sanitize("thread"), no_sanitize("address")))
#else
#  define WITHOUT_SANITIZERS
#endif

extern "C" WITHOUT_SANITIZERS int madvise(void *address, size_t length, int advice) noexcept
{
    if (SystemCalls::isReady && advice == MADV_DONTNEED) {
        ++SystemCalls::givenBack;
        ++SystemCalls::givenBackHere;
        if (length > SystemCalls::mostAtOnce)
            SystemCalls::mostAtOnce = length;
        if (SystemCalls::duringGivingBack)
            SystemCalls::duringGivingBack();
        if (SystemCalls::refusesToTake) {
            errno = EINVAL;
            return -1;
        }
        SystemCalls::bytes += length;
    }
    return int(syscall(SYS_madvise, address, length, advice));
}

extern "C" WITHOUT_SANITIZERS int mprotect(void *address, size_t length, int protection) noexcept
{
    if (SystemCalls::isReady)
        ++SystemCalls::protections;
    return int(syscall(SYS_mprotect, address, length, protection));
}

extern "C" WITHOUT_SANITIZERS void *mmap(void *address, size_t length, int protection, int flags, int file,
                      off_t offset) noexcept
{
    if (SystemCalls::isReady) {
        ++SystemCalls::mappings;
        if (protection == PROT_NONE && length > SystemCalls::mostReserved)
            SystemCalls::mostReserved = length;
    }
#ifdef SYS_mmap2
    return reinterpret_cast<void *>(syscall(SYS_mmap2, address, length, protection, flags, file, offset / 4096));
#else
    return reinterpret_cast<void *>(syscall(SYS_mmap, address, length, protection, flags, file, offset));
#endif
}

extern "C" WITHOUT_SANITIZERS int clock_gettime(clockid_t clock, timespec *now) noexcept
{
#ifdef CLOCK_MONOTONIC_COARSE
    constexpr clockid_t allocators = CLOCK_MONOTONIC_COARSE;
#else
    constexpr clockid_t allocators = CLOCK_MONOTONIC;
#endif
    const int set = SystemCalls::isReady ? int(SystemCalls::clockMilliseconds) : -1;
    if (clock != allocators || set < 0)
        return int(syscall(SYS_clock_gettime, clock, now));
    now->tv_sec = set / 1000;
    now->tv_nsec = set % 1000 * 1000000;
    return 0;
}

#endif // SYSTEMCALLS_H
