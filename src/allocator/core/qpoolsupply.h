// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSUPPLY_H
#define QPOOLSUPPLY_H

#include "../os/qpoollock.h"
#include "../os/qpoolos.h"
#include "qpoolbacklogdrain.h"

#include <cstring>
#include <type_traits>

QPOOL_BEGIN_NAMESPACE

template <class Source>
class Trim;

/*
    Where the chunks of a magazine come from and go to: the pages of its bin, or a shared arena.

    If each thread had pages and free chunks of each class, those of the small classes would be little. Those of
    the large ones would be several times what the program uses, and each of their pages costs a page fault. So
    the magazines of large chunks are filled from arenas that no thread keeps, and all threads of a pool put
    their chunks back there. (One list of each class for all threads behind a cache in each: S. Ghemawat and
    P. Menage, "TCMalloc".) A bin whose magazine is filled like this has a `home` and no page. Its magazine may
    hold any chunk of the class, whoever allocated it. So what it loaded minus what it holds is what its thread
    allocated minus what it freed, and may be negative; the sum of all bins of a class is exact.

    Invariants
    - A shared arena is never orphaned. It is parked while no thread has it, so those that push to it visit it like
      any parked arena. Ownership decides between all of them.
    - Who takes a shared arena does so in a slow path, for a bounded number of steps, and takes no other lock of the
      pool meanwhile than the page source's. So there is no cycle. A step of giving back takes hundreds of times as long
      as what threads wait for here: it comes before or after a turn.
    - In the child of a fork() that found one in use, no thread leaves it: it is abandoned, see SharedArenas. What it
      has is lost, and its classes get nothing more.
*/
template <class Source>
class Supply
{
    using Pages = BinPages<Source>;

public:
    static constexpr bool MayBeShared = Source::GrowsMagazines && !std::is_same_v<typename Source::Lock, NoLock>;

    // Has a shared arena, unless it is abandoned, or \a waits is false and another thread has it. Any thread, in a slow
    // path.
    class Turn
    {
    public:
        explicit Turn(ArenaBase &arena, bool waits = true) noexcept
        {
            for (unsigned attempt = 0; !arena.ownership.tryUnpark(); ++attempt) {
                if (QPOOL_UNLIKELY(arena.isAbandoned) || !waits)
                    return;
                Os::pause(attempt);
            }
            arena.beginSlowPath();
            m_arena = &arena;
        }
        ~Turn()
        {
            if (QPOOL_UNLIKELY(!m_arena))
                return;
            m_arena->endSlowPath();
            m_arena->ownership.park();
        }
        Turn(const Turn &) = delete;
        Turn &operator=(const Turn &) = delete;

        explicit operator bool() const noexcept { return m_arena; }

    private:
        ArenaBase *m_arena = nullptr;
    };

    // Adds at most \a wanted chunks to the magazine, as far as it has room.
    static void fill(ArenaBase &arena, Bin &bin, std::uint32_t wanted) noexcept
    {
        if constexpr (MayBeShared) {
            if (QPOOL_UNLIKELY(bin.home)) {
                fillFromHome(*bin.home, arena.indexOf(bin), bin, wanted);
                return;
            }
        }
        Pages::fill(arena, bin, wanted);
    }

    // Takes \a count chunks out of the magazine. Into pages the newest, because putting links them, and they are those
    // still in the cache; into a shared arena the oldest, because it links none while its magazine has room.
    static void put(ArenaBase &arena, Bin &bin, std::uint32_t count) noexcept
    {
        if constexpr (MayBeShared) {
            if (QPOOL_UNLIKELY(bin.home)) {
                arena.returnedChunks += count;
                putHome(*bin.home, arena.indexOf(bin), bin, count);
                return;
            }
        }
        Pages::putNewest(arena, bin, count);
    }

    // Puts a chunk that is in no magazine into its page.
    static void put(ArenaBase &arena, Bin &bin, PageHeader &page, FreeChunk *chunk) noexcept
    {
        if constexpr (MayBeShared) {
            if (QPOOL_UNLIKELY(bin.home)) {
                if (const Turn turn(*bin.home); QPOOL_LIKELY(turn))
                    Pages::put(*bin.home, *page.bin, &page, chunk);
                return;
            }
        }
        Pages::put(arena, bin, &page, chunk);
    }

    // Puts all that the magazine holds into pages, and lets go of those that become empty.
    static void putAll(ArenaBase &arena, Bin &bin) noexcept
    {
        const std::uint32_t count = bin.held();
        arena.returnedChunks += count;
        if constexpr (MayBeShared) {
            if (QPOOL_UNLIKELY(bin.home)) {
                if (count > 0)
                    putAllHome(*bin.home, arena.indexOf(bin), bin);
                return;
            }
        }
        Pages::putAll(arena, bin, bin.magazine, count);
        Pages::releaseEmpty(arena, bin);
        bin.countMoved(-std::int32_t(count));
    }

private:
    QPOOL_NEVER_INLINE static void fillFromHome(ArenaBase &home, std::size_t index, Bin &bin,
                                                std::uint32_t wanted) noexcept
    {
        const Turn turn(home);
        if (QPOOL_UNLIKELY(!turn))
            return;
        Bin &from = watched(home, index, bin);
        BacklogDrain<Source>::take(home, from, BacklogDrain<Source>::Extent::Fitting);
        wanted = fewer(wanted, bin.capacity - bin.held());
        if (from.held() == 0)
            Pages::fill(home, from, wanted);
        const std::uint32_t ready = fewer(wanted, from.held());
        move(from, from.held() - ready, bin, ready);
        if (QPOOL_UNLIKELY(Source::periodEnds(home.restedAt)))
            Trim<Source>::rest(home, &from);
    }

    QPOOL_NEVER_INLINE static void putHome(ArenaBase &home, std::size_t index, Bin &bin, std::uint32_t count) noexcept
    {
        const Turn turn(home);
        if (QPOOL_UNLIKELY(!turn)) {
            bin.countMoved(-std::int32_t(count));
            return;
        }
        Bin &to = watched(home, index, bin);
        while (count > 0) {
            if (to.held() == to.capacity)
                Pages::putNewest(home, to, fewer(to.capacity, Magazine<Source>::batchOf(to)));
            const std::uint32_t now = fewer(count, to.capacity - to.held());
            move(bin, 0, to, now);
            count -= now;
        }
    }

    QPOOL_NEVER_INLINE static void putAllHome(ArenaBase &home, std::size_t index, Bin &bin) noexcept
    {
        const std::uint32_t count = bin.held();
        if (const Turn turn(home); QPOOL_LIKELY(turn)) {
            Bin &to = home.firstBin[index];
            Pages::putAll(home, to, bin.magazine, count);
            Pages::releaseEmpty(home, to);
            Pages::releaseKept(home);
        }
        bin.countMoved(-std::int32_t(count));
    }

    static std::uint32_t fewer(std::uint32_t one, std::uint32_t other) noexcept { return one < other ? one : other; }

    static Bin &watched(ArenaBase &home, std::size_t index, const Bin &bin) noexcept
    {
        Bin &shared = home.firstBin[index];
        if (QPOOL_UNLIKELY(shared.capacity == 0))
            Magazine<Source>::watch(home, shared, bin.chunkSize.load(std::memory_order_relaxed));
        return shared;
    }

    // Moves \a count chunks, the first of them at \a first, behind those of the other magazine.
    static void move(Bin &from, std::uint32_t first, Bin &to, std::uint32_t count) noexcept
    {
        void **place = from.magazine + first;
        std::memcpy(to.magazine + to.held(), place, count * sizeof(void *));
        std::memmove(place, place + count, (from.held() - first - count) * sizeof(void *));
        to.countMoved(std::int32_t(count));
        from.countMoved(-std::int32_t(count));
    }
};

QPOOL_END_NAMESPACE

#endif // QPOOLSUPPLY_H
