// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLTHREADARENAS_H
#define QPOOLTHREADARENAS_H

#include "../core/qpoolregistry.h"
#include "../os/qpoolforkhandlers.h"

#include <type_traits>

namespace QPool {

/*
    An arena a thread: what the MultiPool and MultiThreaded models share. A thread gets its
    arena with its first allocation, an orphan if there is one, and leaves it when it ends.

    A thread can outlive its arena: destructors of thread_local objects run before the exit
    hook, other libraries' pthread keys after it. What it allocates then comes from an arena
    that is adopted for that one call.
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

    static const PoolName &name() noexcept { return s_name; }
    static bool hasArena() noexcept { return s_thread.arena != &s_none; }
    static bool hasEnded() noexcept { return s_thread.ended; }

    // The slow path of allocation, whatever state the thread is in. Null when out of memory,
    // or while the pool stands aside.
    QPOOL_NEVER_INLINE static void *allocate(unsigned index) noexcept
    {
        if (QPOOL_UNLIKELY(!hasArena())) {
            if (s_aside.load(std::memory_order_relaxed))
                return nullptr;
            if (s_thread.ended)
                return allocateLate(index);
            if (!attach())
                return nullptr;
        }
        ArenaType &arena = *s_thread.arena;
        Bin &bin = arena.bins[index];
        if (void *chunk = SlowPath<Source>::allocate(arena, bin, Layout::chunkSize(index)))
            return chunk;
        // Out of memory: orphans may have some, and what others wait for may be with us.
        flush();
        s_registry.trimOrphans();
        return SlowPath<Source>::allocate(arena, bin, Layout::chunkSize(index));
    }

    // The slow path of freeing one of the calling thread's own chunks.
    QPOOL_NEVER_INLINE static void deallocateSlow(PageHeader &page, void *chunk) noexcept
    {
        SlowPath<Source>::deallocate(*page.owner, *page.bin, chunk);
    }

    // The calling thread's outbox, or null.
    QPOOL_ALWAYS_INLINE static Outbox *outbox() noexcept { return s_thread.outbox; }

    // The same, made at its first use; null for a thread that has ended, or
    // when out of memory: frees go home one by one then.
    static Outbox *acquireOutbox() noexcept
    {
        if (s_thread.outbox || s_thread.ended)
            return s_thread.outbox;
        Locker locker(s_registry.lock());
        prepare();
        if (s_exitHook.arm(&threadEnded))
            s_thread.outbox = s_registry.acquireOutbox();
        return s_thread.outbox;
    }

    // Pushed to an arena whose thread ended?
    static void sent(ArenaBase &arena, std::size_t bytes) noexcept
    {
        if (arena.orphaned.load(std::memory_order_relaxed))
            s_registry.countOrphanPush(bytes);
    }

    // Whether the layout asked for no pool: then every allocation is refused.
    static bool isAside() noexcept
    {
        Locker locker(s_registry.lock());
        return !prepare();
    }

    // One chunk to its arena's backlog, by a thread without an outbox.
    QPOOL_NEVER_INLINE static void pushHome(PageHeader &page, void *pointer) noexcept
    {
        // The page must not be looked at after the push: its owner may have let go of it.
        ArenaBase &owner = *page.owner;
        const std::uint32_t size = page.chunkSize;
        auto *chunk = static_cast<FreeChunk *>(pointer);
        page.bin->backlog.push(chunk, chunk, 1);
        owner.noteBacklog();
        sent(owner, size);
    }

    static void flush() noexcept
    {
        if (Outbox *outbox = s_thread.outbox)
            outbox->flush(sent);
    }

    static void idle() noexcept
    {
        flush();
        if (hasArena())
            Trim<Source>::idle(*s_thread.arena);
        if (s_registry.hasOrphanBacklog())
            s_registry.trimOrphans();
    }

    static void trim() noexcept
    {
        flush();
        if (hasArena())
            Trim<Source>::now(*s_thread.arena);
        s_registry.trimOrphans();
        Source::trim();
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

    struct Thread
    {
        ArenaType *arena;
        Outbox *outbox;
        bool ended;
    };

    QPOOL_NEVER_INLINE static bool attach() noexcept
    {
        Locker locker(s_registry.lock());
        if (!prepare())
            return false;
        // Without the hook the arena would be lost with the thread.
        if (!s_exitHook.arm(&threadEnded))
            return false;
        ArenaType *arena = s_registry.acquire(s_name.text);
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

    QPOOL_NEVER_INLINE static void *allocateLate(unsigned index) noexcept
    {
        Locker locker(s_registry.lock());
        if (!prepare())
            return nullptr;
        ArenaType *arena = s_registry.acquire(s_name.text);
        if (!arena)
            return nullptr;
        void *chunk = SlowPath<Source>::allocate(*arena, arena->bins[index],
                                                 Layout::chunkSize(index));
        // The magazines hold free chunks now, and what others freed was taken in, or is kept in
        // parcels: whoever trims orphans next must look here.
        arena->noteBacklog();
        s_registry.release(arena);
        return chunk;
    }

    static void threadEnded() noexcept
    {
        Outbox *outbox = s_thread.outbox;
        if (outbox)
            outbox->flush(sent);
        ArenaType *arena = hasArena() ? s_thread.arena : nullptr;
        s_thread.arena = &s_none;
        s_thread.outbox = nullptr;
        s_thread.ended = true;
        if (arena)
            Trim<Source>::now(*arena);
        Locker locker(s_registry.lock());
        if (arena)
            s_registry.release(arena);
        if (outbox)
            s_registry.releaseOutbox(outbox);
    }

    // Once, with the lock held. False while the pool stands aside.
    static bool prepare() noexcept
    {
        if (QPOOL_UNLIKELY(!s_prepared)) {
            s_prepared = true;
            s_aside.store(Layout::standsAside(), std::memory_order_relaxed);
            Handlers::atLatest();
        }
        return !s_aside.load(std::memory_order_relaxed);
    }

    static void registerForkHandlers() noexcept
    {
        Source::surviveFork();
        Os::aroundFork([] { s_registry.lock().lock(); }, [] { s_registry.lock().unlock(); });
    }

    static inline PoolName s_name { Model::Name };
    static inline ArenaType s_none { nullptr };
    static inline Registry s_registry;
    static inline Os::ThreadExitHook s_exitHook;
    static inline bool s_prepared = false;
    // Set once and never cleared; read without the lock, so that standing aside costs nothing
    // but the way here.
    static inline std::atomic<bool> s_aside { false };
    static inline QPOOL_THREAD_LOCAL Thread s_thread QPOOL_TLS_MODEL = { &s_none, nullptr,
                                                                         false };
};

} // namespace QPool

#endif // QPOOLTHREADARENAS_H
