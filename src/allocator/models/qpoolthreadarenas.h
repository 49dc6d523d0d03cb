// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLTHREADARENAS_H
#define QPOOLTHREADARENAS_H

#include "../os/qpoolforkhandlers.h"
#include "../os/qpoolmutex.h"
#include "qpoolsharedarenas.h"
#include "qpoolthread.h"

QPOOL_BEGIN_NAMESPACE

/*
    The pool of the models MultiThreaded and MultiPool, see below: one arena per thread. A thread gets
    its arena with its first allocation, an orphan if there is one, and gives it up when it ends. This
    file has the paths of a chunk; qpoolthreadlife.h, how threads get their arenas, park them and end.

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

    QPOOL_ALWAYS_INLINE static void *tryAllocate(unsigned index) noexcept
    {
        return s_thread.arena->bins[index].pop();
    }

    // The slow path of allocation, for a thread in any state. Returns null when out of memory, or while the pool is
    // disabled.
    QPOOL_NEVER_INLINE static void *allocate(unsigned index) noexcept
    {
        // Preparing and arming may allocate: within the guard below, that would be refused.
        const bool isNew = !hasArena() && !s_thread.parked && !s_thread.busy;
        if (QPOOL_UNLIKELY(isNew) && (s_disabled.load(std::memory_order_relaxed) || !prepare()))
            return nullptr;
        const bool mayAttach = QPOOL_UNLIKELY(isNew) && arm();
        SlowPathGuard own;
        if (QPOOL_UNLIKELY(!own.isFirst()))
            return nullptr;
        // When a thread wakes, its magazine usually has a chunk.
        if (unpark(own)) {
            if (void *chunk = own.arena->bins[index].pop())
                return chunk;
        }
        if (QPOOL_UNLIKELY(!own.hasArena()) && !(mayAttach && attach(own)))
            return allocateLate(index);
        ArenaType &arena = *own.arena;
        Bin &bin = arena.bins[index];
        if (Shared::serve(index) && QPOOL_UNLIKELY(!s_shared.prepare(bin, index, s_registry, s_name.text)))
            return nullptr;
        const bool wasRefused = SlowPath<Source>::isRefused(arena);
        const bool mayBorrow = Model::AnyThreadFrees && !Shared::serve(index)
                && QPOOL_UNLIKELY(s_registry.hasRoom(index) || arena.lender) && !isSampling();
        if (mayBorrow && SlowPath<Source>::isGrowing(arena, bin)) {
            if (void *chunk = borrow(arena, index))
                return chunk;
        }
        void *chunk = SlowPath<Source>::allocate(arena, bin, Layout::chunkSize(index), mayBorrow);
        return QPOOL_LIKELY(chunk) ? chunk : allocateElsewhere(own, index, wasRefused);
    }

    QPOOL_ALWAYS_INLINE static void deallocate(PageHeader &page, void *chunk) noexcept
    {
        if constexpr (Model::AnyThreadFrees) {
            if (QPOOL_UNLIKELY(!owns(page))) {
                deallocateRemote(page, chunk);
                return;
            }
        } else if (QPOOL_UNLIKELY(!hasArena()) && !unpark()) {
            pushHome(page, chunk);
            return;
        }
        if (QPOOL_UNLIKELY(!binOf(page).push(chunk)))
            deallocateSlow(page, chunk);
    }

    // Whether \a page serves one of the first \a count bins.
    QPOOL_ALWAYS_INLINE static bool isOfFirst(const PageHeader &page, unsigned count) noexcept
    {
        return s_thread.arena->distanceFrom(0, page) < count * sizeof(Bin);
    }

    // Frees a chunk of bin \a index if the calling thread owns it and the magazine has room; returns whether it did.
    // The page serves only for the test. The write that the next allocation of the class depends on goes to an address
    // that is known before the page is found.
    QPOOL_ALWAYS_INLINE static bool tryDeallocate(const PageHeader &page, void *chunk,
                                                  unsigned index) noexcept
    {
        Bin &bin = s_thread.arena->bins[index];
        return QPOOL_LIKELY(page.bin == &bin) && QPOOL_LIKELY(bin.push(chunk));
    }

    // For hardened builds: ownBin() returns the bin of a page of the calling thread, otherwise null; for a thread that
    // has ended, nothing shows which chunks are its own. deallocateOwn() and deallocateOther() free a chunk of such a
    // page and of any other page; checkThread() may refuse the latter.
    QPOOL_ALWAYS_INLINE static Bin *ownBin(const PageHeader &page) noexcept
    {
        return owns(page) ? &binOf(page) : nullptr;
    }
    QPOOL_ALWAYS_INLINE static void deallocateOwn(PageHeader &page, Bin &bin, void *chunk) noexcept
    {
        if (QPOOL_UNLIKELY(!bin.push(chunk)))
            deallocateSlow(page, chunk);
    }
    QPOOL_ALWAYS_INLINE static void deallocateOther(PageHeader &page, void *chunk) noexcept
    {
        if constexpr (Model::AnyThreadFrees)
            deallocateRemote(page, chunk);
        else
            deallocate(page, chunk);
    }
    static void checkThread([[maybe_unused]] const PageHeader &page,
                            [[maybe_unused]] void *chunk) noexcept
    {
        if constexpr (!Model::AnyThreadFrees) {
            unpark();
            if (s_thread.phase == Thread::Ended || page.owner == s_thread.arena)
                return;
            Os::die("MultiPool: %p is freed by thread %llu, but thread %llu allocated it", chunk,
                    static_cast<unsigned long long>(Os::threadId()),
                    static_cast<unsigned long long>(
                            page.owner->thread.load(std::memory_order_relaxed)));
        }
    }

    // Blocks of the source: see SystemPages. Null, and false, while the pool is disabled, and in a signal handler that
    // interrupted a slow path.
    QPOOL_NEVER_INLINE static void *allocateBlock(std::size_t bytes, std::size_t alignment,
                                                  bool *isZero) noexcept
    {
        if (s_thread.busy || !prepare())
            return nullptr;
        SlowPathGuard own;
        return own.isFirst() ? Source::allocateBlock(bytes, alignment, isZero) : nullptr;
    }
    QPOOL_NEVER_INLINE static bool resizeBlock(PageHeader &first, std::size_t bytes) noexcept
    {
        SlowPathGuard own;
        return own.isFirst() && Source::resizeBlock(&first, bytes);
    }

    static const PoolName &name() noexcept { return s_name; }
    static bool needsForkHandlers() noexcept { return QPool::needsForkHandlers<Layout>(0); }

    // Whether the layout disables the pool; every allocation is refused then. Prepares the pool.
    static bool isDisabled() noexcept { return !prepare(); }

    // See QPoolAllocator.
    static void flush() noexcept;
    static void park() noexcept;
    static int idle() noexcept;
    static void trim() noexcept;

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

    using Thread = PoolThread<ArenaType>;
    using Shared = SharedArenas<Layout, Source>;
    static_assert(Model::AnyThreadFrees || !Shared::Exist, "any thread frees a chunk of a shared arena");

    struct SlowPathGuard : Thread::Guard
    {
        QPOOL_ALWAYS_INLINE SlowPathGuard() noexcept : Thread::Guard(s_thread, s_none)
        {
            if (QPOOL_UNLIKELY(s_forks.isOpen()))
                letFork();
        }
        void letFork() noexcept;
        bool hasArena() const noexcept { return this->arena != &s_none; }
    };

    // Never null: a thread without an arena has an empty one that owns nothing, so that the fast paths need no test.
    static bool hasArena() noexcept { return s_thread.arena != &s_none; }

    // Whether a page belongs to the calling thread; binOf() is its bin then. In a layout with one bin, the address of
    // the bin decides both.
    QPOOL_ALWAYS_INLINE static bool owns(const PageHeader &page) noexcept
    {
        if constexpr (Layout::BinCount == 1)
            return page.bin == s_thread.arena->bins;
        else
            return page.owner == s_thread.arena;
    }

    QPOOL_ALWAYS_INLINE static Bin &binOf(const PageHeader &page) noexcept
    {
        if constexpr (Layout::BinCount == 1)
            return *s_thread.arena->bins;
        else
            return *page.bin;
    }

    static bool isSampling() noexcept
    {
        if constexpr (Source::HasSamples)
            return Source::samplingInterval() != 0;
        return false;
    }

    // The slow path of freeing a chunk of the calling thread.
    QPOOL_NEVER_INLINE static void deallocateSlow(PageHeader &page, void *chunk) noexcept
    {
        if constexpr (Source::HasSamples) {
            if (SampledBins<Source>::tryDeallocate(page, static_cast<FreeChunk *>(chunk)))
                return;
        }
        SlowPathGuard own;
        deallocateSlow(*page.owner, *page.bin, page, chunk);
    }
    static void deallocateSlow(ArenaBase &arena, Bin &bin, PageHeader &page, void *chunk) noexcept
    {
        if constexpr (Source::HasSamples) {
            if (SampledBins<Source>::follow(arena)) {
                SampledBins<Source>::deallocate(arena, bin, page, static_cast<FreeChunk *>(chunk));
                return;
            }
        }
        SlowPath<Source>::deallocate(arena, bin, chunk);
    }

    QPOOL_NEVER_INLINE static void deallocateRemote(PageHeader &page, void *pointer) noexcept
    {
        if (Bin *bin = Shared::served(page, *s_thread.arena); bin && QPOOL_LIKELY(bin->push(pointer)))
            return;
        auto *chunk = static_cast<FreeChunk *>(pointer);
        RemoteCache *remoteCache = s_thread.remoteCache;
        if (QPOOL_UNLIKELY(!remoteCache) || QPOOL_UNLIKELY(!remoteCache->tryPut(page.bin, chunk)))
            deallocateRemoteSlow(page, chunk);
    }

    // The first time, this creates the remote cache; there is none for a thread that has ended, or when out of memory.
    QPOOL_NEVER_INLINE static void deallocateRemoteSlow(PageHeader &page, FreeChunk *chunk) noexcept
    {
        if constexpr (Source::HasBlocks) {
            if (Source::isBlock(&page)) {
                deallocateBlock(page);
                return;
            }
        }
        if (unpark()) {
            // The chunk may be the thread's own.
            deallocate(page, chunk);
            return;
        }
        const bool mayCreate = s_thread.remoteCache || (!s_thread.busy && prepare() && arm());
        SlowPathGuard own;
        if (QPOOL_LIKELY(own.isFirst())) {
            if (Bin *bin = own.hasArena() ? Shared::served(page, *own.arena) : nullptr) {
                const auto index = unsigned(own.arena->indexOf(*bin));
                if (QPOOL_LIKELY(s_shared.prepare(*bin, index, s_registry, s_name.text))) {
                    deallocateSlow(*own.arena, *bin, page, chunk);
                    return;
                }
            }
            if (QPOOL_UNLIKELY(!own.remoteCache) && mayCreate) {
                Locker locker(s_registry.lock());
                own.remoteCache = s_registry.acquireRemoteCache();
                if (own.hasArena())
                    own.arena->remoteCache = own.remoteCache;
            }
            if (RemoteCache *remoteCache = own.remoteCache) {
                remoteCache->template put<Source>(page.owner, page.bin, chunk, page.chunkSize, sent);
                return;
            }
        }
        pushHome(page, chunk, own);
    }

    // No thread owns a block.
    static void deallocateBlock(PageHeader &first) noexcept
    {
        SlowPathGuard own;
        if (QPOOL_LIKELY(own.isFirst()))
            Source::deallocateBlock(&first);
        else
            Source::deallocateBlockLater(&first);
    }

    // Called after a push.
    static void sent(ArenaBase &arena, std::size_t pending) noexcept
    {
        s_registry.pushed(arena, pending);
        Source::giveBackDue();
    }

    // Pushes one chunk to its arena's backlog, for a thread without a remote cache.
    static void pushHome(PageHeader &page, void *chunk) noexcept
    {
        SlowPathGuard own;
        pushHome(page, chunk, own);
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
        // A handler takes no lock. If the arena is an orphan, the next push to it visits it.
        if (QPOOL_LIKELY(own.isFirst()))
            sent(owner, pending);
    }

    // Memory. See qpoolthreadlife.h.
    static void *allocateElsewhere(SlowPathGuard &own, unsigned index, bool wasRefused) noexcept;
    static void *allocateLate(unsigned index) noexcept;
    static void *borrow(ArenaType &arena, unsigned index) noexcept;
    static void returnLender(ArenaType &arena) noexcept;

    // A thread's life.
    static bool prepare() noexcept;
    static bool prepareOnce() noexcept;
    static bool arm() noexcept;
    static bool attach(SlowPathGuard &own) noexcept;
    static void flush(SlowPathGuard &own) noexcept;
    static void parkArena(SlowPathGuard &own) noexcept;
    static bool unpark() noexcept;
    static bool unpark(SlowPathGuard &own) noexcept;
    static void awaitVisitor(ArenaType &arena) noexcept;
    static void threadEnded() noexcept;
    static void beforeFork() noexcept;
    static void inParent() noexcept;
    static void inChild() noexcept;
    static void registerForkHandlers() noexcept;

    static inline PoolName s_name { Model::Name };
    static inline ArenaType s_none;
    static inline Registry s_registry;
    static inline Shared s_shared;
    // Calls of fork(). Decides only who waits how long: of two at once, the first that ends may end both.
    static inline Episodes s_forks;
    // How often to look whether a slow path, or a fork(), has ended: about 1 ms of spinning and yielding, then 20 ms.
    static constexpr unsigned ForkAttempts = 1200;
    static inline std::atomic<bool> s_prepared { false };
    // Set once and never cleared; read without the lock, so that a disabled pool costs no more than the slow path to
    // this test.
    static inline std::atomic<bool> s_disabled { false };
    static inline QPOOL_THREAD_LOCAL Thread s_thread QPOOL_TLS_MODEL = { &s_none, nullptr, nullptr,
                                                                         { nullptr, nullptr },
                                                                         Thread::Begun, false, 0 };
};

/*
    Any thread frees. A thread frees its own chunks into its arena, and others into its remote cache,
    which sends them to the backlogs of their arenas.
*/
struct MultiThreaded
{
    static constexpr const char *Name = "MultiThreaded";
    static constexpr bool ManyThreads = true;
    static constexpr bool AnyThreadFrees = true;

    template <class Layout, class Source>
    using Pool = ThreadArenas<MultiThreaded, Layout, Source>;
};

/*
    A chunk is freed by the thread that allocated it. No locks and no atomic read-modify-write. Hardened
    builds abort if a thread frees another thread's chunk. When a thread ends, a later thread adopts its
    arena with the chunks still in use and may then free them. Chunks that a thread frees after its arena
    was orphaned, in the last of its destructors, go through the backlog.
*/
struct MultiPool
{
    static constexpr const char *Name = "MultiPool";
    static constexpr bool ManyThreads = true;
    static constexpr bool AnyThreadFrees = false; // so no thread borrows from an orphan

    template <class Layout, class Source>
    using Pool = ThreadArenas<MultiPool, Layout, Source>;
};

QPOOL_END_NAMESPACE

#include "qpoolthreadlife.h"

#endif // QPOOLTHREADARENAS_H
