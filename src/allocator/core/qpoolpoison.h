// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLPOISON_H
#define QPOOLPOISON_H

#include "qpoolchunk.h"
#include "qpoolfreelog.h"

QPOOL_BEGIN_NAMESPACE

/*
    What chunks are filled with in builds of level 2, so that what was written to them shows: a free one
    with poison, behind its two words, and what is behind the payload of a live one with a canary.

    The first word of a free chunk is the address of a table of functions, where an object has its
    vtable: so a virtual call of a freed object is named, the destructor's by a second delete among
    them, instead of jumping to wherever. The idea is that of the zombies of Cocoa.
*/
class Poison
{
public:
    static constexpr unsigned char FreeByte = 0xDD;
    static constexpr unsigned char CanaryByte = 0xC5;
    // AddressSanitizer and Memcheck see the accesses themselves.
    static constexpr bool Enabled = !QPOOL_TRACK_ASAN && !QPOOL_TRACK_VALGRIND;

    // A chunk of \a size bytes, canary included, that is free from here on.
    static void fill(void *chunk, std::size_t size) noexcept
    {
        Mark::setInFree(static_cast<FreeChunk *>(chunk), tombstone());
        Link::set(static_cast<FreeChunk *>(chunk), nullptr);
        if constexpr (Enabled) {
            std::memset(static_cast<char *>(chunk) + sizeof(FreeChunk), FreeByte,
                        size - sizeof(FreeChunk));
        }
    }

    // How many bytes into a free chunk the first is that was written to; \a size if none was.
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
        // Not to be taken for what they were while the chunk was free.
        if constexpr (Enabled) {
            std::memset(chunk, FreeByte, sizeof(FreeChunk));
            std::memset(static_cast<char *>(chunk) + payload, CanaryByte, size - payload);
        }
    }

    // How many bytes into a live chunk the first is that does not belong to it and was written to.
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
        // What stands before a vtable's functions, and is asked for the class.
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
