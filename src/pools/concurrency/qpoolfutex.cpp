// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolfutex.h"

#if defined(_WIN32)
#  ifndef WIN32_LEAN_AND_MEAN
#    define WIN32_LEAN_AND_MEAN
#  endif
#  include <windows.h> // also defines the target version: Windows 8 has the function
#endif

#if defined(QPOOL_NO_FUTEX)
#elif defined(__linux__)
#  define QPOOL_FUTEX_LINUX
#elif defined(_WIN32) && _WIN32_WINNT >= 0x0602
#  define QPOOL_FUTEX_WINDOWS
#endif

#if defined(QPOOL_FUTEX_LINUX)
#  include "../../allocator/os/qpoolfutexcall.h"
#  include "../../allocator/os/qpoolunix.h"
#elif !defined(QPOOL_FUTEX_WINDOWS)
#  include <chrono>
#  include <condition_variable>
#  include <mutex>
#  include <new>
#endif

QPOOL_BEGIN_NAMESPACE

namespace Os {

#if defined(QPOOL_FUTEX_LINUX)

void futexWait(const std::atomic<std::uint32_t> &word, std::uint32_t expected,
               std::int64_t nanoseconds) noexcept
{
    const KeptErrno kept;
    futexWaitCall(&word, FUTEX_WAIT_PRIVATE, expected, nanoseconds);
}

void futexWake(const std::atomic<std::uint32_t> &word) noexcept
{
    const KeptErrno kept;
    futexWakeCall(&word, FUTEX_WAKE_PRIVATE);
}

#elif defined(QPOOL_FUTEX_WINDOWS)

void futexWait(const std::atomic<std::uint32_t> &word, std::uint32_t expected,
               std::int64_t nanoseconds) noexcept
{
    DWORD milliseconds = INFINITE;
    if (nanoseconds >= 0) {
        // Round up: a caller with less than a millisecond left must not spin.
        const std::int64_t wanted = nanoseconds / 1000000 + (nanoseconds % 1000000 != 0);
        milliseconds = wanted < std::int64_t(INFINITE) ? DWORD(wanted) : INFINITE - 1;
    }
    WaitOnAddress(const_cast<std::atomic<std::uint32_t> *>(&word), &expected, sizeof expected,
                  milliseconds);
}

void futexWake(const std::atomic<std::uint32_t> &word) noexcept
{
    WakeByAddressSingle(const_cast<std::atomic<std::uint32_t> *>(&word));
}

#else

namespace {

// The words share a few buckets. Invariant: a thread that sleeps in a bucket has found its word
// unchanged under the bucket's lock; a thread that wakes takes the lock after it changed the word.
// So either the sleeper finds the change, or the waker finds the sleeper.
struct Bucket
{
    std::mutex mutex;
    std::condition_variable changed;
};

constexpr std::size_t bucketCount = 16;

Bucket &bucketOf(const void *word) noexcept
{
    // Never destroyed: threads may sleep and wake in destructors of static objects.
    alignas(Bucket) static unsigned char memory[sizeof(Bucket) * bucketCount];
    static Bucket *const buckets = [] {
        for (std::size_t i = 0; i < bucketCount; ++i)
            new (memory + i * sizeof(Bucket)) Bucket;
        return std::launder(reinterpret_cast<Bucket *>(memory));
    }();
    return buckets[reinterpret_cast<std::uintptr_t>(word) / CacheLineSize % bucketCount];
}

} // namespace

void futexWait(const std::atomic<std::uint32_t> &word, std::uint32_t expected,
               std::int64_t nanoseconds) noexcept
{
    Bucket &bucket = bucketOf(&word);
    std::unique_lock<std::mutex> lock(bucket.mutex);
    if (word.load(std::memory_order_relaxed) != expected)
        return;
    if (nanoseconds < 0)
        bucket.changed.wait(lock);
    else
        bucket.changed.wait_for(lock, std::chrono::nanoseconds(nanoseconds));
}

void futexWake(const std::atomic<std::uint32_t> &word) noexcept
{
    Bucket &bucket = bucketOf(&word);
    const std::lock_guard<std::mutex> lock(bucket.mutex);
    bucket.changed.notify_all(); // the others in the bucket sleep on other words
}

#endif

} // namespace Os

QPOOL_END_NAMESPACE
