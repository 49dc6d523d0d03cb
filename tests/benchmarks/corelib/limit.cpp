// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// The lower bound of any general allocator, preloaded into Qt programs like the peers: a bump
// pointer and a count of live blocks. It reuses a region when nothing in it is alive, so that the
// memory stays in the cache, and does nothing else: no size classes, no free lists, and memory that
// another thread frees is never reused. It is not meant for real programs.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

#include <cerrno>
#include <malloc.h>
#include <sys/mman.h>

extern "C" {
void *__libc_malloc(std::size_t);
void *__libc_calloc(std::size_t, std::size_t);
void *__libc_realloc(void *, std::size_t);
void *__libc_memalign(std::size_t, std::size_t);
void __libc_free(void *);
}

namespace {

constexpr std::size_t RegionSize = 64 * 1024; // aligned to its size
constexpr std::size_t Largest = 4096; // what is larger is glibc's
constexpr std::size_t Room = std::size_t(16) << 30; // of addresses

struct Thread
{
    std::uintptr_t next; // where the next block begins
    std::uintptr_t end; // of the region
};

// At the start of each; the live blocks are counted by the thread that makes them.
struct alignas(16) Region
{
    const Thread *owner;
    std::uint32_t live;
    Region *following; // of the same owner, in a ring
};

__thread Thread t_thread __attribute__((tls_model("initial-exec")));
// Far from all pointers, until there is a range.
std::uintptr_t s_base = std::uintptr_t(1) << 63;
std::uintptr_t s_fresh;

__attribute__((noinline)) void *allocateSlow(std::size_t size)
{
    Thread &thread = t_thread;
    if (!s_fresh) {
        void *room = mmap(nullptr, Room, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (room == MAP_FAILED)
            return __libc_malloc(size);
        s_base = (reinterpret_cast<std::uintptr_t>(room) + RegionSize - 1) & ~(RegionSize - 1);
        s_fresh = s_base;
    }
    auto *current = reinterpret_cast<Region *>(thread.end - RegionSize);
    Region *region = nullptr;
    if (thread.end) {
        for (Region *other = current->following; other != current && !region;
             other = other->following) {
            if (other->live == 0)
                region = other;
        }
        if (current->live == 0)
            region = current;
    }
    if (!region) {
        region = reinterpret_cast<Region *>(__atomic_fetch_add(&s_fresh, RegionSize,
                                                               __ATOMIC_RELAXED));
        if (reinterpret_cast<std::uintptr_t>(region) + 2 * RegionSize > s_base + Room)
            return __libc_malloc(size);
        region->owner = &thread;
        region->following = thread.end ? current->following : region;
        if (thread.end)
            current->following = region;
    }
    const auto start = reinterpret_cast<std::uintptr_t>(region + 1);
    thread.end = start - sizeof(Region) + RegionSize;
    thread.next = start + size;
    region->live = 1;
    return reinterpret_cast<void *>(start);
}

inline void *allocate(std::size_t size)
{
    size = (size + 15) & ~std::size_t(15);
    if (__builtin_expect(size > Largest || size == 0, 0))
        return __libc_malloc(size);
    Thread &thread = t_thread;
    const std::uintptr_t block = thread.next;
    if (__builtin_expect(block + size > thread.end, 0))
        return allocateSlow(size);
    thread.next = block + size;
    ++reinterpret_cast<Region *>(thread.end - RegionSize)->live;
    return reinterpret_cast<void *>(block);
}

inline bool isOurs(void *block)
{
    return reinterpret_cast<std::uintptr_t>(block) - s_base < Room;
}

inline void release(void *block)
{
    if (__builtin_expect(!isOurs(block), 0))
        return __libc_free(block);
    auto *region = reinterpret_cast<Region *>(reinterpret_cast<std::uintptr_t>(block)
                                              & ~(RegionSize - 1));
    Thread &thread = t_thread;
    if (region->owner != &thread)
        return;
    // The last one alive: the region is empty.
    if (--region->live == 0 && reinterpret_cast<std::uintptr_t>(region) + RegionSize == thread.end)
        thread.next = reinterpret_cast<std::uintptr_t>(region + 1);
}

// How many bytes can be read from \a block on.
std::size_t readable(void *block)
{
    return RegionSize - reinterpret_cast<std::uintptr_t>(block) % RegionSize;
}

} // namespace

extern "C" {

void *malloc(std::size_t size) { return allocate(size); }
void free(void *block) { release(block); }

void *calloc(std::size_t count, std::size_t size)
{
    std::size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > Largest)
        return __libc_calloc(count, size);
    void *block = allocate(bytes);
    return block ? std::memset(block, 0, bytes) : nullptr;
}

void *realloc(void *block, std::size_t size)
{
    if (!block)
        return allocate(size);
    if (!isOurs(block))
        return __libc_realloc(block, size);
    void *larger = allocate(size);
    if (larger) {
        std::memcpy(larger, block, std::min(size, readable(block)));
        release(block);
    }
    return larger;
}

void *memalign(std::size_t alignment, std::size_t size)
{
    return alignment <= 16 ? allocate(size) : __libc_memalign(alignment, size);
}

void *aligned_alloc(std::size_t alignment, std::size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **block, std::size_t alignment, std::size_t size)
{
    *block = memalign(alignment, size);
    return *block ? 0 : ENOMEM;
}

} // extern "C"

// Without the way through malloc().
void *operator new(std::size_t size)
{
    if (void *block = allocate(size + (size == 0)))
        return block;
    throw std::bad_alloc();
}

void operator delete(void *block) noexcept
{
    release(block);
}

void operator delete(void *block, std::size_t) noexcept
{
    release(block);
}
