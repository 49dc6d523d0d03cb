// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSYSTEMPAGES_H
#define QPOOLSYSTEMPAGES_H

#include "qpoolgrowingspan.h"
#include "qpoollock.h"
#include "qpoolmutex.h"

QPOOL_BEGIN_NAMESPACE

// A source's statistics, for others to read at any time.
struct PublishedMemory
{
    std::atomic<std::size_t> reserved;
    std::atomic<std::size_t> committed;
    std::atomic<std::size_t> returned;
};

/*
    The page source of ordinary programs: pages from the operating system, shared by every pool of
    the process. Thread-safe. Constant-initialised and never torn down, so that it works before
    main() and after it.

    The first request reserves addresses, no memory, in three places that are kept apart by pages
    that nobody may touch: a range for pages, 64 GiB; the table of their headers, which has room for
    those of 128 such ranges; and, when it is asked for, a region for metadata. When the range is
    full another one is reserved in the span that the table covers, and so on. Where addresses are
    limited (RLIMIT_AS, 32 bits) ranges are smaller, so that at most a sixteenth of the limit is
    reserved before it is needed. If not even a small range is to be had, acquirePage() and
    allocateMetadata() return null for good, and the pools above disable themselves.

    Memory goes back to the system with the source's lock free, in address order and joined to
    pieces of at most RunPages pages: whoever allocates meanwhile waits for no system call of
    another's. The pages on their way are in a list of their own, with a lock of its own, which is
    held while the system works on one piece. If nothing else is left they are used from there. What
    is done with the source's lock held takes at most StepPages pages.

    A thread that has pages to give back while another one gives some leaves them to that one, which
    looks for more before it ends; so it never waits for the other's system calls either. But trim()
    does, which has to see all pages gone.

    Lock order: the lock of the pages that are leaving, then the source's. fork() is called with both
    held, and the child keeps the pages that were leaving.

    A system that refuses memory again and again is asked now and then only (see Refusals).
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
    using Lock = Mutex;

    // How much the system is given back in one call: while it works, whoever asks it for memory
    // waits.
    static constexpr std::size_t RunPages = 8;
    // How many pages are moved while the lock is held.
    static constexpr std::size_t StepPages = 64;

    BasicSystemPages() = delete;

    static bool contains(const void *pointer) noexcept { return s_pages.contains(pointer); }
    static bool hasHeader(const void *pointer) noexcept { return s_pages.hasHeader(pointer); }
    static PageHeader *headerOf(const void *chunk) noexcept { return s_pages.headerOf(chunk); }
    static PageHeader *findHeader(const void *pointer) noexcept
    {
        return s_pages.findHeader(pointer);
    }
    // Null, too, for a page that was never handed out.
    QPOOL_ALWAYS_INLINE static PageHeader *findUsedHeader(const void *pointer) noexcept
    {
        return s_pages.findUsedHeader(pointer);
    }
    // The same, inline, for most of our own pointers: null may mean that it must be looked up.
    QPOOL_ALWAYS_INLINE static PageHeader *findNear(const void *pointer) noexcept
    {
        return s_pages.findNear(pointer);
    }
    static char *pageOf(const PageHeader *header) noexcept { return s_pages.pageOf(header); }

    // A page for chunks of \a chunkSize, its content undefined; null when the system has no more
    // memory.
    static PageHeader *acquirePage(std::size_t chunkSize = 0) noexcept;

    // Keeps the page for the next to ask; past a share of what is in use its memory goes back
    // to the system, together with others'. Its chunkSize and touched say what of it that is.
    static void releasePage(PageHeader *page) noexcept;

    // Zero-filled, aligned to a cache line, never given back; null when out of memory.
    static void *allocateMetadata(std::size_t bytes) noexcept;

    // The same for an arena. Apart, so that a source derived from this one can keep arenas
    // where other processes see them.
    static void *allocateArena(std::size_t bytes) noexcept { return allocateMetadata(bytes); }

    // Gives back the memory of free pages that nobody asked for since the last time, and of
    // those past the share that is kept, and past what the last turns used again and again.
    static void idle() noexcept;

    // Gives the memory of every free page back to the system.
    static void trim() noexcept;

    static PageMemory memory() noexcept;

    // Tells one copy of the state from another: see StateCopy.
    static const void *identity() noexcept;

    // Keeps \a statistics, which live as long as the process, what memory() would say.
    static void publishMemory(PublishedMemory *statistics) noexcept;

    // Makes sure that fork() finds the source's lock free. Whoever calls the source with a lock
    // of its own held calls this before it registers that lock (see ForkHandlers): handlers that
    // run before a fork run last first, and so take the locks in the order everyone else does.
    static void surviveFork() noexcept;

private:
    friend struct Inspection;

    using Span = GrowingSpan<PageSize>;

    // How many pages may gather before they go back.
    static constexpr std::size_t GatheredPages = 8;

    // Pages, or in State::grown what was released: whole ones if not zero; what a partial one holds.
    struct Excess
    {
        std::size_t whole = 0;
        std::size_t partial = 0;
        bool isNone() const noexcept { return whole == 0 && partial == 0; }
    };

    // Guarded by s_lock.
    struct State
    {
        std::size_t givers = 0; // threads that give memory back, and will look for more
        Excess grown; // since somebody looked
        std::size_t asked = 0; // pages that are to go, as idle() found then
        bool survivesFork = false;
        bool takesNothing = false; // the system refused what it was given back last
        // See noteSwing().
        std::size_t swing = 0;
        std::size_t swungOut = 0; // given back while the load went down, since the last idle()
        std::size_t mostUsed = 0;
        std::uint32_t swungAt = 0;
        // See takeKeptForTurn(). Since the last idle():
        std::size_t mostSinceIdle = 0;
        std::size_t reused = 0; // pages that were in use before
        Metadata metadata;
        Refusals metadataRefusals;
        PublishedMemory *published = nullptr;
    };

    static PageMemory currentMemory() noexcept;
    static void memoryChanged() noexcept;

    static PageHeader *takeReturned() noexcept;
    static bool hasFresh() noexcept;
    static PageHeader *acquireLeaving() noexcept;
    static std::size_t excessOfWhole() noexcept;
    static std::size_t excessOfPartial(std::size_t heldBytes) noexcept;
    static Excess takeExcess() noexcept;
    static void giveBackExcess(Excess excess) noexcept;
    static void noteSwing() noexcept;
    static void forgetSwing() noexcept;
    static std::size_t keptForSwing() noexcept;
    static std::size_t takeKeptForTurn() noexcept;
    static void giveBack(std::size_t pages, bool wholeFirst) noexcept;
    static void gather(std::size_t &pages, bool wholeFirst) noexcept;
    static std::size_t putBack(PageHeader *&list, std::size_t most) noexcept;
    static bool giveBackRun(bool &refused) noexcept;

    // Instantiated once, in the library.
    static inline GrowingSpan<PageSize> s_pages;
    static inline Lock s_lock;
    static inline State s_state;
    // The pages whose memory is about to go.
    static inline Lock s_leavingLock;
    static inline PageHeader *s_leaving = nullptr; // guarded by s_leavingLock
};

// A template only for its name: page headers of hardened builds are larger, and more is different
// between levels, and where threads keep apart from each other; a program and a library that
// disagree must not link.
extern template class BasicSystemPages<hardening, CacheLineSize>;
using SystemPages = BasicSystemPages<hardening, CacheLineSize>;

QPOOL_END_NAMESPACE

#endif // QPOOLSYSTEMPAGES_H
