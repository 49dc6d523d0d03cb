// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLALLOCATOR_H
#define QPOOLALLOCATOR_H

#ifndef QPOOL_FREESTANDING
#  include "../models/qpoolthreadarenas.h"
#endif
#include "../models/qpoolsharedpool.h"
#include "../models/qpoolsinglethreaded.h"
#include "../pages/qpoolstaticpages.h"
#ifndef QPOOL_FREESTANDING
#  include "../pages/qpoolsystempages.h"
#endif
#include "qpoolfront.h"

QPOOL_BEGIN_NAMESPACE

#ifndef QPOOL_FREESTANDING
using DefaultPages = SystemPages;
#else
// Freestanding programs have no default: name a source, and a model that needs no threads.
class DefaultPages;
struct MultiThreaded;
#endif

// One size class.
template <std::size_t ChunkSizeV>
struct FixedSize
{
    static constexpr unsigned BinCount = 1;
    static constexpr std::size_t chunkSize(unsigned) noexcept { return ChunkSizeV; }
    static bool isDisabled() noexcept { return false; }
};

/*!
    \class QPool::QPoolAllocator
    \brief A pool of chunks of one size.

    \a ChunkSize, in bytes, is rounded up to a multiple of sizeof(void *). Every chunk is aligned to
    the lowest set bit of that size, so any type of that size fits. \a Model is one of
    SingleThreaded, SharedPool, MultiPool and MultiThreaded and defines which threads may call.
    \a PageSource defines where pages come from: SystemPages, or StaticPages for a static buffer.

    All members are static: a pool is a type, constant-initialised and never torn down, so it may be
    used before main(), after it, and in destructors of static and thread-local objects. Pools with
    the same parameters are one pool; a StaticPages with another tag makes another pool.

    Calls take constant time, except those that fetch or release a page. None throws, and none is a
    cancellation point. All preserve errno, except an allocate() that returns null.

    Threads: the model defines which threads may allocate and free. Any thread may call
    sourceContains(), statistics() and forEachArena() at any time.

    Signals: a handler may call sourceContains() and nothing else, because it may have interrupted a
    call of the same thread that has changed half of the arena, or holds a lock. It may call fork() if
    the process never had another thread. The child may then allocate and free with MultiPool and
    MultiThreaded, which return null while the interrupted call is not finished.

    fork(): the child may allocate and free, whatever other threads were doing. Its new threads take
    over the arenas of those threads, but for arenas that a call was changing at that moment, all at
    level 2 of hardening, and all of a pool whose statistics are published: their free chunks, and those
    that the child frees there, are lost. With SharedPool nothing is. The pool registers handlers before main() that take and release the locks.
    vfork(), _Fork() and clone() do not run them, so after these a program must not allocate before
    exec(). The lock of a StaticPages has no such handler.

    The pages follow Bonwick's slab allocator (USENIX 1994); the magazines follow Bonwick and Adams
    (USENIX 2001).
*/
template <std::size_t ChunkSize, class Model = MultiThreaded, class PageSource = DefaultPages>
class QPoolAllocator
{
    static constexpr std::size_t Word = sizeof(void *);
    static_assert(ChunkSize <= PageSource::PageSize, "a chunk must fit a page of its source");
    static constexpr std::size_t Rounded = (ChunkSize < Word ? Word : ChunkSize + Word - 1)
            / Word * Word;
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
        Frees \a chunk, which allocate() returned; null is ignored. The model defines which threads
        may free it. A hardened build reports a pointer that is not from this pool, not the start of
        a chunk, or already free, on stderr, and aborts; in other builds, such a pointer is
        undefined behaviour. SECURITY.md lists what else hardened builds find.
    */
    QPOOL_ALWAYS_INLINE static void deallocate(void *chunk) noexcept
    {
        Front::deallocate(chunk);
    }

    /*!
        Returns whether \a pointer points into the pages of the page source. Pools share a source, so
        the chunk may be another pool's. Any thread may call it, with any pointer.
    */
    static bool sourceContains(const void *pointer) noexcept { return Front::sourceContains(pointer); }

    /*!
        Sends the chunks that the calling thread freed for other threads to their arenas. This
        happens automatically after at most 64 chunks or 4096 bytes for one class of one arena, and at
        thread end. Only MultiThreaded holds chunks back.
    */
    static void flush() noexcept { Front::flush(); }

    /*!
        Flushes, takes in what other threads freed for the calling thread, and gives old memory back to the system:
        pages that were free for at least 200 ms, at most 512 KiB. Ends by parking the arena, as park() does. Call it
        before the thread sleeps. Returns for how long the thread may sleep until it should call again: in
        milliseconds; 0 if more is old, so that it should look for work, and call again; -1 if nothing is left to give
        back. Cheap when there is nothing to do.
    */
    static int idle() noexcept { return Front::idle(); }

    /*!
        Flushes, and lets other threads take in what is freed for the calling thread until it uses
        the pool again. For a thread that may block for long without calling idle(), which includes
        this. Costs the thread's next operation one compare-exchange.
    */
    static void park() noexcept { Front::park(); }

    /*!
        Gives all free memory of the calling thread back to the system, and that of arenas without a
        thread or whose thread sleeps.
    */
    static void trim() noexcept { Front::trim(); }

    /*!
        Returns the pool's statistics, in chunks since the start. Any thread may call it; the numbers
        are exact while no other thread allocates or frees.
    */
    static BinStatistics statistics() noexcept { return Front::statistics(0); }

    template <class Visitor>
    static void forEachArena(Visitor &&visit) { Front::forEachArena(visit); }
};

QPOOL_END_NAMESPACE

#endif // QPOOLALLOCATOR_H
