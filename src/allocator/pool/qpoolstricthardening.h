// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSTRICTHARDENING_H
#define QPOOLSTRICTHARDENING_H

#include "qpoolhardening.h"

QPOOL_BEGIN_NAMESPACE

/*
    How a pool of level 2 allocates and frees. In addition to Hardening, it tests that no one wrote
    to a chunk while it was free, nor behind its end while it was live, nor to the page's header.
    The page's bits, not the chunk's contents, show which chunks are live. It records for the
    reports where each chunk was freed. The magazine keeps a chunk free for some time: see
    Bin::popOldest().
*/
template <class Layout, class Model, class Source>
class StrictHardening
{
    using LayoutUsed = LayoutInUse<Layout, Source>;
    using Pool = typename Model::template Pool<LayoutUsed, Source>;
    using Check = Misuse<Source>;
    static constexpr std::size_t AnySize = Check::AnySize;

public:
    // See Hardening.
    QPOOL_NEVER_INLINE static bool deallocate(void *chunk, std::size_t size = AnySize) noexcept
    {
        PageHeader *page = Source::findUsedHeader(chunk);
        if (!page)
            return false;
        if constexpr (Source::HasBlocks) {
            if (Source::isBlock(page) && chunk == Source::pageOf(page)) {
                Pool::deallocateOther(*page, chunk);
                return true;
            }
        }
        const std::size_t offset = Check::offsetOf(page, chunk);
        if (!page->hasBin() || page->guard != Check::guardOf(page)
            || !Pool::name().isOf(page->owner->model) || !page->isChunkStart(offset)
            || (size != AnySize && page->chunkSize != size) || !page->isLive(offset)) {
            Check::refuse(chunk, Pool::name(), payloadOf(size));
        }
        Pool::checkThread(*page, chunk);
        const std::size_t payload = payloadOf(*page);
        checkEnd(chunk, payload, page->chunkSize);
        // If two threads free it at the same time, one of them finds it free.
        if (!page->setFree(offset))
            Check::refuse(chunk, Pool::name(), size);
        FreeLog::note(chunk, Mark::word(chunk));
        Poison::fill(chunk, page->chunkSize);
        Track::freed(chunk, page->chunkSize);
        if (Bin *bin = Pool::ownBin(*page))
            Pool::deallocateOwn(*page, *bin, chunk);
        else
            Pool::deallocateOther(*page, chunk);
        return true;
    }

    QPOOL_NEVER_INLINE static void allocated(void *chunk, unsigned bin) noexcept
    {
        PageHeader *page = Source::headerOf(chunk);
        Check::checkHeader(page, Pool::name().text);
        const std::size_t payload = LayoutUsed::payload(bin);
        const std::size_t spoilt = Poison::firstSpoilt(chunk, page->chunkSize);
        if (spoilt < page->chunkSize) {
            Os::warn("%s: %p, a chunk of %u bytes, was written to after it was freed, at byte %u "
                     "(seen by thread %llu)", Pool::name().text, chunk, unsigned(payload),
                     unsigned(spoilt), Check::thread());
            FreeLog::abortWith(chunk, 0);
        }
        if (page->setLive(Check::offsetOf(page, chunk))) {
            Os::warn("%s: %p, a chunk of %u bytes, is about to be handed out twice (seen by "
                     "thread %llu)", Pool::name().text, chunk, unsigned(payload),
                     Check::thread());
            FreeLog::abortWith(chunk, 0);
        }
        page->setPayload(payload);
        Poison::guard(chunk, payload, page->chunkSize);
    }

private:
    // What the program may use of a chunk of \a size.
    static std::size_t payloadOf(std::size_t size) noexcept
    {
        unsigned bin = 0;
        while (bin < Layout::BinCount && LayoutUsed::chunkSize(bin) != size)
            ++bin;
        return bin < Layout::BinCount ? LayoutUsed::payload(bin) : size;
    }

    static std::size_t payloadOf(const PageHeader &page) noexcept
    {
        return LayoutUsed::payload(unsigned(page.bin - page.owner->firstBin));
    }

    static void checkEnd(void *chunk, std::size_t payload, std::size_t size) noexcept
    {
        const std::size_t overrun = Poison::firstOverrun(chunk, payload, size);
        if (QPOOL_LIKELY(overrun == size))
            return;
        Os::warn("%s: %p, freed by thread %llu, was written to past its end, at byte %u (a chunk of "
                 "%u bytes)", Pool::name().text, chunk, Check::thread(), unsigned(overrun),
                 unsigned(payload));
        FreeLog::abortWith(chunk, Mark::word(chunk));
    }
};

QPOOL_END_NAMESPACE

#endif // QPOOLSTRICTHARDENING_H
