// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSHAREDARENAS_H
#define QPOOLSHAREDARENAS_H

#include "../core/qpoolregistry.h"

QPOOL_BEGIN_NAMESPACE

/*
    The arenas that all threads of a pool fill their magazines of large chunks from: see Supply. They serve the
    layout's bins from FirstShared on, if it has that. At level 2 of hardening there are none: the quarantine of a
    chunk is its thread's.

    `arena`: release when an arena is ready, acquire when one is found; never changed again. `seen` is relaxed: it
    decides when to look, never about memory.
*/
template <class Layout, class Source>
class SharedArenas
{
    template <class Bins>
    static constexpr auto firstOf(int) noexcept -> decltype(Bins::FirstShared) { return Bins::FirstShared; }
    template <class Bins>
    static constexpr unsigned firstOf(long) noexcept { return Bins::BinCount; }

public:
    using ArenaType = Arena<Layout>;
    using Registry = ArenaRegistry<Layout, Source>;

    static constexpr unsigned FirstBin = hardening == 2 || !Supply<Source>::MayBeShared
            ? unsigned(Layout::BinCount) : firstOf<Layout>(0);
    static constexpr bool Exist = FirstBin < Layout::BinCount;

    static constexpr bool serve(unsigned bin) noexcept { return Exist && bin >= FirstBin; }

    // The bin of \a arena for the chunks of a page, if they serve its class; otherwise null.
    QPOOL_ALWAYS_INLINE static Bin *served(const PageHeader &page, ArenaType &arena) noexcept
    {
        if constexpr (Exist) {
            const std::size_t distance = arena.distanceFrom(FirstBin, page);
            if (distance < (Layout::BinCount - FirstBin) * sizeof(Bin))
                return reinterpret_cast<Bin *>(reinterpret_cast<char *>(arena.bins + FirstBin) + distance);
        }
        return nullptr;
    }

    constexpr SharedArenas() = default;

    // Called by each slow path of such a bin. Returns false when out of memory, and for an abandoned arena: a search
    // for memory would be in vain.
    bool prepare(Bin &bin, unsigned index, Registry &registry, const char *model) noexcept
    {
        if (QPOOL_UNLIKELY(!bin.home)) {
            bin.home = of(index % Count, registry, model);
            bin.chunkSize.store(std::uint32_t(Layout::chunkSize(index)), std::memory_order_relaxed);
        }
        return bin.home && QPOOL_LIKELY(!bin.home->isAbandoned);
    }

    // Whether idle() or trim() may find something to give back.
    bool isInUse() const noexcept
    {
        for (const Place &place : m_places) {
            if (place.isInUse())
                return true;
        }
        return false;
    }

    // For a thread that is about to sleep, once in a period: does for these arenas what Trim::idle() does for its
    // own, which returned \a left, but no step. Does not wait for an arena that another thread has.
    int idle(int left) noexcept
    {
        for (Place &place : m_places) {
            if (!place.isInUse())
                continue;
            ArenaType &arena = *place.arena.load(std::memory_order_acquire);
            bool holds = true;
            if (const Turn turn(arena, false); turn) {
                Trim<Source>::settle(arena);
                holds = arena.watchedBins;
                if (!holds)
                    place.empty(arena);
            }
            const int more = Source::untilOld(holds);
            if (more >= 0 && (left < 0 || more < left))
                left = more;
        }
        return left;
    }

    void trim() noexcept
    {
        for (Place &place : m_places) {
            if (!place.isInUse())
                continue;
            ArenaType &arena = *place.arena.load(std::memory_order_acquire);
            if (const Turn turn(arena); QPOOL_LIKELY(turn))
                place.empty(arena);
        }
    }

    // As ArenaRegistry::discardParts(), which does not wait for a thread that has an arena.
    void discardParts() noexcept
    {
        for (Place &place : m_places) {
            ArenaType *arena = place.arena.load(std::memory_order_acquire);
            if (!arena)
                continue;
            Trim<Source>::discardInTurns(*arena, [arena] {
                const Turn turn(*arena);
                return turn && Trim<Source>::discardParts(*arena);
            });
        }
    }

    // In the child of a fork(), after ArenaRegistry::forked(): they are not lost with the other threads, but
    // those that a thread was using are abandoned.
    void inChild(const Registry &registry) noexcept
    {
        for (Place &place : m_places) {
            ArenaType *arena = place.arena.load(std::memory_order_relaxed);
            if (!arena)
                continue;
            registry.keep(*arena);
            // If a signal handler with the fork() interrupted the slow path that has it, that goes on, and parks it.
            const bool isFree = arena->ownership.tryUnpark();
            if (isFree && Registry::wasQuiet(*arena))
                arena->ownership.park();
            else
                arena->isAbandoned = true;
        }
    }

private:
    using Turn = typename Supply<Source>::Turn;

    ArenaType *of(unsigned number, Registry &registry, const char *model) noexcept
    {
        std::atomic<ArenaType *> &place = m_places[number].arena;
        ArenaType *arena = place.load(std::memory_order_acquire);
        if (arena)
            return arena;
        Locker locker(registry.lock());
        arena = place.load(std::memory_order_relaxed);
        if (!arena) {
            arena = registry.makeShared(model);
            place.store(arena, std::memory_order_release);
        }
        return arena;
    }

    struct Place
    {
        std::atomic<ArenaType *> arena { nullptr };
        std::atomic<std::uint32_t> seen { 0 }; // of its `changes`, when nothing was left to give back

        bool isInUse() const noexcept
        {
            const ArenaType *used = arena.load(std::memory_order_acquire);
            return used && !used->isAbandoned
                    && (used->changes.count() != seen.load(std::memory_order_relaxed) || used->hasBacklog());
        }
        // The caller has it.
        void empty(ArenaType &had) noexcept
        {
            Trim<Source>::now(had);
            seen.store(had.changes.count() + 1, std::memory_order_relaxed); // after the caller's turn
        }
    };

    // Neighbouring classes have different ones, so threads seldom meet.
    static constexpr unsigned Count = Exist ? 8 : 1;

    Place m_places[Count] = {};
};

QPOOL_END_NAMESPACE

#endif // QPOOLSHAREDARENAS_H
