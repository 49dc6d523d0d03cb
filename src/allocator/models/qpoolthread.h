// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLTHREAD_H
#define QPOOLTHREAD_H

#include "../core/qpoolremotecache.h"
#include "../os/qpoolos.h"

QPOOL_BEGIN_NAMESPACE

// What a thread has of a pool with arenas for each thread: the pool's thread-local variable.
template <class ArenaType>
struct PoolThread
{
    enum Phase : unsigned char {
        Begun,
        Preparing, // the pool; what it allocates is refused, as if the pool were disabled
        Arming, // the hook; what it allocates is served as after the thread's end
        Armed,
        Ended
    };

    ArenaType *arena; // never null: without one, an empty one
    RemoteCache *remoteCache;
    ArenaType *parked; // null, or the thread's arena; arena and remoteCache are empty then
    Os::ThreadExitHook::Entry exit;
    Phase phase;
    bool busy; // in a slow path, see Guard
    std::uint32_t awaited; // the last fork() that it need not wait for, see ThreadArenas::beforeFork()

    class Guard;
};

/*
    Holds what the thread owns during a slow path, which uses it from here, and may change it.

    Invariant: while anything of the thread's arena and remote cache is half done, or the thread
    holds a lock of the pool, busy is set and the variable names neither of the two. They are
    hidden after busy is set, and shown before it is cleared. This is for signal handlers in the
    same thread, so the fences need only keep the compiler from changing the order; no other thread
    looks at the variable. The arena's `changes` say the same to the child of another thread's fork():
    see ArenaRegistry::forked().

    Within a slow path of the same thread, a guard holds nothing, and is not the first.
*/
template <class ArenaType>
class PoolThread<ArenaType>::Guard
{
public:
    QPOOL_ALWAYS_INLINE Guard(PoolThread &thread, ArenaType &none) noexcept
        : arena(&none), m_thread(thread), m_isFirst(!thread.busy)
    {
        if (QPOOL_UNLIKELY(!m_isFirst))
            return;
        thread.busy = true;
        std::atomic_signal_fence(std::memory_order_seq_cst);
        arena = thread.arena;
        remoteCache = thread.remoteCache;
        thread.arena = &none;
        thread.remoteCache = nullptr;
        if (QPOOL_LIKELY(arena != &none))
            arena->beginSlowPath();
        std::atomic_signal_fence(std::memory_order_seq_cst);
    }
    QPOOL_ALWAYS_INLINE ~Guard()
    {
        if (QPOOL_UNLIKELY(!m_isFirst))
            return;
        std::atomic_signal_fence(std::memory_order_seq_cst);
        if (QPOOL_LIKELY(arena != m_thread.arena)) // which is the empty one
            arena->endSlowPath();
        m_thread.arena = arena;
        m_thread.remoteCache = remoteCache;
        std::atomic_signal_fence(std::memory_order_seq_cst);
        m_thread.busy = false;
    }
    Guard(const Guard &) = delete;
    Guard &operator=(const Guard &) = delete;

    bool isFirst() const noexcept { return m_isFirst; }

    ArenaType *arena;
    RemoteCache *remoteCache = nullptr;

private:
    PoolThread &m_thread;
    const bool m_isFirst;
};

QPOOL_END_NAMESPACE

#endif // QPOOLTHREAD_H
