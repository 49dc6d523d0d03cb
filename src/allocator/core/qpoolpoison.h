// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLPOISON_H
#define QPOOLPOISON_H

#include "qpoolchunk.h"
#include "qpoolfreelog.h"

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

QPOOL_END_NAMESPACE

#endif // QPOOLPOISON_H
