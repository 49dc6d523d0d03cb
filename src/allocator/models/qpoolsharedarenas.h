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

    `m_arenas`: release when an arena is ready, acquire when one is found; never changed again. `m_inUse` is
    relaxed: it decides when to look, never about memory.
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

    static constexpr unsigned FirstBin = hardening == 2 ? unsigned(Layout::BinCount) : firstOf<Layout>(0);
    static constexpr bool Exist = FirstBin < Layout::BinCount;

    static constexpr bool serve(unsigned bin) noexcept { return Exist && bin >= FirstBin; }

    // Whether the chunks of a page have the size of such a bin. Reads only what a free needs anyway.
    QPOOL_ALWAYS_INLINE static bool serve(const PageHeader &page) noexcept
    {
        if constexpr (Exist)
            return page.chunkSize >= Layout::chunkSize(FirstBin);
        return false;
    }

    constexpr SharedArenas() = default;

    // Called by each slow path of such a bin. Returns false when out of memory.
    bool prepare(Bin &bin, unsigned index, Registry &registry, const char *model) noexcept
    {
        if (QPOOL_UNLIKELY(!bin.home)) {
            bin.home = of(index % Count, registry, model);
            bin.chunkSize.store(std::uint32_t(Layout::chunkSize(index)), std::memory_order_relaxed);
        }
        if (!isInUse())
            m_inUse.store(true, std::memory_order_relaxed);
        return bin.home;
    }

    // Whether a slow path used one since idle() found nothing left to give back.
    bool isInUse() const noexcept { return m_inUse.load(std::memory_order_relaxed); }

    // For a thread that is about to sleep, once in a period: does for these arenas what Trim::idle() does for its
    // own, which returned \a left. Does not wait for an arena that another thread has.
    int idle(int left) noexcept
    {
        m_inUse.store(false, std::memory_order_relaxed);
        bool inUse = false;
        for (std::atomic<ArenaType *> &place : m_arenas) {
            ArenaType *arena = place.load(std::memory_order_acquire);
            if (!arena)
                continue;
            if (!arena->ownership.tryUnpark()) {
                inUse = true;
                continue;
            }
            arena->beginSlowPath();
            const int more = Trim<Source>::idle(*arena);
            inUse |= arena->watchedBins != nullptr;
            arena->endSlowPath();
            arena->ownership.park();
            if (more >= 0 && (left < 0 || more < left))
                left = more;
        }
        if (inUse)
            m_inUse.store(true, std::memory_order_relaxed);
        return left;
    }

    // Takes them all, so that the child of a fork() finds them whole. The caller holds the registry's lock. Gives up
    // after some attempts: a signal handler that forks may have interrupted the thread that has one, and will
    // return to it in the child, too.
    void beforeFork(unsigned attempts) noexcept
    {
        unsigned attempt = 0;
        for (unsigned i = 0; i < Count; ++i) {
            ArenaType *arena = m_arenas[i].load(std::memory_order_relaxed);
            m_taken[i] = arena && arena->ownership.tryUnpark();
            for (; arena && !m_taken[i] && attempt < attempts; ++attempt) {
                Os::pause(attempt);
                m_taken[i] = arena->ownership.tryUnpark();
            }
        }
    }

    void inParent() noexcept
    {
        for (unsigned i = 0; i < Count; ++i) {
            if (m_taken[i])
                m_arenas[i].load(std::memory_order_relaxed)->ownership.park();
        }
    }

    // They are not lost with the other threads: see ArenaRegistry::forked().
    void inChild(const Registry &registry) noexcept
    {
        for (const std::atomic<ArenaType *> &place : m_arenas) {
            if (ArenaType *arena = place.load(std::memory_order_relaxed))
                registry.keep(*arena);
        }
        inParent();
    }

private:
    ArenaType *of(unsigned place, Registry &registry, const char *model) noexcept
    {
        ArenaType *arena = m_arenas[place].load(std::memory_order_acquire);
        if (arena)
            return arena;
        Locker locker(registry.lock());
        arena = m_arenas[place].load(std::memory_order_relaxed);
        if (!arena) {
            arena = registry.makeShared(model);
            m_arenas[place].store(arena, std::memory_order_release);
        }
        return arena;
    }

    // Neighbouring classes have different ones, so threads seldom meet.
    static constexpr unsigned Count = Exist ? 8 : 1;

    std::atomic<ArenaType *> m_arenas[Count] = {};
    bool m_taken[Count] = {}; // during fork()
    std::atomic<bool> m_inUse { false };
};

QPOOL_END_NAMESPACE

#endif // QPOOLSHAREDARENAS_H
