// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLCHECKS_H
#define QPOOLCHECKS_H

#include "../pages/qpoolpage.h"
#include "qpoolarena.h"
#include "qpoolpoison.h"

QPOOL_BEGIN_NAMESPACE

/*
    The checks of hardened builds, at both levels. On an error, they print the threading model, the
    pointer and the thread, and abort, because the memory can no longer be trusted. In other builds
    nothing calls them.

    The front tests a freed pointer with as few instructions as possible; refuse() finds out why a
    pointer failed.
*/
template <class Source>
struct Checks
{
    // The chunk may have any size.
    static constexpr std::size_t AnySize = 0;

    static std::size_t offsetOf(const PageHeader *page, const void *pointer) noexcept
    {
        return std::size_t(static_cast<const char *>(pointer) - Source::pageOf(page));
    }

    // Reports why \a pointer, freed to the pool \a name as a chunk of \a size bytes, is invalid.
    [[noreturn]] QPOOL_NEVER_INLINE static void refuse(void *pointer, const PoolName &name,
                                                       std::size_t size) noexcept
    {
        const char *model = name.text;
        if (!Source::contains(pointer)) {
            Os::die("%s: %p, freed by thread %llu, is not from this pool", model, pointer,
                    thread());
        }
        const PageHeader *page = Source::findUsedHeader(pointer);
        if (!page || !page->bin) {
            Os::die("%s: %p, freed by thread %llu, is in a page that holds no chunks", model,
                    pointer, thread());
        }
        checkHeader(page, model);
        const std::size_t offset = offsetOf(page, pointer);
        if (!page->isChunkStart(offset)) {
            Os::die("%s: %p, freed by thread %llu, is not the start of a chunk, but %u bytes "
                    "into one of %u bytes",
                    model, pointer, thread(), unsigned(offset % page->chunkSize), sizeOf(page));
        }
        if (!isLive(page, pointer)) {
            Os::warn("%s: %p, freed by thread %llu, is free already (a chunk of %u bytes)", model,
                     pointer, thread(), sizeOf(page));
            end(pointer);
        }
        if (!name.isOf(page->owner->model)) {
            Os::die("%s: %p, freed by thread %llu, is from another pool, a %s one", model, pointer,
                    thread(), page->owner->model);
        }
        Os::die("%s: %p, freed by thread %llu, with the size of a chunk of %llu bytes, is one of "
                "%u bytes", model, pointer, thread(), static_cast<unsigned long long>(size),
                sizeOf(page));
    }

    // Checks a link before it is followed, of a chunk in a page's list or in \a bin's backlog.
    static void following(FreeChunk *chunk, const Bin &bin, const char *model) noexcept
    {
        FreeChunk *next = Link::next(chunk);
        if (!next)
            return;
        const auto address = reinterpret_cast<std::uintptr_t>(next);
        const PageHeader *page = address % sizeof(void *) == 0 ? Source::findUsedHeader(next)
                                                               : nullptr;
        if (page && page->bin == &bin)
            return;
        Os::warn("%s: the free list is broken at %p, a chunk of %u bytes: it was written to after "
                 "it was freed (seen by thread %llu)", model, static_cast<void *>(chunk),
                 sizeOf(Source::headerOf(chunk)), thread());
        end(chunk);
    }

    // Prepares a chunk that was never handed out, on its way to a magazine.
    static void prepare(PageHeader *page, void *pointer) noexcept
    {
        auto *chunk = static_cast<FreeChunk *>(pointer);
        if constexpr (hardening == 2)
            Poison::fill(chunk, page->chunkSize);
        else
            Mark::setInFree(chunk, page);
    }

    // Only the owner writes the fields that make up the guard, and only while no chunk of the page
    // is out.
    static std::uintptr_t guardOf(const PageHeader *page) noexcept
    {
        return reinterpret_cast<std::uintptr_t>(page->owner)
                ^ reinterpret_cast<std::uintptr_t>(page->bin) * 3
                ^ reinterpret_cast<std::uintptr_t>(page) * 5 ^ page->chunkSize ^ 0x51504F4Fu;
    }

    static void checkHeader([[maybe_unused]] const PageHeader *page,
                            [[maybe_unused]] const char *model) noexcept
    {
        if constexpr (hardening == 2) {
            if (page->guard != guardOf(page)) {
                Os::die("%s: the header of the page at %p was overwritten (seen by thread %llu)",
                        model, static_cast<void *>(Source::pageOf(page)), thread());
            }
        }
    }

    // Checks a chunk that is unlinked, in a magazine or a batch at level 2.
    static void untouched(FreeChunk *chunk, const char *model) noexcept
    {
        if (Link::next(chunk)) {
            Os::warn("%s: %p, a chunk of %u bytes, was written to after it was freed (seen by "
                     "thread %llu)", model, static_cast<void *>(chunk),
                     sizeOf(Source::headerOf(chunk)), thread());
            end(chunk);
        }
    }

    static unsigned long long thread() noexcept { return Os::threadId(); }

private:
    // Returns the size that the program sees.
    static unsigned sizeOf(const PageHeader *page) noexcept
    {
        return page->payloadOf(page->chunkSize);
    }

    // Prints what level 2 knows about a free chunk, and aborts.
    [[noreturn]] static void end([[maybe_unused]] const void *chunk) noexcept
    {
        if constexpr (hardening == 2)
            FreeLog::abortWith(chunk, 0);
        else
            std::abort();
    }

    static bool isLive(const PageHeader *page, const void *chunk) noexcept
    {
        if constexpr (hardening == 2)
            return page->isLive(offsetOf(page, chunk));
        else
            return !Mark::isSet(chunk, page);
    }
};

QPOOL_END_NAMESPACE

#endif // QPOOLCHECKS_H
