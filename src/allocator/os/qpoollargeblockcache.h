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
    Blocks above the largest size class, for all containers of the process. A freed block that is
    not small is kept for a while with its memory, within the limits of KeptBlocks. It goes back
    when more is freed, when a large block is allocated or freed a second later, by idle() and
    trim() of a QSizedPoolAllocator, and when the system has no memory for another.

    Hardened builds keep nothing, so that a use after free still faults. They report a block that is
    freed twice or with another size, or whose header was overwritten. If a tool watches the heap
    (see qpoolwatchers.h), and with QT_POOL_ALLOCATOR=0, all memory comes from the global operator
    new, without a header, and goes back there at once.

    Any thread may call any function, at any time. None throws. The child of a fork() may use it;
    what another thread was giving back is lost to the child.

    Invariants
    - s_kept is accessed with s_lock held, under which nothing is allocated, mapped or unmapped. A
      block that is not in it belongs to the thread that took it out, or to the container that has
      it.
    - s_keptBytes is written with the lock held. Relaxed: idle() reads it without the lock and
      returns if it is zero. It may miss a block that another thread puts in at that moment; that
      thread's own idle() gives it back.
    - s_used is the sum of the blocks of at least LeastBytes that are in use; each is added and
      subtracted once, by read-modify-writes. Relaxed: the limit derived from it need not be exact.
    - s_way is decided once, by the first thread that needs it: its compare-exchange fixes it.
      Relaxed, because no other data depends on it.
*/
class LargeBlockCache
{
public:
    // Smaller blocks come from operator new, and are not kept.
    static constexpr std::size_t LeastBytes = KeptBlocks::LeastBytes;
    static constexpr std::size_t MostAlignment = 4096; // the header takes as much

    LargeBlockCache() = delete;

    // Returns room for \a bytes, at least LeastBytes, with the requested alignment; null if there
    // is no memory. May have called the new-handler.
    [[nodiscard]] static void *allocate(std::size_t bytes, std::size_t alignment) noexcept;
    static void deallocate(void *memory, std::size_t bytes, std::size_t alignment) noexcept;

    // The same for blocks of any size, which are in a list of the caller's.
    [[nodiscard]] static LargeBlock *take(std::size_t bytes, std::size_t alignment) noexcept;
    static void give(LargeBlock *block) noexcept;
    // Gives the block back at once.
    static void discard(LargeBlock *block) noexcept;

    // In hardened builds: whether \a memory belonged to one of the blocks freed last, and to none
    // that was made since.
    static bool wasFreed(const void *memory) noexcept;

    // Gives back what is not needed soon.
    static void idle() noexcept
    {
        if (s_keptBytes.load(std::memory_order_relaxed) > 0)
            idleSlow();
    }

    // Gives back everything that is kept.
    static void trim() noexcept;

    // Whether freed blocks are kept at all.
    static bool keeps() noexcept;

    struct Statistics
    {
        std::size_t used; // in blocks of at least LeastBytes
        std::size_t kept;
    };
    static Statistics statistics() noexcept;

    // Not if it is disabled: see ForkHandlers.
    static bool needsForkHandlers() noexcept;

private:
    friend ForkHandlers<LargeBlockCache>;

    enum Way : int {
        Undecided,
        Disabled, // operator new
        Keeping,
        NotKeeping // with headers, which are checked
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

    // If a block freed twice may be unmapped, its header cannot be read.
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
