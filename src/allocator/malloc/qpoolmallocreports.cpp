// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

// The functions that report about the heap or give its memory back, for the pool and the C library
// together.

#include "qpoolheap.h"

#include <cerrno>
#include <climits>

using namespace QPool;

namespace {

struct PoolUsage
{
    std::size_t committed = 0; // bytes from the system
    std::size_t used = 0; // of those, in blocks that are alive
};

PoolUsage poolUsage() noexcept
{
    PoolUsage usage;
    usage.committed = SystemPages::memory().committed;
    usage.used = SystemPages::blockBytes();
    for (unsigned bin = 0; bin < ProcessLayout::BinCount; ++bin)
        usage.used += ProcessPool::statistics(bin).live() * ProcessLayout::chunkSize(bin);
    // While other threads allocate, the counts are not of a single moment.
    if (usage.used > usage.committed)
        usage.used = usage.committed;
    return usage;
}

int clamped(std::size_t bytes) noexcept
{
    return bytes > std::size_t(INT_MAX) ? INT_MAX : int(bytes);
}

void writeClasses(std::FILE *file) noexcept
{
    for (const PublishedDomain &domain : ProcessDomains) {
        std::fprintf(file, "<domain name=\"%s\">\n", domain.name);
        for (unsigned bin = domain.firstBin; bin < domain.firstBin + domain.binCount; ++bin) {
            const BinStatistics statistics = ProcessPool::statistics(bin);
            if (statistics.allocated == 0)
                continue;
            std::fprintf(file,
                         "<size bytes=\"%zu\" allocated=\"%llu\" freed=\"%llu\" live=\"%llu\"/>\n",
                         ProcessLayout::chunkSize(bin),
                         static_cast<unsigned long long>(statistics.allocated),
                         static_cast<unsigned long long>(statistics.freed),
                         static_cast<unsigned long long>(statistics.live()));
        }
        std::fputs("</domain>\n", file);
    }
}

} // namespace

extern "C" {

// The sum of both. What the pool has from the system counts as "arena", what no block uses of it as
// free; the pool has neither fast bins nor a top to release.
QPOOL_EXPORT struct mallinfo2 mallinfo2() noexcept
{
    struct mallinfo2 statistics = LibC::statistics();
    const PoolUsage pool = poolUsage();
    statistics.arena += pool.committed;
    statistics.uordblks += pool.used;
    statistics.fordblks += pool.committed - pool.used;
    return statistics;
}

// Numbers that are too large become INT_MAX, and are not truncated.
QPOOL_EXPORT struct mallinfo mallinfo() noexcept
{
    const struct mallinfo2 from = mallinfo2();
    struct mallinfo to = {};
    to.arena = clamped(from.arena);
    to.ordblks = clamped(from.ordblks);
    to.smblks = clamped(from.smblks);
    to.hblks = clamped(from.hblks);
    to.hblkhd = clamped(from.hblkhd);
    to.usmblks = clamped(from.usmblks);
    to.fsmblks = clamped(from.fsmblks);
    to.uordblks = clamped(from.uordblks);
    to.fordblks = clamped(from.fordblks);
    to.keepcost = clamped(from.keepcost);
    return to;
}

// The C library's document, with an element for the pool before its end.
QPOOL_EXPORT int malloc_info(int options, std::FILE *file) noexcept
{
    if (options != 0) {
        errno = EINVAL;
        return -1;
    }
    char *text = nullptr;
    std::size_t length = 0;
    std::FILE *memory = open_memstream(&text, &length);
    if (!memory)
        return -1;
    const int result = LibC::writeInfo(options, memory);
    if (std::fclose(memory) != 0 || result != 0) {
        free(text);
        return -1;
    }
    constexpr char end[] = "</malloc>";
    const char *last = text ? std::strstr(text, end) : nullptr;
    std::fwrite(text, 1, last ? std::size_t(last - text) : length, file);
    const PoolUsage pool = poolUsage();
    std::fprintf(file, "<qpool>\n<system type=\"current\" size=\"%zu\"/>\n<used size=\"%zu\"/>\n",
                 pool.committed, pool.used);
    writeClasses(file);
    std::fputs("</qpool>\n", file);
    if (last)
        std::fputs(last, file);
    free(text);
    return 0;
}

QPOOL_EXPORT void malloc_stats() noexcept
{
    LibC::writeStatistics();
    const PoolUsage pool = poolUsage();
    std::fprintf(stderr, "QPool:\nsystem bytes     = %10zu\nin use bytes     = %10zu\n",
                 pool.committed, pool.used);
}

// Gives back what the calling thread has free, and what no thread has. \a pad is passed to the C
// library, which leaves the system's refusals in errno.
QPOOL_EXPORT int malloc_trim(std::size_t pad) noexcept
{
    const int saved = errno;
    const std::size_t before = SystemPages::memory().committed;
    ProcessPool::trim();
    const int released = LibC::trim(pad);
    errno = saved;
    return released || SystemPages::memory().committed < before ? 1 : 0;
}

} // extern "C"
