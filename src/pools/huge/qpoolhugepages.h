// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLHUGEPAGES_H
#define QPOOLHUGEPAGES_H

#include "qpoolhugeblocks.h"
#include "../../allocator/os/qpoollock.h"
#include "../../allocator/os/qpoolmutex.h"
#include "../../allocator/pages/qpoolsystempages.h"

QPOOL_BEGIN_NAMESPACE

// The kinds of memory that a BasicHugePages uses.
struct HugePagesOnly
{
    // Whether to take pages that the administrator reserved.
    static constexpr bool TakesReserved = true;
    // This many bytes have ordinary pages before huge ones are requested.
    static constexpr std::size_t OrdinaryBytes = 0;
};

/*!
    \class QPool::HugePages
    \brief A page source whose memory comes in huge pages, for any pool.

    \code
    using Pool = QPool::QPoolAllocator<48, QPool::MultiThreaded, QPool::HugePages>;
    \endcode

    For data of many megabytes that are accessed in random order: the processor's translation buffer
    covers 2 MiB per entry and misses less, and one page fault fetches as much. The pools' pages are
    still 64 KiB; 32 of them share a \e block of 2 MiB. A program that uses little holds at least 2
    MiB.

    A block takes huge pages that the administrator reserved, if there are any; otherwise
    transparent ones; otherwise ordinary ones (see HugeMemory). statistics() returns which it got. None
    of this fails. acquirePage() returns null when the system has no memory, or when the range of
    addresses is used up: 256 GiB, or a sixteenth of a limit (RLIMIT_AS).

    Thread-safe, constant-initialised and never torn down, like SystemPages. Blocks without a page
    in use keep their memory, up to an eighth of the blocks in use and at least two; others go back
    to the system at once, and trim() gives all of them back. Metadata of the pools comes from
    SystemPages.

    fork(): the child may use it. Memory in reserved pages that both processes go on writing to
    needs as many more reserved pages; if there are none, the system ends the child (SIGBUS). A
    block that another thread was giving back during the fork is lost to the child.
*/
template <class Policy>
class BasicHugePages
{
public:
    static constexpr std::size_t PageSize = 64 * 1024;
    static constexpr bool GrowsMagazines = true;
    static constexpr bool HasHeap = true;
    static constexpr bool HasBlocks = false;
    static constexpr bool HasParts = false;
    static constexpr bool HasSamples = false;
    using Lock = Mutex;

    //! Bytes in blocks that have memory now, by the kind that the system granted.
    struct Statistics
    {
        std::size_t ordinary = 0;
        std::size_t transparent = 0;
        std::size_t reserved = 0;
    };

    BasicHugePages() = delete;

    static bool contains(const void *pointer) noexcept { return s_blocks.range.contains(pointer); }
    static PageHeader *headerOf(const void *chunk) noexcept { return s_blocks.range.headerOf(chunk); }
    static PageHeader *findHeader(const void *pointer) noexcept
    {
        return s_blocks.range.findHeader(pointer);
    }
    QPOOL_ALWAYS_INLINE static PageHeader *findNear(const void *pointer) noexcept
    {
        return s_blocks.range.findHeader(pointer);
    }
    QPOOL_ALWAYS_INLINE static PageHeader *findUsedHeader(const void *pointer) noexcept
    {
        return s_blocks.range.findUsedHeader(pointer);
    }
    static char *pageOf(const PageHeader *header) noexcept { return s_blocks.range.pageOf(header); }

    static PageHeader *acquirePage() noexcept
    {
        Locker locker(s_lock);
        return s_blocks.acquirePage();
    }

    static void releasePage(PageHeader *page) noexcept
    {
        HugeBlock *excess;
        {
            Locker locker(s_lock);
            excess = s_blocks.releasePage(page);
        }
        giveBack(excess);
    }

    static void *allocateMetadata(std::size_t bytes) noexcept
    {
        return SystemPages::allocateMetadata(bytes);
    }
    static void *allocateArena(std::size_t bytes) noexcept { return SystemPages::allocateArena(bytes); }

    static bool periodEnds(std::uint32_t &since) noexcept { return SystemPages::periodEnds(since); }
    static void giveBackDue() noexcept { SystemPages::giveBackDue(); }
    static int untilOld(bool holds) noexcept { return SystemPages::untilOld(holds); }
    static int idle() noexcept { return SystemPages::idle(); }

    //! Gives the memory of every block that is not in use back to the system.
    static void trim() noexcept
    {
        while (HugeBlock *block = takeEmpty())
            giveBack(block);
    }

    static PageMemory memory() noexcept
    {
        Locker locker(s_lock);
        return s_blocks.memory();
    }

    static Statistics statistics() noexcept
    {
        Locker locker(s_lock);
        return { s_blocks.heldBytes(HugeMemory::Pages::Ordinary),
                 s_blocks.heldBytes(HugeMemory::Pages::Transparent),
                 s_blocks.heldBytes(HugeMemory::Pages::Reserved) };
    }

    static void surviveFork() noexcept
    {
        SystemPages::surviveFork();
        {
            Locker locker(s_lock);
            if (s_survivesFork)
                return;
            s_survivesFork = true;
        }
        // Called without the lock, because this may allocate.
        Os::aroundFork([] { s_lock.lockToFork(); }, [] { s_lock.unlockAfterFork(); });
    }

    static bool arenasSurviveFork() noexcept { return true; }

private:
    static HugeBlock *takeEmpty() noexcept
    {
        Locker locker(s_lock);
        return s_blocks.takeEmpty();
    }

    // Called without the lock, so that no other thread waits for the system. Null is ignored.
    static void giveBack(HugeBlock *block) noexcept
    {
        if (!block)
            return;
        const bool gone = s_blocks.decommit(block);
        Locker locker(s_lock);
        s_blocks.putEmpty(block, gone);
    }

    static inline HugeBlocks<Policy, PageSize> s_blocks; // guarded by s_lock, except its range
    static inline Lock s_lock;
    static inline bool s_survivesFork = false; // guarded by s_lock
};

using HugePages = BasicHugePages<HugePagesOnly>;

QPOOL_END_NAMESPACE

#endif // QPOOLHUGEPAGES_H
