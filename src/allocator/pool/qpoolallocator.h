// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLALLOCATOR_H
#define QPOOLALLOCATOR_H

#ifndef QPOOL_FREESTANDING
#  include "../models/qpoolmultipool.h"
#  include "../models/qpoolmultithreaded.h"
#endif
#include "../models/qpoolsharedpool.h"
#include "../models/qpoolsinglethreaded.h"
#include "../os/qpoolstaticpages.h"
#ifndef QPOOL_FREESTANDING
#  include "../os/qpoolsystempages.h"
#endif
#include "qpoolfront.h"

QPOOL_BEGIN_NAMESPACE

#ifndef QPOOL_FREESTANDING
using DefaultPages = SystemPages;
#else
// There are none: name a source, and a model that needs no threads.
class DefaultPages;
struct MultiThreaded;
#endif

// One size class.
template <std::size_t ChunkSizeV>
struct FixedSize
{
    static constexpr unsigned BinCount = 1;
    static constexpr std::size_t chunkSize(unsigned) noexcept { return ChunkSizeV; }
    static bool standsAside() noexcept { return false; }
};

/*!
    \class QPool::QPoolAllocator
    \brief A pool of chunks of one size.

    \a ChunkSize, in bytes, is rounded up to a multiple of sizeof(void *); its lowest set bit is
    the alignment of every chunk, so any type fits whose size it is. \a Model is one of
    SingleThreaded, SharedPool, MultiPool and MultiThreaded and says which threads may call.
    \a PageSource says where pages come from: SystemPages, or StaticPages for a static buffer.

    All members are static: a pool is a type, constant-initialised and never torn down, so it
    may be used before main(), after it, and in destructors of static and thread-local objects.
    Pools of the same parameters are one pool; a StaticPages with a tag of its own makes another.

    Calls take constant time but for those that fetch a page or give one back. None throws, and
    none is a cancellation point. errno is kept by all of them, but by an allocate() that returns null.

    Threads: which may allocate and free, the model says. owns(), statistics() and forEachArena() may
    be called by any, at any time.

    Signals: a handler may call owns() and nothing else. It may have interrupted a call of its own
    thread, which leaves its arena half changed or holds a lock.

    fork(): the child goes on with what the forking thread had, and may allocate and free, whatever
    other threads were doing. What those held free is lost to it, and so is what it frees of their
    chunks (of SharedPool's nothing). Handlers registered by the pool before main() see to the locks,
    so vfork(), _Fork() and clone() are for programs that allocate nothing before exec(); a lock of
    StaticPages is not seen to.

    The pages follow Bonwick's slab allocator (USENIX 1994), the magazines in front of them
    Bonwick and Adams (USENIX 2001).
*/
template <std::size_t ChunkSize, class Model = MultiThreaded, class PageSource = DefaultPages>
class QPoolAllocator
{
    static constexpr std::size_t Word = sizeof(void *);
    static constexpr std::size_t Rounded = (ChunkSize < Word ? Word : ChunkSize + Word - 1)
            / Word * Word;
    static_assert(Rounded <= PageSource::PageSize, "a chunk must fit a page of its source");
    using Front = PoolFront<FixedSize<Rounded>, Model, PageSource>;

public:
    static constexpr std::size_t chunkSize = Rounded;
    static constexpr std::size_t alignment = (Rounded & (~Rounded + 1)) < PageSource::PageSize
            ? (Rounded & (~Rounded + 1)) : PageSource::PageSize;

    QPoolAllocator() = delete;

    /*!
        Returns a chunk of chunkSize bytes, uninitialised and aligned to \c alignment, or null
        when the page source is exhausted.
    */
    [[nodiscard]] QPOOL_ALWAYS_INLINE static void *allocate() noexcept
    {
        return Front::allocate(0);
    }

    /*!
        Takes back \a chunk, which allocate() returned, or null. By which thread it may be
        freed, the model says. A pointer that is not from this pool, or not the start of a
        chunk, or is free already, is named on stderr by hardened builds, which then abort; in
        others it is undefined behaviour. SECURITY.md says what else they find.
    */
    QPOOL_ALWAYS_INLINE static void deallocate(void *chunk) noexcept
    {
        Front::deallocate(chunk);
    }

    /*!
        Returns whether \a pointer points into the pages of the page source. Any thread may
        ask, about any pointer.
    */
    static bool owns(const void *pointer) noexcept { return Front::owns(pointer); }

    /*!
        Sends the calling thread's pending frees of other threads' chunks home. Happens by
        itself after 64 chunks or 4096 bytes for one class of one arena, and at thread end.
        Only MultiThreaded holds any back.
    */
    static void flush() noexcept { Front::flush(); }

    /*!
        Like flush(), takes in what other threads freed for the calling one, and gives pages
        back to the system when many came free, or when much is held of what nobody uses any
        more; meant for the moment before a thread sleeps. Cheap when there is nothing to do.
        Ends as park() does.
    */
    static void idle() noexcept { Front::idle(); }

    /*!
        Lets other threads take in what is freed for the calling one until it uses the pool
        again, and sends its own pending frees home: for a thread that may block for long without
        idle(), which does this, too. Takes the thread's next operation a compare-exchange.
    */
    static void park() noexcept { Front::park(); }

    /*!
        Gives all memory that the calling thread, or no thread at all, has free back to the
        system.
    */
    static void trim() noexcept { Front::trim(); }

    /*!
        Returns the pool's figures, in chunks since the start. Any thread may ask; they are
        exact when no other is allocating or freeing.
    */
    static BinStatistics statistics() noexcept { return Front::statistics(0); }

    template <class Visitor>
    static void forEachArena(Visitor &&visit) { Front::forEachArena(visit); }
};

QPOOL_END_NAMESPACE

#endif // QPOOLALLOCATOR_H
