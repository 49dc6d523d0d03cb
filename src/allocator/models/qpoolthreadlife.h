// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLTHREADLIFE_H
#define QPOOLTHREADLIFE_H

#include "qpoolthreadarenas.h"

QPOOL_BEGIN_NAMESPACE

// For a thread in a pool with arenas for each thread: how it gets its arena and what it does without one,
// how it parks the arena and takes it back, how it ends and forks.

// Prepares the pool once. Returns false if the pool is disabled.
template <class Model, class Layout, class Source>
QPOOL_ALWAYS_INLINE bool ThreadArenas<Model, Layout, Source>::prepare() noexcept
{
    if (QPOOL_UNLIKELY(!s_prepared.load(std::memory_order_acquire)))
        return prepareOnce();
    return !s_disabled.load(std::memory_order_relaxed);
}

// Registering handlers and reading whether the layout is disabled may allocate, and come here
// again.
template <class Model, class Layout, class Source>
QPOOL_NEVER_INLINE bool ThreadArenas<Model, Layout, Source>::prepareOnce() noexcept
{
    const typename Thread::Phase phase = s_thread.phase;
    if (phase == Thread::Preparing)
        return false;
    s_thread.phase = Thread::Preparing;
    if (needsForkHandlers())
        Handlers::atLatest();
    {
        Locker locker(s_registry.lock());
        if (!s_prepared.load(std::memory_order_relaxed)) {
            s_disabled.store(Layout::isDisabled(), std::memory_order_relaxed);
            s_prepared.store(true, std::memory_order_release);
        }
    }
    s_thread.phase = phase;
    return !s_disabled.load(std::memory_order_relaxed);
}

// Returns false if the thread has no hook and must own nothing. Holds no lock, because this may
// allocate, and from this pool.
template <class Model, class Layout, class Source>
bool ThreadArenas<Model, Layout, Source>::arm() noexcept
{
    if (QPOOL_LIKELY(s_thread.phase == Thread::Armed))
        return true;
    if (s_thread.phase != Thread::Begun)
        return false;
    s_thread.phase = Thread::Arming;
    s_thread.exit.function = &threadEnded;
    const bool armed = Os::ThreadExitHook::arm(s_thread.exit);
    s_thread.phase = armed ? Thread::Armed : Thread::Begun;
    return armed;
}

// Gives the thread an arena. While each orphan has a visitor, tries again for a moment: a visit is
// bounded, and short unless the system interrupts it. Waiting a little is better than creating an arena
// and leaving the orphan's memory to be used page by page by others.
template <class Model, class Layout, class Source>
bool ThreadArenas<Model, Layout, Source>::attach(SlowPathGuard &own) noexcept
{
    constexpr unsigned maxAttempts = 64;
    ArenaType *arena = nullptr;
    for (unsigned attempt = 0;; ++attempt) {
        {
            Locker locker(s_registry.lock());
            if (attempt == maxAttempts || !s_registry.isOnlyVisited()) {
                arena = s_registry.acquire(s_name.text);
                break;
            }
        }
        Os::pause(Os::Spins + attempt);
    }
    if (!arena)
        return false;
    if (arena->thread.load(std::memory_order_relaxed) != 0) {
        arena->adoptions.store(arena->adoptions.load(std::memory_order_relaxed) + 1,
                               std::memory_order_relaxed);
    }
    arena->thread.store(Os::threadId(), std::memory_order_relaxed);
    if (RemoteCache *left = arena->remoteCache; QPOOL_UNLIKELY(left)) { // of a thread before a fork()
        left->flush(sent);
        Locker locker(s_registry.lock());
        s_registry.releaseRemoteCache(left);
    }
    arena->remoteCache = own.remoteCache;
    own.arena = arena;
    return true;
}

// Out of memory: orphans and parked arenas may have some, and this thread may hold back chunks that others
// wait for. After a refusal, those are searched only if shared arenas were used since: what is freed to orphans goes
// into their pages at once.
template <class Model, class Layout, class Source>
QPOOL_ALWAYS_INLINE void *
ThreadArenas<Model, Layout, Source>::allocateElsewhere(SlowPathGuard &own, unsigned index,
                                                       bool wasRefused) noexcept
{
    flush(own);
    if (wasRefused && !(Shared::Exist && s_shared.isInUse()))
        return nullptr;
    s_registry.visitAll();
    s_shared.trim();
    ArenaType &arena = *own.arena;
    return SlowPath<Source>::allocate(arena, arena.bins[index], Layout::chunkSize(index));
}

// Without an arena: from one that is adopted for this call.
template <class Model, class Layout, class Source>
void *ThreadArenas<Model, Layout, Source>::allocateLate(unsigned index) noexcept
{
    ArenaType *arena = nullptr;
    {
        Locker locker(s_registry.lock());
        arena = s_registry.acquire(s_name.text);
    }
    if (!arena)
        return nullptr;
    Bin &bin = arena->bins[index];
    void *chunk = nullptr;
    if (!Shared::serve(index) || s_shared.prepare(bin, index, s_registry, s_name.text))
        chunk = SlowPath<Source>::allocate(*arena, bin, Layout::chunkSize(index));
    // The magazines now hold free chunks, which release() puts back.
    arena->askForCheck();
    s_registry.release(arena);
    return chunk;
}

// Returns a chunk of an orphan that has some, before the class takes another page. The thread
// owns the orphan beside its own arena until the orphan has no more, or the thread sleeps or
// ends. Chunks of the orphan that are freed meanwhile go back to it, so they are allocated from
// there again. A thread borrows from one orphan at a time.
template <class Model, class Layout, class Source>
QPOOL_NEVER_INLINE void *ThreadArenas<Model, Layout, Source>::borrow(ArenaType &arena,
                                                                     unsigned index) noexcept
{
    ArenaType *lender = arena.lender;
    if (lender && !lender->bins[index].isUnused()) {
        if (void *chunk = SlowPath<Source>::allocateFromStock(*lender, lender->bins[index]))
            return chunk;
    }
    ArenaType *another = s_registry.borrow(index);
    if (!another)
        return nullptr;
    returnLender(arena);
    arena.lender = another;
    return SlowPath<Source>::allocateFromStock(*another, another->bins[index]);
}

template <class Model, class Layout, class Source>
void ThreadArenas<Model, Layout, Source>::returnLender(ArenaType &arena) noexcept
{
    ArenaType *lender = arena.lender;
    if (QPOOL_LIKELY(!lender))
        return;
    arena.lender = nullptr;
    Trim<Source>::now(*lender);
    s_registry.endBorrowing(*lender);
}

template <class Model, class Layout, class Source>
void ThreadArenas<Model, Layout, Source>::flush() noexcept
{
    SlowPathGuard own;
    if (own.isFirst())
        flush(own);
}

template <class Model, class Layout, class Source>
void ThreadArenas<Model, Layout, Source>::park() noexcept
{
    SlowPathGuard own;
    if (!own.isFirst())
        return;
    flush(own);
    Source::idle();
    if (own.hasArena())
        parkArena(own);
}

template <class Model, class Layout, class Source>
int ThreadArenas<Model, Layout, Source>::idle() noexcept
{
    SlowPathGuard own;
    if (!own.isFirst())
        return -1;
    unpark(own);
    flush(own);
    if (!own.hasArena()) {
        const int left = Source::idle();
        return Shared::Exist ? s_shared.idle(left) : left;
    }
    if constexpr (Source::HasSamples)
        SampledBins<Source>::follow(*own.arena);
    const std::uint32_t rested = own.arena->restedAt;
    int left = Trim<Source>::idle(*own.arena);
    if constexpr (Shared::Exist) {
        if (rested != own.arena->restedAt)
            left = s_shared.idle(left);
        else if (left < 0 && s_shared.isInUse())
            left = Source::untilOld(true);
    }
    parkArena(own);
    return left;
}

template <class Model, class Layout, class Source>
void ThreadArenas<Model, Layout, Source>::trim() noexcept
{
    SlowPathGuard own;
    if (!own.isFirst())
        return;
    const bool wasParked = unpark(own);
    flush(own);
    if (own.hasArena()) {
        returnLender(*own.arena);
        Trim<Source>::now(*own.arena);
        while (Trim<Source>::discardParts(*own.arena)) { }
    }
    s_registry.visitAll();
    s_shared.trim();
    s_registry.discardParts();
    s_shared.discardParts();
    Source::trim();
    if (wasParked)
        parkArena(own);
}

template <class Model, class Layout, class Source>
QPOOL_ALWAYS_INLINE void ThreadArenas<Model, Layout, Source>::flush(SlowPathGuard &own) noexcept
{
    if (RemoteCache *remoteCache = own.remoteCache)
        remoteCache->flush(sent);
}

// The thread's next operation leads to unpark(), even if it frees its own chunk: see
// ArenaBase::remoteCache.
template <class Model, class Layout, class Source>
QPOOL_ALWAYS_INLINE void ThreadArenas<Model, Layout, Source>::parkArena(SlowPathGuard &own) noexcept
{
    ArenaType *arena = own.arena;
    returnLender(*arena);
    own.remoteCache = nullptr;
    own.arena = &s_none;
    s_thread.parked = arena;
    arena->endSlowPath();
    arena->ownership.park();
}

// Takes the thread's arena back if it is parked; returns whether it was.
template <class Model, class Layout, class Source>
QPOOL_ALWAYS_INLINE bool ThreadArenas<Model, Layout, Source>::unpark() noexcept
{
    if (!s_thread.parked)
        return false;
    SlowPathGuard own;
    return own.isFirst() && unpark(own);
}

template <class Model, class Layout, class Source>
QPOOL_ALWAYS_INLINE bool ThreadArenas<Model, Layout, Source>::unpark(SlowPathGuard &own) noexcept
{
    ArenaType *arena = s_thread.parked;
    if (!arena)
        return false;
    if (QPOOL_UNLIKELY(!arena->ownership.tryUnpark()))
        awaitVisitor(*arena);
    arena->beginSlowPath();
    s_thread.parked = nullptr;
    own.arena = arena;
    own.remoteCache = arena->remoteCache;
    return true;
}

template <class Model, class Layout, class Source>
QPOOL_NEVER_INLINE void ThreadArenas<Model, Layout, Source>::awaitVisitor(ArenaType &arena) noexcept
{
    arena.ownership.setWanted(true);
    for (unsigned attempt = 0; !arena.ownership.tryUnpark(); ++attempt)
        Os::pause(attempt);
    arena.ownership.setWanted(false);
}

template <class Model, class Layout, class Source>
void ThreadArenas<Model, Layout, Source>::threadEnded() noexcept
{
    SlowPathGuard own;
    unpark(own);
    flush(own);
    RemoteCache *remoteCache = own.remoteCache;
    ArenaType *arena = own.hasArena() ? own.arena : nullptr;
    own.arena = &s_none;
    own.remoteCache = nullptr;
    s_thread.phase = Thread::Ended;
    if (arena) {
        arena->remoteCache = nullptr;
        returnLender(*arena);
        Trim<Source>::now(*arena);
        s_registry.release(arena);
    }
    if (remoteCache) {
        Locker locker(s_registry.lock());
        s_registry.releaseRemoteCache(remoteCache);
    }
    Source::giveBackDue();
}

// The forking thread is the only one in the child: no thread would end a visit to its arena
// there.
template <class Model, class Layout, class Source>
void ThreadArenas<Model, Layout, Source>::beforeFork() noexcept
{
    unpark();
    s_forks.begin();
    s_thread.awaited = s_forks.count();
    unsigned attempt = 0;
    for (ArenaType *arena = Os::isSingleThreaded() ? nullptr : s_registry.arenas(); arena; arena = arena->nextArena) {
        while (arena != s_thread.arena && s_registry.isLiving(*arena) && arena->changes.isOpen()
               && attempt < ForkAttempts)
            Os::pause(attempt++);
    }
    lockToFork(s_registry.lock());
    s_registry.beforeFork(Source::arenasSurviveFork() || Os::isSingleThreaded());
}

// A thread about to begin a slow path waits while another one is in fork(), which waits for the slow paths that
// have begun. So few arenas are lost for good in the child. Both wait for a moment only, and once for each fork():
// what a thread holds while it is in fork(), or comes here, is not known.
template <class Model, class Layout, class Source>
QPOOL_NEVER_INLINE void ThreadArenas<Model, Layout, Source>::SlowPathGuard::letFork() noexcept
{
    const std::uint32_t number = s_forks.count();
    if (!this->isFirst() || number % 2 == 0 || s_thread.awaited == number)
        return;
    s_thread.awaited = number;
    if (hasArena())
        this->arena->endSlowPath();
    for (unsigned attempt = 0; s_forks.count() == number && attempt < ForkAttempts; ++attempt)
        Os::pause(attempt);
    if (hasArena())
        this->arena->beginSlowPath();
}

template <class Model, class Layout, class Source>
void ThreadArenas<Model, Layout, Source>::inParent() noexcept
{
    s_forks.end();
    unlockAfterFork(s_registry.lock());
}

// A handler that forked during a slow path has a thread whose arena is not in sight: the child does
// without the arenas of the others.
template <class Model, class Layout, class Source>
void ThreadArenas<Model, Layout, Source>::inChild() noexcept
{
    s_forks.end();
    if (QPOOL_LIKELY(!s_thread.busy))
        s_registry.forked(hasArena() ? s_thread.arena : nullptr);
    s_shared.inChild(s_registry);
    unlockAfterFork(s_registry.lock());
}

template <class Model, class Layout, class Source>
void ThreadArenas<Model, Layout, Source>::registerForkHandlers() noexcept
{
    Source::surviveFork();
    Os::aroundFork(&beforeFork, &inParent, &inChild);
}

QPOOL_END_NAMESPACE

#endif // QPOOLTHREADLIFE_H
