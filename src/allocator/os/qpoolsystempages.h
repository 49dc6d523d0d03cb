// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSYSTEMPAGES_H
#define QPOOLSYSTEMPAGES_H

#include "qpoollock.h"
#include "qpoolpagerange.h"

#include <mutex>

namespace QPool {

/*
    The page source of ordinary programs: pages from the operating system, out of one reserved
    range of addresses shared by every pool of the process. Thread-safe. Constant-initialised
    and never torn down, so that it works before main() and after it.

    The first request reserves the range: 64 GiB of addresses, no memory. If that is refused
    (RLIMIT_AS, 32 bits) smaller ones are tried; if all are, acquirePage() and
    allocateMetadata() return null for good, and the pools above stand aside.
*/
class SystemPages
{
public:
    static constexpr std::size_t PageSize = 64 * 1024;
    // Whether memory for more than a few cached chunks per class is there to be had.
    static constexpr bool GrowsMagazines = true;
    // Whether a block too large for any class may be asked of the C++ heap.
    static constexpr bool HasHeap = true;
    using Lock = std::mutex;

    SystemPages() = delete;

    static bool contains(const void *pointer) noexcept { return s_range.contains(pointer); }
    static PageHeader *headerOf(const void *chunk) noexcept { return s_range.headerOf(chunk); }
    static char *pageOf(const PageHeader *header) noexcept { return s_range.pageOf(header); }

    // A page whose content is undefined; null when the system has no more memory.
    static PageHeader *acquirePage() noexcept;

    // Keeps the page for the next to ask; past a share of what is in use its memory goes back
    // to the system at once.
    static void releasePage(PageHeader *page) noexcept;

    // Zero-filled, aligned to a cache line, never given back; null when out of memory.
    static void *allocateMetadata(std::size_t bytes) noexcept;

    // Gives the memory of every free page back to the system.
    static void trim() noexcept;

    static PageMemory memory() noexcept;

    // Makes sure that fork() finds the source's lock free. Whoever calls the source with a lock
    // of its own held calls this before it registers that lock: handlers that run before a
    // fork run last first, and so take the locks in the order everyone else does.
    static void surviveFork() noexcept;

private:
    static bool initialize() noexcept;
    static bool commitFresh(std::size_t pages) noexcept;
    static std::size_t cacheLimit() noexcept;

    using Range = PageRange<PageSize>;
    static Range s_range;
    static Lock s_lock;
};

} // namespace QPool

#endif // QPOOLSYSTEMPAGES_H
