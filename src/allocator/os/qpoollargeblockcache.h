// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLLARGEBLOCKCACHE_H
#define QPOOLLARGEBLOCKCACHE_H

#include "qpoolforkhandlers.h"
#include "qpoolkeptblocks.h"
#include "qpoolmutex.h"

#include <atomic>

QPOOL_BEGIN_NAMESPACE

/*
    Blocks above the largest size class, for all containers of the process. What is freed is kept for a
    while, with its memory, if it is not small: no more than KeptBlocks says, and so long as it says.
    It goes back when more is freed, when a large block is allocated or freed a second later, by idle()
    and by trim() of a QSizedPoolAllocator, and when the system has no memory for another.

    Hardened builds keep nothing, so that what uses a block after it was freed ends as before; they name
    a block that is freed twice, or with another size, or in front of which somebody wrote. Where a tool
    watches the heap (see qpoolwatchers.h), and with QT_POOL_ALLOCATOR=0, all comes from the global
    operator new, without a header, and goes back there at once.

    Any thread may call any function, at any time. None throws. After a fork() the child uses it; what
    another thread was just giving back is lost to the child.

    Invariants
    - s_kept is touched with s_lock held, under which nothing is allocated, mapped or unmapped. A block
      that is not in it belongs to the thread that took it out, or to the container that has it.
    - s_keptBytes is written with the lock held. Relaxed: idle() without the lock takes zero for an
      answer, and may miss what another thread puts in at that moment, for whose own idle() it is.
    - s_used is the sum of the blocks of at least LeastBytes that are in use; each is added and
      subtracted once, by read-modify-writes. Relaxed: the limit that follows from it is no exact one.
    - s_way is decided once, by the first thread that asks: its compare-exchange fixes it. Relaxed, for
      nothing else is known by it.
*/
class LargeBlockCache
{
public:
    // Smaller blocks are operator new's, and none of them is kept.
    static constexpr std::size_t LeastBytes = KeptBlocks::LeastBytes;
    static constexpr std::size_t MostAlignment = 4096; // as much stands in front of a block

    LargeBlockCache() = delete;

    // Room for \a bytes, which are at least LeastBytes, aligned as asked for; null if there is no
    // memory. The new-handler may have been called.
    [[nodiscard]] static void *allocate(std::size_t bytes, std::size_t alignment) noexcept;
    static void deallocate(void *memory, std::size_t bytes, std::size_t alignment) noexcept;

    // The same of blocks of any size that are in a list of the caller's.
    [[nodiscard]] static LargeBlock *take(std::size_t bytes, std::size_t alignment) noexcept;
    static void give(LargeBlock *block) noexcept;
    // Goes back at once.
    static void discard(LargeBlock *block) noexcept;

    // In hardened builds: whether that is the memory of one of the last blocks that were freed, and of
    // none that was made since.
    static bool wasFreed(const void *memory) noexcept;

    // Gives back what nobody needs so soon.
    static void idle() noexcept
    {
        if (s_keptBytes.load(std::memory_order_relaxed) > 0)
            idleSlow();
    }

    // Gives back all that is kept.
    static void trim() noexcept;

    // Whether what is freed is kept at all.
    static bool keeps() noexcept;

    struct Statistics
    {
        std::size_t used; // in blocks of at least LeastBytes
        std::size_t kept;
    };
    static Statistics statistics() noexcept;

private:
    friend ForkHandlers<LargeBlockCache>;

    enum Way : int {
        Undecided,
        Disabled, // operator new
        Keeping,
        NotKeeping // with headers, which are looked at
    };

    static Way way() noexcept
    {
        const int known = s_way.load(std::memory_order_relaxed);
        return QPOOL_LIKELY(known != Undecided) ? Way(known) : decide();
    }
    static Way decide() noexcept;
    static LargeBlock *takeKept(std::size_t bytes, std::size_t alignment) noexcept;
    static void idleSlow() noexcept;
    static void destroyAll(LargeBlock *list) noexcept;
    static void noteKept() noexcept;
    static std::size_t end(LargeBlock *block) noexcept;
    static void begin(LargeBlock *block, std::size_t bytes) noexcept;
    static void registerForkHandlers() noexcept;

    // Where a block that is freed twice may be unmapped, what stands in front of it tells nothing.
    struct RecentFrees
    {
        static constexpr unsigned Count = 64;
        const void *memory[Count];
        unsigned next;
    };

    static inline KeptBlocks s_kept;
    static inline RecentFrees s_freed {}; // in hardened builds, with the lock held
    static inline Mutex s_lock;
    static inline std::atomic<std::size_t> s_keptBytes { 0 };
    static inline std::atomic<std::size_t> s_used { 0 };
    static inline std::atomic<int> s_way { Undecided };
};

QPOOL_END_NAMESPACE

#endif // QPOOLLARGEBLOCKCACHE_H
