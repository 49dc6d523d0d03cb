// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLCHECKS_H
#define QPOOLCHECKS_H

#include "../os/qpoolos.h"
#include "../os/qpoolpage.h"
#include "qpoolarena.h"

QPOOL_BEGIN_NAMESPACE

/*
    The checks of hardened builds. Each names the threading model, the pointer and the thread,
    and aborts: the memory is not to be trusted any more. In other builds nothing calls them.
*/
template <class Source>
struct Checks
{
    static std::uintptr_t guardOf(const PageHeader *page) noexcept
    {
        return reinterpret_cast<std::uintptr_t>(page->owner)
                ^ reinterpret_cast<std::uintptr_t>(page->bin) * 3
                ^ reinterpret_cast<std::uintptr_t>(page) * 5 ^ page->chunkSize ^ 0x51504F4Fu;
    }

    static void checkHeader(const PageHeader *page, const char *model) noexcept
    {
        if (page->guard != guardOf(page)) {
            Os::die("%s: the header of the page at %p was overwritten (seen by thread %llu)",
                    model, static_cast<void *>(Source::pageOf(page)), thread());
        }
    }

    // A pointer on its way back.
    static void freeing(void *pointer, const char *model) noexcept
    {
        if (!Source::contains(pointer)) {
            Os::die("%s: %p, freed by thread %llu, is not from this pool", model, pointer,
                    thread());
        }
        PageHeader *page = Source::hasHeader(pointer) ? Source::headerOf(pointer) : nullptr;
        if (!page || !page->bin) {
            Os::die("%s: %p, freed by thread %llu, is in a page that holds no chunks", model,
                    pointer, thread());
        }
        checkHeader(page, model);
        const std::size_t offset = std::size_t(static_cast<char *>(pointer)
                                               - Source::pageOf(page));
        if (offset % page->chunkSize != 0) {
            Os::die("%s: %p, freed by thread %llu, is not the start of a chunk, but %u bytes "
                    "into one of %u bytes",
                    model, pointer, thread(), unsigned(offset % page->chunkSize), page->chunkSize);
        }
        if (!page->reset(offset / page->chunkSize)) {
            Os::die("%s: %p, freed by thread %llu, is free already (a chunk of %u bytes)", model,
                    pointer, thread(), page->chunkSize);
        }
    }

    // A chunk on its way out.
    static void allocating(void *pointer, const char *model) noexcept
    {
        auto *chunk = static_cast<FreeChunk *>(pointer);
        PageHeader *page = Source::headerOf(pointer);
        checkHeader(page, model);
        untouched(chunk, model);
        const std::size_t offset = std::size_t(static_cast<char *>(pointer)
                                               - Source::pageOf(page));
        if (page->set(offset / page->chunkSize)) {
            Os::die("%s: %p, a chunk of %u bytes, is about to be handed out twice (seen by "
                    "thread %llu)", model, pointer, page->chunkSize, thread());
        }
    }

    // A chunk that waits unlinked, in a magazine or a parcel.
    static void untouched(FreeChunk *chunk, const char *model) noexcept
    {
        if (Link::next(chunk)) {
            Os::die("%s: %p, a chunk of %u bytes, was written to after it was freed (seen by "
                    "thread %llu)", model, static_cast<void *>(chunk),
                    Source::headerOf(chunk)->chunkSize, thread());
        }
    }

    // A link about to be followed, of a chunk in a page's list or in \a bin's backlog.
    static void following(FreeChunk *chunk, const Bin &bin, const char *model) noexcept
    {
        FreeChunk *next = Link::next(chunk);
        if (!next)
            return;
        const auto address = reinterpret_cast<std::uintptr_t>(next);
        if (address % sizeof(void *) == 0 && Source::hasHeader(next)
                && Source::headerOf(next)->bin == &bin) {
            return;
        }
        Os::die("%s: the free list is broken at %p, a chunk of %u bytes: it was written to after "
                "it was freed (seen by thread %llu)", model, static_cast<void *>(chunk),
                bin.chunkSize.load(std::memory_order_relaxed), thread());
    }

private:
    static unsigned long long thread() noexcept { return Os::threadId(); }
};

QPOOL_END_NAMESPACE

#endif // QPOOLCHECKS_H
