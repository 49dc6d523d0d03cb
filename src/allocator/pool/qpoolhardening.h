// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLHARDENING_H
#define QPOOLHARDENING_H

#include "../core/qpoolchecks.h"

#include <type_traits>

QPOOL_BEGIN_NAMESPACE

/*
    How hardened builds change a layout: each chunk has room for the words of FreeChunk. At level 2
    it also has a canary behind the program's bytes, as large as the lowest set bit of the size, so
    that alignment does not change. Where the page has no room for a canary, there is none.
*/
template <class Layout, std::size_t PageSize>
struct HardenedLayout : Layout
{
    static constexpr std::size_t chunkSize(unsigned bin) noexcept
    {
        const std::size_t asked = Layout::chunkSize(bin);
        const std::size_t size = asked < sizeof(FreeChunk) ? sizeof(FreeChunk) : asked;
        if constexpr (hardening == 2) {
            const std::size_t guarded = size + (size & (~size + 1));
            return guarded <= PageSize ? guarded : size;
        }
        return size;
    }

    // The bytes that the program may use.
    static constexpr std::size_t payload(unsigned bin) noexcept { return Layout::chunkSize(bin); }
};

// The layout itself in other builds, where types keep their names.
template <class Layout, class Source>
using LayoutInUse =
        std::conditional_t<hardened, HardenedLayout<Layout, Source::PageSize>, Layout>;

// Finds out and reports what is wrong with a pointer that is freed.
template <class Source>
struct Misuse : Checks<Source>
{
    using Check = Checks<Source>;

    // The chunk may have any size.
    static constexpr std::size_t AnySize = 0;

    // Reports why \a pointer, freed to the pool \a name as a chunk of \a size bytes, is invalid.
    [[noreturn]] QPOOL_NEVER_INLINE static void refuse(void *pointer, const PoolName &name,
                                                       std::size_t size) noexcept
    {
        const char *model = name.text;
        if (!Source::contains(pointer)) {
            Os::die("%s: %p, freed by thread %llu, is not from this pool", model, pointer,
                    Check::thread());
        }
        const PageHeader *page = Source::findUsedHeader(pointer);
        if (!page || !page->hasBin()) {
            Os::die("%s: %p, freed by thread %llu, is in a page that holds no chunks", model,
                    pointer, Check::thread());
        }
        Check::checkHeader(page, model);
        const std::size_t offset = Check::offsetOf(page, pointer);
        if (!page->isChunkStart(offset)) {
            Os::die("%s: %p, freed by thread %llu, is not the start of a chunk, but %u bytes "
                    "into one of %u bytes",
                    model, pointer, Check::thread(), unsigned(offset % page->chunkSize), Check::sizeOf(page));
        }
        if (!isLive(page, pointer)) {
            Os::warn("%s: %p, freed by thread %llu, is free already (a chunk of %u bytes)", model,
                     pointer, Check::thread(), Check::sizeOf(page));
            Check::end(pointer);
        }
        if (!name.isOf(page->owner->model)) {
            Os::die("%s: %p, freed by thread %llu, is from another pool, a %s one", model, pointer,
                    Check::thread(), page->owner->model);
        }
        Os::die("%s: %p, freed by thread %llu, with the size of a chunk of %llu bytes, is one of "
                "%u bytes", model, pointer, Check::thread(), static_cast<unsigned long long>(size),
                Check::sizeOf(page));
    }

private:
    static bool isLive(const PageHeader *page, const void *chunk) noexcept
    {
        if constexpr (hardening == 2)
            return page->isLive(Check::offsetOf(page, chunk));
        else
            return !Mark::isSet(chunk, page);
    }
};

/*
    How a pool of a hardened build allocates and frees: the tests before each operation. The cost of
    none depends on how many arenas, threads or pages there are.

    When a pointer is freed, level 1 tests that it is in a page that has chunks, that it is the
    start of a chunk, that the page belongs to this pool, and to the size class if that is known,
    and that the chunk does not have the mark of a free one. The first words of a chunk belong to
    the freeing thread until the chunk is pushed, and to the allocating thread once it was popped,
    so plain stores suffice. Pointers that fail, and chunks of other arenas, go to a function that
    tests the rest and reports what is wrong.
*/
template <class Layout, class Model, class Source>
class Hardening
{
    using LayoutUsed = LayoutInUse<Layout, Source>;
    using Pool = typename Model::template Pool<LayoutUsed, Source>;
    using Check = Misuse<Source>;
    static constexpr std::size_t AnySize = Check::AnySize;

public:
    // Returns false and does nothing if \a chunk is in no page that was ever handed out. \a size is
    // the chunk size it was freed with, or AnySize.
    QPOOL_ALWAYS_INLINE static bool deallocate(void *chunk, std::size_t size = AnySize) noexcept
    {
        PageHeader *page = Source::findUsedHeader(chunk);
        if (QPOOL_UNLIKELY(!page))
            return false;
        Bin *bin = Pool::ownBin(*page);
        if (QPOOL_LIKELY(bin) && QPOOL_LIKELY(isLiveChunk(*page, chunk, size))) {
            Mark::set(chunk, page);
            Track::freed(chunk, page->chunkSize);
            Pool::deallocateOwn(*page, *bin, chunk);
        } else {
            deallocateOther(*page, chunk, size);
        }
        return true;
    }

    QPOOL_ALWAYS_INLINE static void allocated(void *chunk, unsigned) noexcept
    {
        Mark::clear(chunk);
    }

private:
    // Takes its arguments in the order of its caller's, so that they stay in their registers.
    [[noreturn]] QPOOL_NEVER_INLINE static void refuse(PageHeader &, void *chunk,
                                                       std::size_t size) noexcept
    {
        Check::refuse(chunk, Pool::name(), size);
    }

    QPOOL_NEVER_INLINE static void deallocateOther(PageHeader &page, void *chunk,
                                                   std::size_t size) noexcept
    {
        if constexpr (Source::HasBlocks) {
            if (Source::isBlock(&page) && chunk == Source::pageOf(&page)) {
                Pool::deallocateOther(page, chunk);
                return;
            }
        }
        if (QPOOL_UNLIKELY(!page.hasBin()) || QPOOL_UNLIKELY(!Pool::name().isOf(page.owner->model))
            || QPOOL_UNLIKELY(!isLiveChunk(page, chunk, size))) {
            refuse(page, chunk, size);
        }
        Pool::checkThread(page, chunk);
        Mark::set(chunk, &page);
        Track::freed(chunk, page.chunkSize);
        Pool::deallocateOther(page, chunk);
    }

    QPOOL_ALWAYS_INLINE static bool isLiveChunk(const PageHeader &page, const void *chunk,
                                                std::size_t size) noexcept
    {
        // Pages are aligned to their size.
        const std::size_t offset = reinterpret_cast<std::uintptr_t>(chunk)
                & (Source::PageSize - 1);
        bool isStart;
        if constexpr (Layout::BinCount == 1) {
            isStart = offset % LayoutUsed::chunkSize(0) == 0;
        } else {
            isStart = page.isChunkStart(offset) && (size == AnySize || page.chunkSize == size);
        }
        return QPOOL_LIKELY(isStart) && QPOOL_LIKELY(!Mark::isSet(chunk, &page));
    }
};

QPOOL_END_NAMESPACE

#endif // QPOOLHARDENING_H
