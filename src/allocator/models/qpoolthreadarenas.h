// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLTHREADARENAS_H
#define QPOOLTHREADARENAS_H

#include "../core/qpoolregistry.h"
#include "../os/qpoolforkhandlers.h"
#include "../os/qpoolmutex.h"

QPOOL_BEGIN_NAMESPACE

/*
    One arena per thread: what the models MultiPool and MultiThreaded share. A thread gets its arena
    with its first allocation, an orphan if there is one, and gives it up when it ends.

    A thread can outlive its arena: destructors of thread_local objects run before the exit hook,
    other libraries' pthread keys after it. Its later allocations then come from an arena that is
    adopted for that one call; so do allocations made while the hook is armed.

    A thread that is about to sleep parks its arena. It then looks like a thread without an arena,
    so the fast paths fail and the slow paths take the arena back. Meanwhile other threads may take
    in what was freed to the arena, see Ownership.
*/
template <class Model, class Layout, class Source>
class ThreadArenas
{
public:
    using ArenaType = Arena<Layout>;
    using Registry = ArenaRegistry<Layout, Source>;
    static_assert(Source::HasHeap || sizeof(ArenaType) <= Source::PageSize,
                  "an arena of this layout does not fit a page of the source");

    // The calling thread's arena, or, if it has none, an empty arena that owns nothing, so that the
    // fast paths need no test for null.
    QPOOL_ALWAYS_INLINE static ArenaType &current() noexcept { return *s_thread.arena; }

    // Whether a page belongs to the calling thread; binOf() is its bin then. In a layout with one
    // bin, the address of the bin decides both.
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

    // Frees a chunk of bin \a index if the calling thread owns it and the magazine has room;
    // returns whether it did. The page serves only for the test. The write that the next allocation
    // of the class depends on goes to an address that is known before the page is found.
    QPOOL_ALWAYS_INLINE static bool tryDeallocate(const PageHeader &page, void *chunk,
                                                  unsigned index) noexcept
    {
        Bin &bin = current().bins[index];
        return QPOOL_LIKELY(page.bin == &bin) && QPOOL_LIKELY(bin.push(chunk));
    }

    static const PoolName &name() noexcept { return s_name; }
    static bool hasArena() noexcept { return s_thread.arena != &s_none; }
    static bool hasEnded() noexcept { return s_thread.phase == Ended; }

    // Takes the thread's arena back if it is parked; returns whether it was.
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

    // The slow path of allocation, for a thread in any state. Returns null when out of memory, or
    // while the pool is disabled.
    QPOOL_NEVER_INLINE static void *allocate(unsigned index) noexcept
    {
        // When a thread wakes, its magazine usually has a chunk.
        if (unpark()) {
            if (void *chunk = s_thread.arena->bins[index].pop())
                return chunk;
        }
        return allocateSlow(index);
    }

    // The slow path of freeing a chunk of the calling thread.
    QPOOL_NEVER_INLINE static void deallocateSlow(PageHeader &page, void *chunk) noexcept
    {
        SlowPath<Source>::deallocate(*page.owner, *page.bin, chunk);
    }

    // The calling thread's remote cache, or null.
    QPOOL_ALWAYS_INLINE static RemoteCache *remoteCache() noexcept { return s_thread.remoteCache; }

    // Returns the calling thread's remote cache, and creates it at the first use. Returns null for
    // a thread that has ended, or when out of memory; its chunks are then pushed one by one. The
    // thread's arena must not be parked.
    static RemoteCache *acquireRemoteCache() noexcept
    {
        if (s_thread.remoteCache || !prepare() || !arm())
            return s_thread.remoteCache;
        Locker locker(s_registry.lock());
        s_thread.remoteCache = s_registry.acquireRemoteCache();
        return s_thread.remoteCache;
    }

    // Called after a push; the arena's thread may have ended, or may sleep.
    static void sent(ArenaBase &arena, std::size_t pending) noexcept
    {
        if (QPOOL_UNLIKELY(!arena.ownership.isOwned()))
            s_registry.pushedToUnowned(arena, pending);
    }

    // Whether the layout disables the pool; every allocation is refused then.
    static bool isDisabled() noexcept { return !prepare(); }

    // Pushes one chunk to its arena's backlog, for a thread without a remote cache.
    QPOOL_NEVER_INLINE static void pushHome(PageHeader &page, void *pointer) noexcept
    {
        // The page must not be accessed after the push: its owner may have released it.
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
        Source::releaseWaiting();
        if (hasArena())
            parkArena();
    }

    static void idle() noexcept
    {
        unpark();
        flush();
        if (QPOOL_UNLIKELY(s_registry.hasDebtors()))
            s_registry.visitSomeDebtors();
        if (!hasArena()) {
            Source::releaseWaiting();
            return;
        }
        Trim<Source>::idle(*s_thread.arena);
        parkArena();
    }

    static void trim() noexcept
    {
        const bool wasParked = unpark();
        flush();
        Source::trim([] {
            if (hasArena()) {
                returnLender(*s_thread.arena);
                Trim<Source>::now(*s_thread.arena);
            }
            s_registry.visitAll();
        });
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
        Preparing, // the pool; what it allocates is refused, as if the pool were disabled
        Arming, // the hook; what it allocates is served as after the thread's end
        Armed,
        Ended
    };

    struct Thread
    {
        ArenaType *arena;
        RemoteCache *remoteCache;
        ArenaType *parked; // null, or the thread's arena; arena and remoteCache are empty then
        Os::ThreadExitHook::Entry exit;
        Phase phase;
    };

    // Returns false if the thread has no hook and must own nothing. Holds no lock, because this may
    // allocate, and from this pool.
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
        // Out of memory: orphans and parked arenas may have some, and this thread may hold back
        // chunks that others wait for. After a refusal, those are searched only if something was
        // freed to orphans.
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

    // A visit is bounded, and short unless the system interrupts it. Waiting a little is better
    // than creating an arena and leaving the orphan's memory to be used page by page by others.
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
        // The magazines now hold free chunks, and what other threads freed was taken in or is kept
        // in batches: the next thread that trims orphans must look here.
        arena->noteBacklog(1);
        Locker locker(s_registry.lock());
        s_registry.release(arena);
        return chunk;
    }

    // Returns a chunk of an orphan that has some, before the class takes another page. The thread
    // owns the orphan beside its own arena until the orphan has no more, or the thread sleeps or
    // ends. Chunks of the orphan that are freed meanwhile go back to it, so they are allocated from
    // there again. A thread borrows from one orphan at a time.
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

    // The thread's next operation leads to unpark(), even if it frees its own chunk: see
    // parkedRemoteCache.
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
        Source::releaseWaiting();
        Locker locker(s_registry.lock());
        if (arena)
            s_registry.release(arena);
        if (remoteCache)
            s_registry.releaseRemoteCache(remoteCache);
    }

    // Prepares the pool once. Returns false if the pool is disabled.
    QPOOL_ALWAYS_INLINE static bool prepare() noexcept
    {
        if (QPOOL_UNLIKELY(!s_prepared.load(std::memory_order_acquire)))
            return prepareOnce();
        return !s_disabled.load(std::memory_order_relaxed);
    }

    // Registering handlers and reading whether the layout is disabled may allocate, and come here
    // again.
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

    // The forking thread is the only one in the child: no thread would end a visit to its arena
    // there.
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
    // Set once and never cleared; read without the lock, so that a disabled pool costs no more than
    // the slow path to this test.
    static inline std::atomic<bool> s_disabled { false };
    static inline QPOOL_THREAD_LOCAL Thread s_thread QPOOL_TLS_MODEL = { &s_none, nullptr, nullptr,
                                                                         { nullptr, nullptr },
                                                                         Begun };
};

QPOOL_END_NAMESPACE

#endif // QPOOLTHREADARENAS_H
