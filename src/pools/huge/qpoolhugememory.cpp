// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolhugememory.h"
#include "../../allocator/os/qpoolos.h"

#include <atomic>

#if defined(__linux__)
#  include "../../allocator/os/qpoolunix.h"

#  include <cstdio>
#  include <cstdlib>
#  include <cstring>

#  include <fcntl.h>
#  include <sys/mman.h>
#  include <sys/prctl.h>
#  include <unistd.h>
#  ifndef MADV_POPULATE_WRITE
#    define MADV_POPULATE_WRITE 23
#  endif
#  ifndef MAP_HUGE_SHIFT
#    define MAP_HUGE_SHIFT 26
#  endif
#  ifndef MAP_FIXED_NOREPLACE
#    define MAP_FIXED_NOREPLACE 0x100000
#  endif
#  ifndef PR_GET_THP_DISABLE
#    define PR_GET_THP_DISABLE 42
#  endif
#endif

QPOOL_BEGIN_NAMESPACE

namespace HugeMemory {

const char *name(Pages pages) noexcept
{
    switch (pages) {
    case Pages::Reserved:
        return "reserved";
    case Pages::Transparent:
        return "transparent";
    case Pages::Ordinary:
        break;
    }
    return "ordinary";
}

static std::size_t roundUp(std::size_t bytes, std::size_t to) noexcept
{
    return (bytes + to - 1) / to * to;
}

std::size_t mappedBytes(std::size_t bytes) noexcept
{
    if (bytes > MostBytes)
        return 0;
    if (bytes == 0)
        bytes = 1;
    const std::size_t whole = roundUp(bytes, PageBytes);
    if (whole - bytes <= bytes / 8)
        return whole;
    return roundUp(bytes, Os::pageBytes());
}

// The slow way to fetch memory: writes back what it reads. Volatile, so that the compiler keeps it.
static void touch(void *address, std::size_t bytes) noexcept
{
    const std::size_t step = Os::pageBytes();
    auto *place = static_cast<char *>(address);
    for (std::size_t at = 0; at < bytes; at += step) {
        auto *word = reinterpret_cast<volatile char *>(place + at);
        *word = *word;
    }
}

#if defined(__linux__)

namespace {

// The start of a small file; empty if it does not exist.
struct SmallFile
{
    explicit SmallFile(const char *path) noexcept
    {
        const int file = open(path, O_RDONLY | O_CLOEXEC);
        if (file < 0)
            return;
        const ssize_t length = read(file, text, sizeof(text) - 1);
        close(file);
        if (length > 0)
            text[length] = '\0';
    }
    unsigned long long number() const noexcept { return std::strtoull(text, nullptr, 10); }

    char text[64] = {};
};

Pages findTransparent() noexcept
{
    const SmallFile enabled("/sys/kernel/mm/transparent_hugepage/enabled");
    const bool off = !enabled.text[0] || std::strstr(enabled.text, "[never]");
    const SmallFile size("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size");
    if (off || (size.text[0] && size.number() != PageBytes))
        return Pages::Ordinary;
    return prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) == 1 ? Pages::Ordinary : Pages::Transparent;
}

// Whether no reserved page is left. Once set, it is not checked again: a check reads a file, and an
// administrator reserves pages before programs start. Relaxed: a thread that sees an older value
// checks once more.
std::atomic<bool> s_noReserved { false };

bool mayHaveReserved() noexcept
{
    if (s_noReserved.load(std::memory_order_relaxed))
        return false;
    const SmallFile free("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages");
    const bool any = free.number() > 0;
    if (!any)
        s_noReserved.store(true, std::memory_order_relaxed);
    return any;
}

constexpr int ReservedFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | (21 << MAP_HUGE_SHIFT);

} // namespace

Pages transparent() noexcept
{
    // Two threads may determine it at once, with the same result.
    static std::atomic<int> known { -1 };
    int pages = known.load(std::memory_order_relaxed);
    if (pages < 0) {
        const Os::KeptErrno kept;
        pages = int(findTransparent());
        known.store(pages, std::memory_order_relaxed);
    }
    return Pages(pages);
}

Pages advise(void *address, std::size_t bytes) noexcept
{
    const Os::KeptErrno kept;
    if (transparent() == Pages::Ordinary || madvise(address, bytes, MADV_HUGEPAGE) != 0)
        return Pages::Ordinary;
    return Pages::Transparent;
}

Mapping map(std::size_t bytes) noexcept
{
    const Os::KeptErrno kept;
    const std::size_t mapped = mappedBytes(bytes);
    if (mapped == 0)
        return {};
    if (mapped % PageBytes == 0 && mayHaveReserved()) {
        void *place = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, ReservedFlags, -1, 0);
        if (place != MAP_FAILED)
            return { place, Pages::Reserved };
    }
    void *place = Os::mapAligned(mapped, PageBytes, PROT_READ | PROT_WRITE, 0);
    return place ? Mapping { place, advise(place, mapped) } : Mapping {};
}

void unmap(void *address, std::size_t bytes) noexcept
{
    const Os::KeptErrno kept;
    munmap(address, mappedBytes(bytes));
}

Placement placeReserved(void *address, std::size_t bytes) noexcept
{
    const Os::KeptErrno kept;
    if (!mayHaveReserved())
        return Placement::None;
    if (mmap(address, bytes, PROT_READ | PROT_WRITE, ReservedFlags | MAP_FIXED, -1, 0) != MAP_FAILED)
        return Placement::Done;
    s_noReserved.store(true, std::memory_order_relaxed);
    // The kernel may have unmapped the place before it found too few pages. If it has not, or if
    // another thread's mapping is there by now, the place counts as taken.
    void *place = mmap(address, bytes, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (place == address)
        return Placement::None;
    if (place != MAP_FAILED)
        munmap(place, bytes);
    return Placement::Lost;
}

bool populate(void *address, std::size_t bytes) noexcept
{
    const Os::KeptErrno kept;
    const std::size_t page = Os::pageBytes();
    const auto begin = reinterpret_cast<std::uintptr_t>(address) & ~std::uintptr_t(page - 1);
    const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(address) + bytes;
    const std::size_t length = (end - begin + page - 1) / page * page;
    while (madvise(reinterpret_cast<void *>(begin), length, MADV_POPULATE_WRITE) != 0) {
        if (errno == EINTR || errno == EAGAIN)
            continue;
        if (errno != EINVAL && errno != ENOSYS)
            return false;
        touch(address, bytes);
        break;
    }
    return true;
}

std::size_t hugeBytes(const void *address, std::size_t bytes) noexcept
{
    const Os::KeptErrno kept;
    std::FILE *file = std::fopen("/proc/self/smaps", "re");
    if (!file)
        return 0;
    const auto begin = reinterpret_cast<std::uintptr_t>(address);
    const std::uintptr_t end = begin + bytes;
    unsigned long long huge = 0;
    bool inside = false;
    char line[512];
    while (std::fgets(line, sizeof(line), file)) {
        unsigned long long first, last, kib;
        char dash;
        if (std::sscanf(line, "%llx%c%llx", &first, &dash, &last) == 3 && dash == '-')
            inside = first < end && last > begin;
        else if (inside && (std::sscanf(line, "AnonHugePages: %llu kB", &kib) == 1
                            || std::sscanf(line, "Private_Hugetlb: %llu kB", &kib) == 1)) {
            huge += kib * 1024;
        }
    }
    std::fclose(file);
    return huge < bytes ? std::size_t(huge) : bytes;
}

#else // other systems: ordinary pages, from Os

Pages transparent() noexcept { return Pages::Ordinary; }
Pages advise(void *, std::size_t) noexcept { return Pages::Ordinary; }
Placement placeReserved(void *, std::size_t) noexcept { return Placement::None; }
std::size_t hugeBytes(const void *, std::size_t) noexcept { return 0; }

Mapping map(std::size_t bytes) noexcept
{
    const std::size_t mapped = mappedBytes(bytes);
    void *place = mapped ? Os::reserve(mapped, PageBytes) : nullptr;
    if (place && !Os::commit(place, mapped)) {
        Os::unreserve(place, mapped);
        place = nullptr;
    }
    return { place, Pages::Ordinary };
}

void unmap(void *address, std::size_t bytes) noexcept
{
    Os::unreserve(address, mappedBytes(bytes));
}

bool populate(void *address, std::size_t bytes) noexcept
{
    touch(address, bytes);
    return true;
}

#endif

} // namespace HugeMemory

QPOOL_END_NAMESPACE
