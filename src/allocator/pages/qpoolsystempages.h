// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSYSTEMPAGES_H
#define QPOOLSYSTEMPAGES_H

#include "qpoolgrowingspan.h"
#include "../os/qpoolcopies.h"
#include "../os/qpoollock.h"
#include "../os/qpoolmutex.h"

QPOOL_BEGIN_NAMESPACE

// The statistics of a source, which other threads and processes may read at any time.
struct PublishedMemory
{
    std::atomic<std::size_t> reserved;
    std::atomic<std::size_t> committed;
    std::atomic<std::size_t> decommitted;
};

// The state of SystemPages, apart from the pages.
struct SystemPagesState
{
    // Numbers of pages. In grown, what was released: whole is non-zero if whole pages were;
    // partial is the bytes that a partly touched page holds.
    struct Excess
    {
        std::size_t whole = 0;
        std::size_t partial = 0;
        bool isNone() const noexcept { return whole == 0 && partial == 0; }
    };

    // Threads that give memory back, and look for more before they finish: at most one, and those
    // in trim().
    bool giving = false;
    std::size_t trimming = 0;
    bool hasGiver() const noexcept { return giving || trimming > 0; }
    Excess grown; // since the last check
    std::size_t asked = 0; // pages to give back, as idle() found then
    bool survivesFork = false;
    bool takesNothing = false; // the system refused the memory given back last
    // See waitForNeighbours().
    bool scattered = false; // most of the pages that were to go last were not adjacent
    std::uint32_t waitingSince = 0;
    std::size_t gonePages = 0; // since the last call of noteScattered()
    std::size_t goneRuns = 0;
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

    Mutex lock; // guards all of this, except as follows, and the pages
    // Whether pages wait for their neighbours. Written with the lock held. Read without it only as a
    // hint: a thread that misses a change leaves the pages to the next one.
    std::atomic<bool> waiting { false };
    // The pages whose memory is about to go back, and the lock that guards their list.
    Mutex leavingLock;
    PageHeader *leaving = nullptr;
};

/*
    The page source of ordinary programs: pages from the operating system, shared by every pool of
    the process. Thread-safe. Constant-initialised and never torn down, so that it works before
    main() and after it.

    The first request reserves addresses, without memory, in three places that inaccessible pages
    separate: a range for pages, 64 GiB; the table of their headers, with room for those of 128
    ranges; and, when it is needed, a region for metadata. When the range is full, another one is
    reserved in the span that the table covers, and so on. If addresses are limited (RLIMIT_AS, 32
    bits), ranges are smaller, so that at most a sixteenth of the limit is reserved before it is
    needed. If not even a small range can be reserved, acquirePage() and allocateMetadata() always
    return null, and the pools above disable themselves.

    Memory goes back to the system without the source's lock, in address order and merged to pieces
    of at most RunPages pages: a thread that allocates meanwhile does not wait for another thread's
    system call. The leaving pages are in a list of their own with its own lock, which is held
    during the system call for one piece. If no other page is left, they are used from there. An
    operation under the source's lock moves at most StepPages pages. Pages that become empty in random
    order wait for their neighbours, until hardly any pages are left in use, or a thread calls idle() or
    park(), or ends. From WaitingMilliseconds on, the next release also ends the wait, and so does a
    thread that has allocated another megabyte. So the memory of a program that stops using the pool at
    once may stay, and a release that ends the wait takes as long as giving back all of these pages.

    If a thread has pages to give back while another one is giving pages back, it leaves them to
    that thread, which looks for more before it finishes; so it never waits for the other thread's
    system calls either. But trim() does, because all pages have to be gone when it returns. A thread
    that trims gives back for all: others leave the pages that they release to it, and one that was
    giving pages back stops after the current system call.

    Lock order: the lock of the leaving pages, then the source's. fork() is called with both held,
    and the child keeps the leaving pages.

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
    using Lock = Mutex;

    // How much goes back to the system in one call: during the call, other threads that need memory
    // from the system wait.
    static constexpr std::size_t RunPages = 8;
    // How many pages are moved while the lock is held.
    static constexpr std::size_t StepPages = 64;

    SystemPages() = delete;

    static bool contains(const void *pointer) noexcept { return s_pages.contains(pointer); }
    static bool hasHeader(const void *pointer) noexcept { return s_pages.hasHeader(pointer); }
    static PageHeader *headerOf(const void *chunk) noexcept { return s_pages.headerOf(chunk); }
    static PageHeader *findHeader(const void *pointer) noexcept
    {
        return s_pages.findHeader(pointer);
    }
    // Also null for a page that was never handed out.
    QPOOL_ALWAYS_INLINE static PageHeader *findUsedHeader(const void *pointer) noexcept
    {
        return s_pages.findUsedHeader(pointer);
    }
    // The inline version, for most of the source's pointers: null may mean that the pointer must be
    // looked up.
    QPOOL_ALWAYS_INLINE static PageHeader *findNear(const void *pointer) noexcept
    {
        return s_pages.findNear(pointer);
    }
    static char *pageOf(const PageHeader *header) noexcept { return s_pages.pageOf(header); }

    // Returns a page for chunks of \a chunkSize, its contents undefined; null if the system has no
    // more memory.
    static PageHeader *acquirePage(std::size_t chunkSize = 0) noexcept;

    // Keeps the page for the next request. Beyond a share of what is in use, its memory goes back
    // to the system, together with that of others. The page's chunkSize and touched tell how much
    // memory that is.
    static void releasePage(PageHeader *page) noexcept;

    // Returns zero-filled memory, aligned to a cache line, never given back; null when out of
    // memory.
    static void *allocateMetadata(std::size_t bytes) noexcept;

    // The same for an arena. Separate, so that a source derived from this one can keep arenas in
    // memory that other processes see.
    static void *allocateArena(std::size_t bytes) noexcept { return allocateMetadata(bytes); }

    // Give back the pages that wait for their neighbours: those that have waited for long enough, to
    // be called now and then by a thread at work; or all, because the thread goes to sleep or ends.
    // Cost a load if there are none.
    static void releaseOverdue() noexcept
    {
        if (QPOOL_UNLIKELY(s_waiting.load(std::memory_order_relaxed)))
            endWait(Wait::Overdue);
    }
    static void releaseWaiting() noexcept
    {
        if (QPOOL_UNLIKELY(s_waiting.load(std::memory_order_relaxed)))
            endWait(Wait::Any);
    }

    // Gives back the memory of free pages that were not needed since the last call, except for the
    // share that is kept and for what the last turns used again and again.
    static void idle() noexcept;

    // Gives the memory of every free page back to the system. Calls \a release first, which releases
    // pages: they go with the others, and no other thread begins to give them back.
    template <class Release>
    static void trim(Release &&release) noexcept
    {
        beginTrim();
        release();
        endTrim();
    }
    static void trim() noexcept
    {
        trim([] { });
    }

    static PageMemory memory() noexcept;

    // Identifies a copy of the state: see StateCopy.
    static const void *identity() noexcept;

    // Stores what memory() would return in \a statistics, which live as long as the process, at each
    // change.
    static void publishMemory(PublishedMemory *statistics) noexcept;

    // Ensures that fork() finds the source's lock free. A pool that calls the source with a lock of
    // its own held calls this before it registers that lock (see ForkHandlers): handlers registered
    // later run first before a fork, so the locks are taken in the same order as elsewhere.
    static void surviveFork() noexcept;

private:
    friend struct Inspection;

    using Excess = SystemPagesState::Excess;

    // How many pages may gather before they go back.
    static constexpr std::size_t GatheredPages = 8;
    // How long scattered pages may wait for their neighbours: see waitForNeighbours().
    static constexpr std::uint32_t WaitingMilliseconds = 10;
    // They do not wait when this many pages are cached for each one in use.
    static constexpr std::size_t MostCachedForOneUsed = 32;

    // Who gives pages back: a thread in trim(), or any other, which gives way to it.
    enum class Giver { Trim, Other };

    static PageMemory currentMemory() noexcept;
    static void memoryChanged() noexcept;

    static PageHeader *takeDecommitted() noexcept;
    static bool ensureFresh() noexcept;
    static PageHeader *acquireLeaving() noexcept;
    static std::size_t excessOfWhole() noexcept;
    static std::size_t excessOfPartial(std::size_t heldBytes) noexcept;
    enum class Wait { Overdue, Any };
    static void endWait(Wait which) noexcept;
    static void setWaiting(bool waiting) noexcept
    {
        s_waiting.store(waiting, std::memory_order_relaxed);
    }
    static bool waitForNeighbours(std::size_t cached) noexcept;
    static void noteScattered() noexcept;
    static Excess takeExcess() noexcept;
    static Excess beginGivingBack() noexcept;
    static bool givesWay(Giver giver) noexcept;
    static void giveBackExcess(Excess excess, Giver giver) noexcept;
    static void beginTrim() noexcept;
    static void endTrim() noexcept;
    static void noteSwing() noexcept;
    static void forgetSwing() noexcept;
    static std::size_t keptForSwing() noexcept;
    static std::size_t takeKeptForTurn() noexcept;
    static bool giveBack(std::size_t pages, bool wholeFirst, Giver giver) noexcept;
    static void gather(std::size_t &pages, bool wholeFirst) noexcept;
    static std::size_t putBack(PageHeader *&list, std::size_t most) noexcept;
    static bool giveBackRun(bool &refused) noexcept;

    static constexpr GrowingSpan &s_pages = OnePerProcess<GrowingSpan>::value;
    static constexpr SystemPagesState &s_state = OnePerProcess<SystemPagesState>::value;
    static constexpr Lock &s_lock = s_state.lock;
    static constexpr Lock &s_leavingLock = s_state.leavingLock;
    static constexpr std::atomic<bool> &s_waiting = s_state.waiting;
    static constexpr PageHeader *&s_leaving = s_state.leaving;
};

// Instantiated once, in the library.
extern template struct OnePerProcess<GrowingSpan>;
extern template struct OnePerProcess<SystemPagesState>;

QPOOL_END_NAMESPACE

#endif // QPOOLSYSTEMPAGES_H
