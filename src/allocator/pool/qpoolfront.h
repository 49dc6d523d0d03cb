// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLFRONT_H
#define QPOOLFRONT_H

#include "../core/qpoolchecks.h"
#include "../stats/qpoolstatistics.h"
#include "../track/qpooltrack.h"

QPOOL_BEGIN_NAMESPACE

// What all pools have in common, whatever their size classes: a threading model's pool with the
// checks of hardened builds and the reports to tools around it.
template <class Layout, class Model, class Source>
class PoolFront
{
    using Pool = typename Model::template Pool<Layout, Source>;

public:
    PoolFront() = delete;

    QPOOL_ALWAYS_INLINE static void *allocate(unsigned bin) noexcept
    {
        void *chunk = Pool::tryAllocate(bin);
        if (QPOOL_UNLIKELY(!chunk)) {
            chunk = Pool::allocate(bin);
            if (QPOOL_UNLIKELY(!chunk))
                return nullptr;
        }
        noteAllocated(chunk, bin);
        return chunk;
    }

    // What is at hand, or null: for callers who have a slow path of their own to leave for.
    QPOOL_ALWAYS_INLINE static void *tryAllocate(unsigned bin) noexcept
    {
        void *chunk = Pool::tryAllocate(bin);
        if (QPOOL_LIKELY(chunk))
            noteAllocated(chunk, bin);
        return chunk;
    }

    // \a chunk is from this pool and not null.
    QPOOL_ALWAYS_INLINE static void deallocate(void *chunk) noexcept
    {
        checkFreeing(chunk);
        deallocate(*Source::headerOf(chunk), chunk);
    }

    // False, and nothing has happened, if \a pointer is not from the pages of the source.
    QPOOL_ALWAYS_INLINE static bool deallocateIfOwned(void *pointer) noexcept
    {
        PageHeader *page = Source::findNear(pointer);
        if (QPOOL_UNLIKELY(!page))
            return deallocateFar(pointer);
        checkFreeing(pointer);
        deallocate(*page, pointer);
        return true;
    }

    QPOOL_ALWAYS_INLINE static bool owns(const void *pointer) noexcept
    {
        return Source::contains(pointer);
    }

    static bool isAside() noexcept { return Pool::isAside(); }
    static void flush() noexcept { Pool::flush(); }
    static void idle() noexcept { Pool::idle(); }
    static void park() noexcept { Pool::park(); }
    static void trim() noexcept { Pool::trim(); }

    static BinStatistics statistics(unsigned bin) noexcept
    {
        BinStatistics sum;
        Pool::forEachArena([&](const Arena<Layout> &arena) {
            sum += statisticsOf(arena.bins[bin]);
        });
        return sum;
    }

    // Calls \a visit with an ArenaStatistics for each arena, the newest first.
    template <class Visitor>
    static void forEachArena(Visitor &&visit)
    {
        Pool::forEachArena([&](const Arena<Layout> &arena) { visit(statisticsOf(arena)); });
    }

private:
    // Not where the source has most of its pages.
    QPOOL_NEVER_INLINE static bool deallocateFar(void *pointer) noexcept
    {
        PageHeader *page = Source::findHeader(pointer);
        if (!page)
            return false;
        checkFreeing(pointer);
        deallocate(*page, pointer);
        return true;
    }

    QPOOL_ALWAYS_INLINE static void noteAllocated(void *chunk, unsigned bin) noexcept
    {
        if constexpr (hardened)
            Checks<Source>::allocating(chunk, Model::Name);
        Track::allocated(chunk, Layout::chunkSize(bin));
    }

    // Before anything is made of a pointer that may be wrong.
    QPOOL_ALWAYS_INLINE static void checkFreeing([[maybe_unused]] void *chunk) noexcept
    {
        if constexpr (hardened) {
            Checks<Source>::freeing(chunk, Model::Name);
            checkPool(chunk);
            Link::set(static_cast<FreeChunk *>(chunk), nullptr);
        }
    }

    QPOOL_ALWAYS_INLINE static void deallocate(PageHeader &page, void *chunk) noexcept
    {
        Track::freed(chunk, trackedSize(page));
        Pool::deallocate(page, chunk);
    }

    // Pools of one source share its range of addresses; whose a chunk is, its arena tells.
    static void checkPool(void *chunk) noexcept
    {
        const ArenaBase *owner = Source::headerOf(chunk)->owner;
        bool known = false;
        Pool::forEachArena([&](const Arena<Layout> &arena) { known |= &arena == owner; });
        if (!known) {
            Os::die("%s: %p, freed by thread %llu, is from another pool, a %s one", Model::Name,
                    chunk, static_cast<unsigned long long>(Os::threadId()), owner->model);
        }
    }

    static std::size_t trackedSize([[maybe_unused]] const PageHeader &page) noexcept
    {
#if QPOOL_TRACK_ASAN
        return page.chunkSize;
#else
        return 0;
#endif
    }
};

QPOOL_END_NAMESPACE

#endif // QPOOLFRONT_H
