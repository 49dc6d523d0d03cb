// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLHARDENING_H
#define QPOOLHARDENING_H

#include "../core/qpoolchecks.h"
#include "../core/qpoolhardenedlayout.h"
#include "qpoolstricthardening.h"

QPOOL_BEGIN_NAMESPACE

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
    using Check = Checks<Source>;
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
        if (QPOOL_UNLIKELY(!page.bin) || QPOOL_UNLIKELY(!Pool::name().isOf(page.owner->model))
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
