// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLFRONT_H
#define QPOOLFRONT_H

#include "../stats/qpoolstatistics.h"
#include "../track/qpooltrack.h"
#include "qpoolconcepts.h"
#include "qpoolstricthardening.h"

QPOOL_BEGIN_NAMESPACE

// The common part of all pools, whatever their size classes: a threading model's pool, surrounded
// by the checks of hardened builds and the reports to tools.
template <class Layout, class Model, class Source>
class PoolFront
{
    static_assert(Concepts::isLayout<Layout>, "a layout must provide what qpoolconcepts.h lists");
    static_assert(Concepts::isPageSource<Source>, "a page source must provide what qpoolconcepts.h lists");

    using Guard = std::conditional_t<hardening == 2, StrictHardening<Layout, Model, Source>,
                                     Hardening<Layout, Model, Source>>;

public:
    using LayoutUsed = LayoutInUse<Layout, Source>;
    using Pool = typename ModelOnSource<Model, Source>::template Pool<LayoutUsed>;
    static_assert(Concepts::isModelsPool<Pool>, "a model must provide what qpoolconcepts.h lists");

    PoolFront() = delete;

    static constexpr unsigned AnyBins = ~0u;

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

    // Returns a chunk from the fast path, or null; for callers that have a slow path of their own.
    QPOOL_ALWAYS_INLINE static void *tryAllocate(unsigned bin) noexcept
    {
        void *chunk = Pool::tryAllocate(bin);
        if (QPOOL_LIKELY(chunk))
            noteAllocated(chunk, bin);
        return chunk;
    }

    // \a chunk is from this pool, or null.
    QPOOL_ALWAYS_INLINE static void deallocate(void *chunk) noexcept
    {
        if constexpr (hardened) {
            // Null is in no page, so the check of the page covers it without a test of its own.
            if (QPOOL_UNLIKELY(!Guard::deallocate(chunk)))
                refuseUnlessNull(chunk);
        } else if (QPOOL_LIKELY(chunk)) {
            PageHeader &page = *Source::headerOf(chunk);
            Track::freed(chunk, page.chunkSize);
            Pool::deallocate(page, chunk);
        }
    }

    // The same for a caller that knows the bin.
    QPOOL_ALWAYS_INLINE static void deallocate(void *chunk, unsigned bin) noexcept
    {
        if constexpr (hardened) {
            const std::size_t size = LayoutUsed::chunkSize(bin);
            if (QPOOL_UNLIKELY(!Guard::deallocate(chunk, size)))
                refuseUnlessNull(chunk);
        } else if (QPOOL_LIKELY(chunk)) {
            PageHeader &page = *Source::headerOf(chunk);
            Track::freed(chunk, page.chunkSize);
            if (QPOOL_UNLIKELY(!Pool::tryDeallocate(page, chunk, bin)))
                Pool::deallocate(page, chunk);
        }
    }

    // Returns false and does nothing if \a pointer is not from the pages of the source; with \c Bins, also if its page
    // serves none of so many first bins, and is another user's.
    template <unsigned Bins = AnyBins>
    QPOOL_ALWAYS_INLINE static bool deallocateIfOwned(void *pointer) noexcept
    {
        if constexpr (hardened) {
            if constexpr (Bins != AnyBins) {
                const PageHeader *page = Source::findHeader(pointer);
                const bool isInUse = page && (page->hasBin() || Source::isBlock(page));
                if (isInUse && !Pool::isOfFirst(*page, Bins))
                    return false;
            }
            if (QPOOL_LIKELY(Guard::deallocate(pointer)))
                return true;
            if (sourceContains(pointer))
                Misuse<Source>::refuse(pointer, Pool::name(), Misuse<Source>::AnySize);
            return false;
        } else {
            PageHeader *page = Source::findNear(pointer);
            return QPOOL_LIKELY(page) ? deallocateIn<Bins>(*page, pointer) : deallocateFar<Bins>(pointer);
        }
    }

    // The same for callers that have a slow path of their own, which calls deallocateIfOwned().
    // Also returns false for pages outside of the range in which the source has most of its pages.
    QPOOL_ALWAYS_INLINE static bool deallocateIfNear([[maybe_unused]] void *pointer) noexcept
    {
        if constexpr (!hardened) {
            if (PageHeader *page = Source::findNear(pointer); QPOOL_LIKELY(page))
                return deallocateIn(*page, pointer);
        }
        return false;
    }

    // Whether \a pointer is in a page of one of the first \a bins bins.
    static bool isOfFirst(const void *pointer, unsigned bins) noexcept
    {
        const PageHeader *page = Source::findHeader(pointer);
        return page && Pool::isOfFirst(*page, bins);
    }

    // For hardened builds: \a pointer, about to be freed elsewhere with \a size or with no size,
    // must not be from the pages of the source. If the source has no heap, there is no elsewhere,
    // and every pointer must be from its pages.
    static void refuseOwned(void *pointer, std::size_t size) noexcept
    {
        if (!Source::HasHeap || Source::contains(pointer))
            Misuse<Source>::refuse(pointer, Pool::name(), size);
    }

    QPOOL_ALWAYS_INLINE static bool sourceContains(const void *pointer) noexcept
    {
        return Source::contains(pointer);
    }

    // Blocks of the source, which deallocateIfOwned() frees: see SystemPages.
    static void *allocateBlock(std::size_t bytes, std::size_t alignment, bool *isZero) noexcept
    {
        return Pool::allocateBlock(bytes, alignment, isZero);
    }
    static bool resizeBlock(PageHeader &first, std::size_t bytes) noexcept
    {
        return Pool::resizeBlock(first, bytes);
    }

    static bool isDisabled() noexcept { return Pool::isDisabled(); }
    static void flush() noexcept { Pool::flush(); }
    static int idle() noexcept { return Pool::idle(); }
    static void park() noexcept { Pool::park(); }
    static void trim() noexcept { Pool::trim(); }

    static BinStatistics statistics(unsigned bin) noexcept
    {
        BinStatistics sum;
        Pool::forEachArena([&](const Arena<LayoutUsed> &arena) {
            sum += statisticsOf(arena.bins[bin]);
        });
        return sum;
    }

    // Calls \a visit with an ArenaStatistics for each arena, newest first.
    template <class Visitor>
    static void forEachArena(Visitor &&visit)
    {
        Pool::forEachArena([&](const Arena<LayoutUsed> &arena) { visit(statisticsOf(arena)); });
    }

private:
    template <unsigned Bins = AnyBins>
    QPOOL_ALWAYS_INLINE static bool deallocateIn(PageHeader &page, void *pointer) noexcept
    {
        if constexpr (Bins != AnyBins) {
            if (QPOOL_UNLIKELY(!Pool::isOfFirst(page, Bins)))
                return false;
        }
        Track::freed(pointer, page.chunkSize);
        Pool::deallocate(page, pointer);
        return true;
    }

    // For pages outside of the range in which the source has most of its pages.
    template <unsigned Bins>
    QPOOL_NEVER_INLINE static bool deallocateFar(void *pointer) noexcept
    {
        PageHeader *page = Source::findHeader(pointer);
        return page && deallocateIn<Bins>(*page, pointer);
    }

    static void refuseUnlessNull(void *pointer) noexcept
    {
        if (pointer)
            Misuse<Source>::refuse(pointer, Pool::name(), Misuse<Source>::AnySize);
    }

    QPOOL_ALWAYS_INLINE static void noteAllocated(void *chunk, unsigned bin) noexcept
    {
        Track::allocated(chunk, Layout::chunkSize(bin));
        if constexpr (hardened)
            Guard::allocated(chunk, bin);
    }
};

QPOOL_END_NAMESPACE

#endif // QPOOLFRONT_H
