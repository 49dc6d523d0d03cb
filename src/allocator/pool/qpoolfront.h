// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLFRONT_H
#define QPOOLFRONT_H

#include "../core/qpoolchecks.h"
#include "../stats/qpoolstatistics.h"
#include "../track/qpooltrack.h"

namespace QPool {

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
        void *chunk = Pool::allocate(bin);
        if constexpr (hardened) {
            if (chunk)
                Checks<Source>::allocating(chunk, Model::Name);
        }
        if (chunk)
            Track::allocated(chunk, Layout::chunkSize(bin));
        return chunk;
    }

    // \a chunk is from this pool and not null.
    QPOOL_ALWAYS_INLINE static void deallocate(void *chunk) noexcept
    {
        if constexpr (hardened) {
            Checks<Source>::freeing(chunk, Model::Name);
            checkPool(chunk);
            Link::set(static_cast<FreeChunk *>(chunk), nullptr);
        }
        Track::freed(chunk, trackedSize(chunk));
        Pool::deallocate(chunk);
    }

    QPOOL_ALWAYS_INLINE static bool owns(const void *pointer) noexcept
    {
        return Source::contains(pointer);
    }

    static bool isAside() noexcept { return Pool::isAside(); }
    static void flush() noexcept { Pool::flush(); }
    static void idle() noexcept { Pool::idle(); }
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

    static std::size_t trackedSize([[maybe_unused]] void *chunk) noexcept
    {
#if QPOOL_TRACK_ASAN
        return Source::headerOf(chunk)->chunkSize;
#else
        return 0;
#endif
    }
};

} // namespace QPool

#endif // QPOOLFRONT_H
