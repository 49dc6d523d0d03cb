// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLCHECKS_H
#define QPOOLCHECKS_H

#include "../os/qpoolfreelog.h"
#include "../pages/qpoolpage.h"
#include "qpoolarena.h"

QPOOL_BEGIN_NAMESPACE

/*
    What level 2 fills chunks with, so that stray writes are detected: a free chunk with poison
    behind its two words, and the bytes behind the payload of a live chunk with a canary.

    The first word of a free chunk is the address of a table of functions, at the place of an
    object's vtable. A virtual call on a freed object, including a second delete that calls the
    destructor, is therefore reported instead of jumping to an arbitrary address. The idea is from
    Cocoa's zombies.
*/
class Poison
{
public:
    static constexpr unsigned char FreeByte = 0xDD;
    static constexpr unsigned char CanaryByte = 0xC5;
    // AddressSanitizer and Memcheck detect the accesses themselves.
    static constexpr bool Enabled = !QPOOL_TRACK_ASAN && !QPOOL_TRACK_VALGRIND;

    // Fills a chunk of \a size bytes, canary included, that becomes free.
    static void fill(void *chunk, std::size_t size) noexcept
    {
        Mark::setInFree(static_cast<FreeChunk *>(chunk), tombstone());
        Link::set(static_cast<FreeChunk *>(chunk), nullptr);
        if constexpr (Enabled) {
            std::memset(static_cast<char *>(chunk) + sizeof(FreeChunk), FreeByte,
                        size - sizeof(FreeChunk));
        }
    }

    // Returns the offset of the first byte of a free chunk that was written to; \a size if none
    // was.
    static std::size_t firstSpoilt([[maybe_unused]] void *chunk, std::size_t size) noexcept
    {
        if constexpr (Enabled) {
            if (!Mark::isSet(chunk, tombstone()))
                return 0;
            if (Link::next(static_cast<FreeChunk *>(chunk)))
                return offsetof(FreeChunk, word);
            return firstOther(chunk, sizeof(FreeChunk), size, FreeByte);
        }
        return size;
    }

    static void guard([[maybe_unused]] void *chunk, [[maybe_unused]] std::size_t payload,
                      [[maybe_unused]] std::size_t size) noexcept
    {
        // The words must not look as they did while the chunk was free.
        if constexpr (Enabled) {
            std::memset(chunk, FreeByte, sizeof(FreeChunk));
            std::memset(static_cast<char *>(chunk) + payload, CanaryByte, size - payload);
        }
    }

    // Returns the offset of the first byte written to behind a live chunk's payload; \a size if
    // none was.
    static std::size_t firstOverrun([[maybe_unused]] const void *chunk,
                                    [[maybe_unused]] std::size_t payload,
                                    std::size_t size) noexcept
    {
        if constexpr (Enabled)
            return firstOther(chunk, payload, size, CanaryByte);
        return size;
    }

private:
    static std::size_t firstOther(const void *chunk, std::size_t from, std::size_t to,
                                  unsigned char expected) noexcept
    {
        const auto *bytes = static_cast<const unsigned char *>(chunk);
        while (from < to && bytes[from] == expected)
            ++from;
        return from;
    }

    using Function = void (*)(void *);

    [[noreturn]] static void called(void *object)
    {
        Os::warn("a virtual function of %p is called by thread %llu, but the object was freed",
                 object, static_cast<unsigned long long>(Os::threadId()));
        FreeLog::abortWith(object, 0);
    }

    struct Tombstone
    {
        static constexpr unsigned Count = 128;
        // The part of a vtable before the functions, which identifies the class.
        std::intptr_t offsetToTop = 0;
        const void *typeInfo = nullptr;
        Function functions[Count] = {};

        constexpr Tombstone()
        {
            for (Function &function : functions)
                function = &called;
        }
    };

    static const void *tombstone() noexcept
    {
        static constexpr Tombstone table;
        return table.functions;
    }
};

/*
    The checks of hardened builds, at both levels. On an error, they print the threading model, the
    pointer and the thread, and abort, because the memory can no longer be trusted. In other builds
    nothing calls them.

    These are the checks of chunks on their way through the core. What the program frees is checked by the
    pool's front: see Hardening.
*/
template <class Source>
struct Checks
{
    static std::size_t offsetOf(const PageHeader *page, const void *pointer) noexcept
    {
        return std::size_t(static_cast<const char *>(pointer) - Source::pageOf(page));
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
};

QPOOL_END_NAMESPACE

#endif // QPOOLCHECKS_H
