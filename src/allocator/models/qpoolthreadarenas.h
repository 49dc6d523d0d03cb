// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLTHREADARENAS_H
#define QPOOLTHREADARENAS_H

#include "../core/qpoolregistry.h"
#include "../os/qpoolforkhandlers.h"
#include "../os/qpoolmutex.h"

#include <type_traits>

QPOOL_BEGIN_NAMESPACE

/*
    An arena a thread: what the MultiPool and MultiThreaded models share. A thread gets its
    arena with its first allocation, an orphan if there is one, and leaves it when it ends.

    A thread can outlive its arena: destructors of thread_local objects run before the exit
    hook, other libraries' pthread keys after it. What it allocates then comes from an arena
    that is adopted for that one call; so does what arming the hook allocates.

    A thread that is about to sleep parks its arena: it looks like one without an arena then, and
    the fast paths lead it to the slow ones, which take the arena back. Meanwhile others may take
    in what was freed for it, see Ownership.
*/
template <class Model, class Layout, class Source>
class ThreadArenas
{
public:
    using ArenaType = Arena<Layout>;
    using Registry = ArenaRegistry<Layout, Source>;
    static_assert(!std::is_same_v<typename Source::Lock, NoLock>,
                  "several threads need a source with a lock");
    static_assert(Source::HasHeap || sizeof(ArenaType) <= Source::PageSize,
                  "an arena of this layout does not fit a page of the source");

    // The calling thread's arena; one that is empty and owns nothing, if it has none. So the
    // fast paths need no test for null.
    QPOOL_ALWAYS_INLINE static ArenaType &current() noexcept { return *s_thread.arena; }

    // Whether a page is the calling thread's; then binOf() is its bin. Of a layout with one bin
    // its address tells both.
    QPOOL_ALWAYS_INLINE static bool owns(const PageHeader &page) noexcept
    {
        if constexpr (Layout::BinCount == 1)
            return page.bin == current().bins;
        else
            return page.owner == &current();
    }

    QPOOL_ALWAYS_INLINE static Bin &binOf(const PageHeader &page) noexcept
    {
        if constexpr (Layout::BinCount == 1)
            return *current().bins;
        else
            return *page.bin;
    }

    // One of the calling thread's own chunks of the bin \a index; false if it is not, or if there is
    // no room. The page only says whether it is: what the next allocation of the class waits for is
    // written to an address that is known before the page is found.
    QPOOL_ALWAYS_INLINE static bool tryDeallocate(const PageHeader &page, void *chunk,
                                                  unsigned index) noexcept
    {
        Bin &bin = current().bins[index];
        return QPOOL_LIKELY(page.bin == &bin) && QPOOL_LIKELY(bin.push(chunk));
    }

    static const PoolName &name() noexcept { return s_name; }
    static bool hasArena() noexcept { return s_thread.arena != &s_none; }
    static bool hasEnded() noexcept { return s_thread.phase == Ended; }

    // Takes the thread's arena back, if it is parked; returns whether it was.
    QPOOL_ALWAYS_INLINE static bool unpark() noexcept
    {
        ArenaType *arena = s_thread.parked;
        if (!arena)
            return false;
        if (QPOOL_UNLIKELY(!arena->ownership.tryUnpark()))
            awaitVisitor(*arena);
        s_thread.parked = nullptr;
        s_thread.arena = arena;
        s_thread.remoteCache = arena->parkedRemoteCache;
        return true;
    }

    // The slow path of allocation, whatever state the thread is in. Null when out of memory,
    // or while the pool is disabled.
    QPOOL_NEVER_INLINE static void *allocate(unsigned index) noexcept
    {
        // Most often there is a chunk at hand when a thread wakes.
        if (unpark()) {
            if (void *chunk = s_thread.arena->bins[index].pop())
                return chunk;
        }
        return allocateSlow(index);
    }

    // The slow path of freeing one of the calling thread's own chunks.
    QPOOL_NEVER_INLINE static void deallocateSlow(PageHeader &page, void *chunk) noexcept
    {
        SlowPath<Source>::deallocate(*page.owner, *page.bin, chunk);
    }

    // The calling thread's remote cache, or null.
    QPOOL_ALWAYS_INLINE static RemoteCache *remoteCache() noexcept { return s_thread.remoteCache; }

    // The same, made at its first use; null for a thread that has ended, or
    // when out of memory: frees go home one by one then. The thread's arena is not parked.
    static RemoteCache *acquireRemoteCache() noexcept
    {
        if (s_thread.remoteCache || !prepare() || !arm())
            return s_thread.remoteCache;
        Locker locker(s_registry.lock());
        s_thread.remoteCache = s_registry.acquireRemoteCache();
        return s_thread.remoteCache;
    }

    // Pushed to an arena whose thread ended, or sleeps?
    static void sent(ArenaBase &arena, std::size_t pending) noexcept
    {
        if (QPOOL_UNLIKELY(!arena.ownership.isOwned()))
            s_registry.pushedToUnowned(arena, pending);
    }

    // Whether the layout asked for no pool: then every allocation is refused.
    static bool isDisabled() noexcept { return !prepare(); }

    // One chunk to its arena's backlog, by a thread without a remote cache.
    QPOOL_NEVER_INLINE static void pushHome(PageHeader &page, void *pointer) noexcept
    {
        // The page must not be looked at after the push: its owner may have let go of it.
        ArenaBase &owner = *page.owner;
        const std::uint32_t size = page.chunkSize;
        auto *chunk = static_cast<FreeChunk *>(pointer);
        page.bin->backlog.push(chunk, chunk, 1);
        sent(owner, owner.noteBacklog(size));
    }

    static void flush() noexcept
    {
        if (RemoteCache *remoteCache = s_thread.remoteCache)
            remoteCache->flush(sent);
    }

    static void park() noexcept
    {
        flush();
        if (hasArena())
            parkArena();
    }

    static void idle() noexcept
    {
        unpark();
        flush();
        if (QPOOL_UNLIKELY(s_registry.hasDebtors()))
            s_registry.visitSomeDebtors();
        if (!hasArena())
            return;
        Trim<Source>::idle(*s_thread.arena);
        parkArena();
    }

    static void trim() noexcept
    {
        const bool wasParked = unpark();
        flush();
        if (hasArena()) {
            returnLender(*s_thread.arena);
            Trim<Source>::now(*s_thread.arena);
        }
        s_registry.visitAll();
        Source::trim();
        if (wasParked)
            parkArena();
    }

    template <class Visitor>
    static void forEachArena(Visitor &&visit)
    {
        for (const ArenaType *arena = s_registry.arenas(); arena; arena = arena->nextArena)
            visit(*arena);
    }

private:
    friend struct Inspection;
    using Handlers = ForkHandlers<ThreadArenas>;
    friend Handlers;

    enum Phase : unsigned char {
        Begun,
        Preparing, // the pool; what that allocates is refused, as if the pool were disabled
        Arming, // the hook; whatever is allocated for that is allocated as if it had ended
        Armed,
        Ended
    };

    struct Thread
    {
        ArenaType *arena;
        RemoteCache *remoteCache;
        ArenaType *parked; // null, or the thread's arena; arena and remote cache stand for none then
        Os::ThreadExitHook::Entry exit;
        Phase phase;
    };

    // False: the thread ends without the hook, and must own nothing. No lock is held: this may
    // allocate, and from here.
    static bool arm() noexcept
    {
        if (QPOOL_LIKELY(s_thread.phase == Armed))
            return true;
        if (s_thread.phase != Begun)
            return false;
        s_thread.phase = Arming;
        s_thread.exit.function = &threadEnded;
        const bool armed = Os::ThreadExitHook::arm(s_thread.exit);
        s_thread.phase = armed ? Armed : Begun;
        return armed;
    }

    QPOOL_NEVER_INLINE static void *allocateSlow(unsigned index) noexcept
    {
        if (QPOOL_UNLIKELY(!hasArena())) {
            if (s_disabled.load(std::memory_order_relaxed))
                return nullptr;
            if (!attach())
                return allocateLate(index);
        }
        ArenaType &arena = *s_thread.arena;
        Bin &bin = arena.bins[index];
        const bool wasRefused = SlowPath<Source>::isRefused(arena);
        const bool mayBorrow = Model::AnyThreadFrees
                && QPOOL_UNLIKELY(s_registry.hasRoom(index) || arena.lender);
        if (mayBorrow && SlowPath<Source>::isGrowing(arena, bin)) {
            if (void *chunk = borrow(arena, index))
                return chunk;
        }
        if (void *chunk = SlowPath<Source>::allocate(arena, bin, Layout::chunkSize(index),
                                                     mayBorrow)) {
            return chunk;
        }
        // Out of memory: orphans and sleepers may have some, and what others wait for may be with
        // us. The second time in a row those are looked at only if something was freed to orphans.
        flush();
        if (wasRefused && !s_registry.hasDebtors())
            return nullptr;
        s_registry.visitAll();
        return SlowPath<Source>::allocate(arena, bin, Layout::chunkSize(index));
    }

    QPOOL_NEVER_INLINE static bool attach() noexcept
    {
        if (!prepare() || !arm())
            return false;
        ArenaType *arena = acquire();
        if (!arena)
            return false;
        if (arena->thread.load(std::memory_order_relaxed) != 0) {
            arena->adoptions.store(arena->adoptions.load(std::memory_order_relaxed) + 1,
                                   std::memory_order_relaxed);
        }
        arena->thread.store(Os::threadId(), std::memory_order_relaxed);
        s_thread.arena = arena;
        return true;
    }

    // A visit is bounded, and soon over unless the system interrupts it: better to wait a little
    // than to leave what memory the orphan has to others, page by page.
    static ArenaType *acquire() noexcept
    {
        constexpr unsigned maxAttempts = 64;
        for (unsigned attempt = 0;; ++attempt) {
            {
                Locker locker(s_registry.lock());
                if (attempt == maxAttempts || !s_registry.isOnlyVisited())
                    return s_registry.acquire(s_name.text);
            }
            Os::pause(attempt);
        }
    }

    QPOOL_NEVER_INLINE static void *allocateLate(unsigned index) noexcept
    {
        if (!prepare())
            return nullptr;
        ArenaType *arena = nullptr;
        {
            Locker locker(s_registry.lock());
            arena = s_registry.acquire(s_name.text);
        }
        if (!arena)
            return nullptr;
        void *chunk = SlowPath<Source>::allocate(*arena, arena->bins[index],
                                                 Layout::chunkSize(index));
        // The magazines hold free chunks now, and what others freed was taken in, or is kept in
        // batches: whoever trims orphans next must look here.
        arena->noteBacklog(1);
        Locker locker(s_registry.lock());
        s_registry.release(arena);
        return chunk;
    }

    // A chunk of an orphan that has some, before the class takes another page. The orphan is the
    // thread's, beside its own arena, until it has no more, or the thread sleeps or ends: what is
    // freed of it goes its way home, to where the next is taken from. One at a time.
    QPOOL_NEVER_INLINE static void *borrow(ArenaType &arena, unsigned index) noexcept
    {
        ArenaType *lender = arena.lender;
        if (lender && !SlowPath<Source>::isUnused(lender->bins[index])) {
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

    static void returnLender(ArenaType &arena) noexcept
    {
        ArenaType *lender = arena.lender;
        if (QPOOL_LIKELY(!lender))
            return;
        arena.lender = nullptr;
        Trim<Source>::now(*lender);
        s_registry.giveBack(*lender);
    }

    // What the thread does next leads to unpark(), also if it frees its own: see parkedRemoteCache.
    static void parkArena() noexcept
    {
        ArenaType *arena = s_thread.arena;
        returnLender(*arena);
        arena->parkedRemoteCache = s_thread.remoteCache;
        s_thread.remoteCache = nullptr;
        s_thread.arena = &s_none;
        s_thread.parked = arena;
        arena->ownership.park();
    }

    QPOOL_NEVER_INLINE static void awaitVisitor(ArenaType &arena) noexcept
    {
        arena.ownership.setWanted(true);
        for (unsigned attempt = 0; !arena.ownership.tryUnpark(); ++attempt)
            Os::pause(attempt);
        arena.ownership.setWanted(false);
    }

    static void threadEnded() noexcept
    {
        unpark();
        RemoteCache *remoteCache = s_thread.remoteCache;
        if (remoteCache)
            remoteCache->flush(sent);
        ArenaType *arena = hasArena() ? s_thread.arena : nullptr;
        s_thread.arena = &s_none;
        s_thread.remoteCache = nullptr;
        s_thread.phase = Ended;
        if (arena) {
            returnLender(*arena);
            Trim<Source>::now(*arena);
        }
        Locker locker(s_registry.lock());
        if (arena)
            s_registry.release(arena);
        if (remoteCache)
            s_registry.releaseRemoteCache(remoteCache);
    }

    // Once. False if the pool is disabled.
    QPOOL_ALWAYS_INLINE static bool prepare() noexcept
    {
        if (QPOOL_UNLIKELY(!s_prepared.load(std::memory_order_acquire)))
            return prepareOnce();
        return !s_disabled.load(std::memory_order_relaxed);
    }

    // Registering handlers, and reading what the layout asks for, may allocate, and come here again.
    QPOOL_NEVER_INLINE static bool prepareOnce() noexcept
    {
        const Phase phase = s_thread.phase;
        if (phase == Preparing)
            return false;
        s_thread.phase = Preparing;
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

    // The thread that forks is the child's only one: nobody would end a visit to its arena there.
    static void beforeFork() noexcept
    {
        unpark();
        lockToFork(s_registry.lock());
    }

    static void registerForkHandlers() noexcept
    {
        Source::surviveFork();
        Os::aroundFork(&beforeFork, [] { unlockAfterFork(s_registry.lock()); });
    }

    static inline PoolName s_name { Model::Name };
    static inline ArenaType s_none;
    static inline Registry s_registry;
    static inline std::atomic<bool> s_prepared { false };
    // Set once and never cleared; read without the lock, so that a disabled pool costs nothing
    // but the way here.
    static inline std::atomic<bool> s_disabled { false };
    static inline QPOOL_THREAD_LOCAL Thread s_thread QPOOL_TLS_MODEL = { &s_none, nullptr, nullptr,
                                                                         { nullptr, nullptr },
                                                                         Begun };
};

QPOOL_END_NAMESPACE

#endif // QPOOLTHREADARENAS_H
