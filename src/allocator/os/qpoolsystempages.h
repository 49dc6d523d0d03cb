// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSYSTEMPAGES_H
#define QPOOLSYSTEMPAGES_H

#include "qpoollock.h"
#include "qpoolpagerange.h"

#include <mutex>

namespace QPool {

// A source's figures, for others to read at any time.
struct PublishedMemory
{
    std::atomic<std::size_t> reserved;
    std::atomic<std::size_t> committed;
    std::atomic<std::size_t> returned;
};

/*
    The page source of ordinary programs: pages from the operating system, out of one reserved
    range of addresses shared by every pool of the process. Thread-safe. Constant-initialised
    and never torn down, so that it works before main() and after it.

    The first request reserves the range: 64 GiB of addresses, no memory. If that is refused
    (RLIMIT_AS, 32 bits) smaller ones are tried; if all are, acquirePage() and
    allocateMetadata() return null for good, and the pools above stand aside.
*/
template <int Hardening, std::size_t CacheLine>
class BasicSystemPages
{
public:
    static constexpr std::size_t PageSize = 64 * 1024;
    // Whether memory for more than a few cached chunks per class is there to be had.
    static constexpr bool GrowsMagazines = true;
    // Whether a block too large for any class may be asked of the C++ heap.
    static constexpr bool HasHeap = true;
    using Lock = std::mutex;

    BasicSystemPages() = delete;

    static bool contains(const void *pointer) noexcept { return s_range.contains(pointer); }
    static bool hasHeader(const void *pointer) noexcept { return s_range.hasHeader(pointer); }
    static PageHeader *headerOf(const void *chunk) noexcept { return s_range.headerOf(chunk); }
    static PageHeader *findHeader(const void *pointer) noexcept
    {
        return s_range.findHeader(pointer);
    }
    static PageHeader *findUsedHeader(const void *pointer) noexcept
    {
        return s_range.findUsedHeader(pointer);
    }
    static char *pageOf(const PageHeader *header) noexcept { return s_range.pageOf(header); }

    // A page for chunks of \a chunkSize, its content undefined; null when the system has no more
    // memory.
    static PageHeader *acquirePage(std::size_t chunkSize = 0) noexcept;

    // Keeps the page for the next to ask; past a share of what is in use its memory goes back
    // to the system at once. Its chunkSize and touched say what of it that is.
    static void releasePage(PageHeader *page) noexcept;

    // Zero-filled, aligned to a cache line, never given back; null when out of memory.
    static void *allocateMetadata(std::size_t bytes) noexcept;

    // The same for an arena. Apart, so that a source derived from this one can keep arenas
    // where other processes see them.
    static void *allocateArena(std::size_t bytes) noexcept { return allocateMetadata(bytes); }

    // Gives back the memory of free pages that nobody asked for since the last time, and of
    // those past the share that is kept.
    static void idle() noexcept;

    // Gives the memory of every free page back to the system.
    static void trim() noexcept;

    static PageMemory memory() noexcept;

    // Keeps \a figures, which live as long as the process, what memory() would say.
    static void publishMemory(PublishedMemory *figures) noexcept;

    // Makes sure that fork() finds the source's lock free. Whoever calls the source with a lock
    // of its own held calls this before it registers that lock (see ForkHandlers): handlers that
    // run before a fork run last first, and so take the locks in the order everyone else does.
    static void surviveFork() noexcept;

private:
    friend struct Inspection;

    struct State
    {
        bool refused = false;
        bool survivesFork = false;
        std::size_t headerBytes = 0; // usable bytes of the header table
        std::size_t usablePages = 0;
        std::size_t returnedPages = 0; // usable, but their memory was given back
        std::size_t reserved = 0;
        char *headers = nullptr;
        char *metadata = nullptr;
        std::size_t metadataLeft = 0;
        PublishedMemory *published = nullptr;
    };

    static PageMemory currentMemory() noexcept;
    static void memoryChanged() noexcept;
    static bool initialize() noexcept;
    static bool commitFresh(std::size_t pages) noexcept;
    static bool isWorthKeeping(const PageHeader *page) noexcept;
    static void giveBack(std::size_t pages) noexcept;

    // Inline, so that libraries which each link the allocator, and whose pools the dynamic
    // linker makes one, share the range as well.
    static inline PageRange<PageSize> s_range;
    static inline Lock s_lock;
    static inline State s_state;
};

// A template only for its name: page headers of hardened builds are larger, and more is different
// between levels, and where threads keep apart from each other; a program and a library that
// disagree must not link.
using SystemPages = BasicSystemPages<hardening, CacheLineSize>;

} // namespace QPool

#endif // QPOOLSYSTEMPAGES_H
