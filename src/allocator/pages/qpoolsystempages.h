// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSYSTEMPAGES_H
#define QPOOLSYSTEMPAGES_H

#include "../os/qpoolcopies.h"
#include "../os/qpoollock.h"
#include "../os/qpoolmutex.h"
#include "qpoolfreeruns.h"
#include "qpoolwindows.h"

QPOOL_BEGIN_NAMESPACE

// The statistics of a source, which other threads and processes may read at any time.
struct PublishedMemory
{
    std::atomic<std::size_t> reserved;
    std::atomic<std::size_t> committed;
    std::atomic<std::size_t> decommitted;
};

// The state of SystemPages, apart from its addresses.
struct SystemPagesState
{
    FreeRuns free;
    std::size_t leaving = 0; // pages
    std::size_t blockPages = 0;
    Refusals refusals;
    Refusals metadataRefusals;
    void *spare = nullptr; // a page that is used as metadata, from its end
    std::size_t spareBytes = 0;
    bool survivesFork = false;
    PublishedMemory *published = nullptr;

    Mutex lock; // guards all of this, and the addresses
    // How many pages are old, see SystemPages; and when this period began, in Os::milliseconds(). Written with
    // the lock held; read without it as a hint.
    std::atomic<std::size_t> due { 0 };
    std::atomic<std::uint32_t> since { 0 };
    // Held by the thread that gives memory back.
    Mutex givingLock;
    // Blocks that were freed by a signal handler while its thread was in a slow path. Any thread pushes,
    // without a lock; whoever holds the lock takes all.
    std::atomic<PageHeader *> blocksToFree { nullptr };
};

/*
    The page source of ordinary programs: pages from the operating system, shared by every pool of the
    process, and blocks of several pages for what is larger than any class. Thread-safe.
    Constant-initialised and never torn down, so that it works before main() and after it.

    Memory goes back to the system by age. A period is at least 200 ms. At its end, as many free pages
    as there were all the time are old: nobody needed them. Old pages go back in steps of at most 512 KiB,
    which giveBackDue() does: at the end of each slow path that allocates, puts chunks back or sends them to their
    owner, with each block that is released or resized, with each call of idle(), and when a thread ends. A step takes
    a few tenths of a millisecond, and calls the system without the source's lock; while one thread does a step,
    others go on without, unless they find no page. So a call takes long only if it releases many pages, and what a
    program needs again within a period was never gone. trim() gives everything back at once.

    Lock order: the giving lock, then the source's. fork() is called with both held.

    A system that refuses memory again and again is asked only now and then (see Refusals).
*/
class SystemPages
{
public:
    static constexpr std::size_t PageSize = SystemPageSize;
    // Whether there is memory for more than a few cached chunks per class.
    static constexpr bool GrowsMagazines = true;
    // Whether a block too large for any class may come from the C++ heap.
    static constexpr bool HasHeap = true;
    // Whether there are blocks larger than a page.
    static constexpr bool HasBlocks = true;
    // Whether parts of a page may go back to the system, and are zero-filled when they are used again.
    static constexpr bool HasParts = !hardened && Os::DecommittedIsUsable;
    // Whether blocks may be sampled.
    static constexpr bool HasSamples = false;
    using Lock = Mutex;

    // In milliseconds.
    static constexpr std::uint32_t Period = 200;
    static constexpr std::size_t StepPages = 8;

    // The largest block, in bytes.
    static constexpr std::size_t MostBlockBytes = PageWindows::PageCount * PageSize;

    SystemPages() = delete;

    static bool contains(const void *pointer) noexcept { return s_pages.findHeader(pointer); }
    static PageHeader *headerOf(const void *chunk) noexcept { return s_pages.headerOf(chunk); }
    // Also null for a page that was never handed out, or its header, which has no bin.
    QPOOL_ALWAYS_INLINE static PageHeader *findHeader(const void *pointer) noexcept
    {
        return s_pages.findHeader(pointer);
    }
    QPOOL_ALWAYS_INLINE static PageHeader *findUsedHeader(const void *pointer) noexcept
    {
        return s_pages.findHeader(pointer);
    }
    // The inline version, for most of the source's pointers: null may mean that the pointer must be
    // looked up.
    QPOOL_ALWAYS_INLINE static PageHeader *findNear(const void *pointer) noexcept
    {
        return s_pages.findNear(pointer);
    }
    static char *pageOf(const PageHeader *header) noexcept { return s_pages.pageOf(header); }

    // Returns a page, its contents undefined; null if the system has no more memory.
    static PageHeader *acquirePage() noexcept;
    static void releasePage(PageHeader *page) noexcept;

    // Returns a block of at least \a bytes, at a multiple of \a alignment, a power of two; null if the
    // system has no more memory. Sets \a isZero if the block is known to be zero-filled. It is a multiple
    // of PageSize, and its first page's `chunkSize` says how large.
    static void *allocateBlock(std::size_t bytes, std::size_t alignment, bool *isZero) noexcept;
    // A block of one page for less than a page, which it says is its size. Not among blockBytes(): the rest of the
    // page is not touched.
    static void *allocateSmallBlock(std::size_t bytes) noexcept;
    static void deallocateBlock(PageHeader *first) noexcept;
    // Changes a block's size where it is. Returns false, and changes nothing, if it cannot grow.
    static bool resizeBlock(PageHeader *first, std::size_t bytes) noexcept;
    static bool isBlock(const PageHeader *page) noexcept
    {
        return FreeRuns::tagOf(page) == FreeRuns::Block;
    }
    // For a thread that must not wait for a lock: the next call of another function frees the block.
    static void deallocateBlockLater(PageHeader *first) noexcept;
    // The bytes of all blocks in use.
    static std::size_t blockBytes() noexcept;

    // Returns zero-filled memory, aligned to a cache line, never given back; null when out of
    // memory.
    static void *allocateMetadata(std::size_t bytes) noexcept;

    // The same for an arena. Separate, so that a source derived from this one can keep arenas in
    // memory that other processes see.
    static void *allocateArena(std::size_t bytes) noexcept { return allocateMetadata(bytes); }

    // To be called now and then by a thread at work. Returns whether a period has passed since \a since, in
    // Os::milliseconds(), which becomes now then: what nobody needed meanwhile is old.
    static bool periodEnds(std::uint32_t &since) noexcept
    {
        const std::uint32_t now = Os::milliseconds();
        if (QPOOL_LIKELY(now - since < Period))
            return false;
        since = now;
        age(now);
        return true;
    }

    // Gives a step of what is old back, if anything is and no other thread is doing one. To be called with each slow
    // path, without an arena that others wait for.
    QPOOL_ALWAYS_INLINE static void giveBackDue() noexcept
    {
        if (QPOOL_UNLIKELY(hasDue()))
            giveBackStep();
    }

    // In how many milliseconds there may be something old: 0 if there is, -1 if nothing is free and the caller
    // \a holds nothing, either. Does not wait for a lock.
    static int untilOld(bool holds) noexcept;

    // For a thread that is about to sleep and has no arena: gives a step of what is old back, and returns
    // when to call again.
    static int idle() noexcept;

    // Gives the memory of every free page back to the system.
    static void trim() noexcept;

    // Gives a part of a page back, a multiple of the system's pages. It may be used again at once, and each of the
    // system's pages is then as it was, or zero-filled.
    static void discard(char *place, std::size_t bytes) noexcept;

    static PageMemory memory() noexcept;

    // Stores what memory() would return in \a statistics, which live as long as the process, at each
    // change.
    static void publishMemory(PublishedMemory *statistics) noexcept;

    // Ensures that fork() finds the source's lock free. A pool that calls the source with a lock of
    // its own held calls this before it registers that lock (see ForkHandlers): handlers registered
    // later run first before a fork, so the locks are taken in the same order as elsewhere.
    static void surviveFork() noexcept;

    // Whether a child sees what allocateArena() returned as it was at the fork().
    static bool arenasSurviveFork() noexcept { return true; }

private:
    friend struct Inspection;

    static PageMemory currentMemory() noexcept;
    static void memoryChanged() noexcept;
    static PageHeader *take(std::size_t count, bool *isZero) noexcept;
    static bool recommit(PageHeader *first, std::size_t count) noexcept;
    static bool ensureFresh(std::size_t count) noexcept;
    static PageHeader *takeAligned(std::size_t count, std::size_t alignment, bool *isZero) noexcept;
    static void put(PageHeader *first, std::size_t count) noexcept;
    static void setBlock(PageHeader *first, std::size_t count) noexcept;
    static void putBlock(PageHeader *first) noexcept;
    static void freePending() noexcept;
    static bool takeNext(PageHeader *first, std::size_t count) noexcept;
    static void noteTime(std::uint32_t now) noexcept;
    static void age(std::uint32_t now) noexcept;
    static bool hasDue() noexcept { return s_state.due.load(std::memory_order_relaxed) > 0; }
    static void giveBackStep() noexcept;
    static bool giveBack() noexcept;

    static constexpr PageWindows &s_pages = OnePerProcess<PageWindows>::value;
    static constexpr SystemPagesState &s_state = OnePerProcess<SystemPagesState>::value;
    static constexpr Lock &s_lock = s_state.lock;
    static constexpr Lock &s_givingLock = s_state.givingLock;
};

// Instantiated once, in the library.
extern template struct OnePerProcess<PageWindows>;
extern template struct OnePerProcess<SystemPagesState>;

QPOOL_END_NAMESPACE

#endif // QPOOLSYSTEMPAGES_H
