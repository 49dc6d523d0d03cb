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

    A signal handler may interrupt a slow path and fork, and its child may allocate before it calls
    exec(). So a thread in a slow path looks like a thread without an arena, too, see SlowPathGuard:
    what the handler or the child allocates is refused, what they free goes to the arena's backlog,
    and no lock is taken.
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
        if (!s_thread.parked)
            return false;
        SlowPathGuard own;
        return own.isFirst() && unpark(own);
    }

    // The slow path of allocation, for a thread in any state. Returns null when out of memory, or
    // while the pool is disabled.
    QPOOL_NEVER_INLINE static void *allocate(unsigned index) noexcept
    {
        {
            SlowPathGuard own;
            if (QPOOL_UNLIKELY(!own.isFirst()))
                return nullptr;
            // When a thread wakes, its magazine usually has a chunk.
            if (unpark(own)) {
                if (void *chunk = own.arena->bins[index].pop())
                    return chunk;
            }
            if (QPOOL_LIKELY(own.hasArena()))
                return allocateSlow(own, index);
        }
        return allocateFirst(index);
    }

    // The slow path of freeing a chunk of the calling thread.
    QPOOL_NEVER_INLINE static void deallocateSlow(PageHeader &page, void *chunk) noexcept
    {
        SlowPathGuard own;
        SlowPath<Source>::deallocate(*page.owner, *page.bin, chunk);
    }

    // The calling thread's remote cache, or null.
    QPOOL_ALWAYS_INLINE static RemoteCache *remoteCache() noexcept { return s_thread.remoteCache; }

    // Frees a chunk that the remote cache's fast path did not take. The first time, this creates the
    // remote cache; there is none for a thread that has ended, or when out of memory. The thread's
    // arena must not be parked.
    static void deallocateRemote(PageHeader &page, FreeChunk *chunk) noexcept
    {
        const bool mayCreate = s_thread.remoteCache || (!s_thread.busy && prepare() && arm());
        SlowPathGuard own;
        if (QPOOL_LIKELY(own.isFirst())) {
            if (QPOOL_UNLIKELY(!own.remoteCache) && mayCreate) {
                Locker locker(s_registry.lock());
                own.remoteCache = s_registry.acquireRemoteCache();
            }
            if (RemoteCache *remoteCache = own.remoteCache) {
                remoteCache->template put<Source>(page.owner, page.bin, chunk, page.chunkSize, sent);
                return;
            }
        }
        pushHome(page, chunk, own);
    }

    static bool needsForkHandlers() noexcept { return QPool::needsForkHandlers<Layout>(0); }

    // Whether the layout disables the pool; every allocation is refused then.
    static bool isDisabled() noexcept { return !prepare(); }

    // Pushes one chunk to its arena's backlog, for a thread without a remote cache.
    static void pushHome(PageHeader &page, void *chunk) noexcept
    {
        SlowPathGuard own;
        pushHome(page, chunk, own);
    }

    static void flush() noexcept
    {
        SlowPathGuard own;
        if (own.isFirst())
            flush(own);
    }

    static void park() noexcept
    {
        SlowPathGuard own;
        if (!own.isFirst())
            return;
        flush(own);
        Source::releaseWaiting();
        if (own.hasArena())
            parkArena(own);
    }

    static void idle() noexcept
    {
        SlowPathGuard own;
        if (!own.isFirst())
            return;
        unpark(own);
        flush(own);
        if (QPOOL_UNLIKELY(s_registry.hasDebtors()))
            s_registry.visitSomeDebtors();
        if (!own.hasArena()) {
            Source::releaseWaiting();
            return;
        }
        Trim<Source>::idle(*own.arena);
        parkArena(own);
    }

    static void trim() noexcept
    {
        SlowPathGuard own;
        if (!own.isFirst())
            return;
        const bool wasParked = unpark(own);
        flush(own);
        Source::trim([&own] {
            if (own.hasArena()) {
                returnLender(*own.arena);
                Trim<Source>::now(*own.arena);
            }
            s_registry.visitAll();
        });
        if (wasParked)
            parkArena(own);
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
        bool busy; // in a slow path, see SlowPathGuard
    };

    /*
        Holds what the thread owns during a slow path, which uses it from here, and may change it.

        Invariant: while anything of the thread's arena and remote cache is half done, or the thread
        holds a lock of the pool, s_thread.busy is set and s_thread names neither of the two. They are
        hidden after busy is set, and shown before it is cleared. This is for signal handlers in the
        same thread, so the fences need only keep the compiler from changing the order; no other thread
        looks at s_thread.

        Within a slow path of the same thread, a guard holds nothing, and is not the first.
    */
    class SlowPathGuard
    {
    public:
        QPOOL_ALWAYS_INLINE SlowPathGuard() noexcept
            : m_isFirst(!s_thread.busy)
        {
            if (QPOOL_UNLIKELY(!m_isFirst))
                return;
            s_thread.busy = true;
            std::atomic_signal_fence(std::memory_order_seq_cst);
            arena = s_thread.arena;
            remoteCache = s_thread.remoteCache;
            s_thread.arena = &s_none;
            s_thread.remoteCache = nullptr;
            std::atomic_signal_fence(std::memory_order_seq_cst);
        }
        QPOOL_ALWAYS_INLINE ~SlowPathGuard()
        {
            if (QPOOL_UNLIKELY(!m_isFirst))
                return;
            std::atomic_signal_fence(std::memory_order_seq_cst);
            s_thread.arena = arena;
            s_thread.remoteCache = remoteCache;
            std::atomic_signal_fence(std::memory_order_seq_cst);
            s_thread.busy = false;
        }
        SlowPathGuard(const SlowPathGuard &) = delete;
        SlowPathGuard &operator=(const SlowPathGuard &) = delete;

        bool isFirst() const noexcept { return m_isFirst; }
        bool hasArena() const noexcept { return arena != &s_none; }

        ArenaType *arena = &s_none;
        RemoteCache *remoteCache = nullptr;

    private:
        const bool m_isFirst;
    };

    // Called after a push; the arena's thread may have ended, or may sleep.
    static void sent(ArenaBase &arena, std::size_t pending) noexcept
    {
        if (QPOOL_UNLIKELY(!arena.ownership.isOwned()))
            s_registry.pushedToUnowned(arena, pending);
    }

    QPOOL_NEVER_INLINE static void pushHome(PageHeader &page, void *pointer,
                                            const SlowPathGuard &own) noexcept
    {
        // The page must not be accessed after the push: its owner may have released it.
        ArenaBase &owner = *page.owner;
        const std::uint32_t size = page.chunkSize;
        auto *chunk = static_cast<FreeChunk *>(pointer);
        page.bin->backlog.push(chunk, chunk, 1);
        const std::size_t pending = owner.noteBacklog(size);
        // A handler takes no lock. If the arena is an orphan, its next chunk queues it.
        if (QPOOL_LIKELY(own.isFirst()))
            sent(owner, pending);
    }

    QPOOL_ALWAYS_INLINE static void flush(SlowPathGuard &own) noexcept
    {
        if (RemoteCache *remoteCache = own.remoteCache)
            remoteCache->flush(sent);
    }

    QPOOL_ALWAYS_INLINE static bool unpark(SlowPathGuard &own) noexcept
    {
        ArenaType *arena = s_thread.parked;
        if (!arena)
            return false;
        if (QPOOL_UNLIKELY(!arena->ownership.tryUnpark()))
            awaitVisitor(*arena);
        s_thread.parked = nullptr;
        own.arena = arena;
        own.remoteCache = arena->parkedRemoteCache;
        return true;
    }

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

    // Without an arena. Preparing and arming may allocate: the guard would refuse that.
    QPOOL_NEVER_INLINE static void *allocateFirst(unsigned index) noexcept
    {
        if (s_disabled.load(std::memory_order_relaxed) || !prepare())
            return nullptr;
        const bool armed = arm();
        SlowPathGuard own;
        if (!own.isFirst())
            return nullptr;
        return armed && attach(own) ? allocateSlow(own, index) : allocateLate(index);
    }

    static void *allocateSlow(SlowPathGuard &own, unsigned index) noexcept
    {
        ArenaType &arena = *own.arena;
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
        flush(own);
        if (wasRefused && !s_registry.hasDebtors())
            return nullptr;
        s_registry.visitAll();
        return SlowPath<Source>::allocate(arena, bin, Layout::chunkSize(index));
    }

    static bool attach(SlowPathGuard &own) noexcept
    {
        ArenaType *arena = acquire();
        if (!arena)
            return false;
        if (arena->thread.load(std::memory_order_relaxed) != 0) {
            arena->adoptions.store(arena->adoptions.load(std::memory_order_relaxed) + 1,
                                   std::memory_order_relaxed);
        }
        arena->thread.store(Os::threadId(), std::memory_order_relaxed);
        own.arena = arena;
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

    static void *allocateLate(unsigned index) noexcept
    {
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
        arena->askForCheck();
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

    static void returnLender(ArenaType &arena) noexcept
    {
        ArenaType *lender = arena.lender;
        if (QPOOL_LIKELY(!lender))
            return;
        arena.lender = nullptr;
        Trim<Source>::now(*lender);
        s_registry.endBorrowing(*lender);
    }

    // The thread's next operation leads to unpark(), even if it frees its own chunk: see
    // parkedRemoteCache.
    QPOOL_ALWAYS_INLINE static void parkArena(SlowPathGuard &own) noexcept
    {
        ArenaType *arena = own.arena;
        returnLender(*arena);
        arena->parkedRemoteCache = own.remoteCache;
        own.remoteCache = nullptr;
        own.arena = &s_none;
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
        SlowPathGuard own;
        unpark(own);
        flush(own);
        RemoteCache *remoteCache = own.remoteCache;
        ArenaType *arena = own.hasArena() ? own.arena : nullptr;
        own.arena = &s_none;
        own.remoteCache = nullptr;
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
                                                                         Begun, false };
};

QPOOL_END_NAMESPACE

#endif // QPOOLTHREADARENAS_H
