// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLHUGEPAGES_H
#define QPOOLHUGEPAGES_H

#include "qpoolhugeblocks.h"
#include "qpoollock.h"
#include "qpoolmutex.h"
#include "qpoolsystempages.h"

QPOOL_BEGIN_NAMESPACE

// What the memory of a BasicHugePages comes as.
struct HugePagesOnly
{
    // Whether what the administrator reserved may be taken.
    static constexpr bool TakesReserved = true;
    // So much has ordinary pages, before huge ones are asked for.
    static constexpr std::size_t OrdinaryBytes = 0;
};

/*!
    \class QPool::HugePages
    \brief A page source whose memory comes in huge pages, for any pool.

    \code
    using Pool = QPool::QPoolAllocator<48, QPool::MultiThreaded, QPool::HugePages>;
    \endcode

    For data of many megabytes that are read in no order: a translation buffer of the processor that
    knows 2 MiB at a time misses less, and a page fault brings as much. The pools' pages are 64 KiB
    as ever; 32 of them share a \e block of 2 MiB. A program that uses little holds 2 MiB at least.

    A block takes huge pages the administrator reserved, if there are any; else transparent ones; else
    ordinary ones (see HugeMemory). statistics() says which it got. None of that fails. acquirePage()
    returns null when the system has no memory, or when the range of addresses is used up: 256 GiB,
    or a sixteenth of a limit (RLIMIT_AS).

    Thread-safe, constant-initialised and never torn down, as SystemPages. Blocks of which no page is
    in use keep their memory, up to an eighth of those that are in use and no fewer than two; others
    go back to the system at once, and all of them by trim(). Metadata of the pools comes from
    SystemPages.

    fork(): the child may use it. Memory in reserved pages that both sides go on writing to needs as
    many more of them; where there are none the system ends the child (SIGBUS). A block that another
    thread was giving back during the fork is lost to the child.
*/
template <class Policy>
class BasicHugePages
{
public:
    static constexpr std::size_t PageSize = 64 * 1024;
    static constexpr bool GrowsMagazines = true;
    static constexpr bool HasHeap = true;
    using Lock = Mutex;

    //! Bytes in blocks that hold memory now, by what the system granted them.
    struct Statistics
    {
        std::size_t ordinary = 0;
        std::size_t transparent = 0;
        std::size_t reserved = 0;
    };

    BasicHugePages() = delete;

    static bool contains(const void *pointer) noexcept { return s_blocks.range.contains(pointer); }
    static bool hasHeader(const void *pointer) noexcept { return s_blocks.range.hasHeader(pointer); }
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

    static PageHeader *acquirePage(std::size_t = 0) noexcept
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

    static void idle() noexcept { }

    //! Gives the memory of every block that nobody uses back to the system.
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
        // Without the lock: this may allocate.
        Os::aroundFork([] { s_lock.lockToFork(); }, [] { s_lock.unlockAfterFork(); });
    }

private:
    static HugeBlock *takeEmpty() noexcept
    {
        Locker locker(s_lock);
        return s_blocks.takeEmpty();
    }

    // Without the lock, so that nobody waits for the system. Null is none.
    static void giveBack(HugeBlock *block) noexcept
    {
        if (!block)
            return;
        const bool gone = s_blocks.decommit(block);
        Locker locker(s_lock);
        s_blocks.putEmpty(block, gone);
    }

    static inline HugeBlocks<Policy, PageSize> s_blocks; // guarded by s_lock, but for its range
    static inline Lock s_lock;
    static inline bool s_survivesFork = false; // guarded by s_lock
};

using HugePages = BasicHugePages<HugePagesOnly>;

QPOOL_END_NAMESPACE

#endif // QPOOLHUGEPAGES_H
