// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QCHUNKRESERVE_H
#define QCHUNKRESERVE_H

#include "../../allocator/os/qpoolos.h"

QPOOL_BEGIN_NAMESPACE

/*
    Chunks that a thread has reserved for itself, of a type that allocates and deallocates them.
    They have been touched: taking one neither fails nor causes a page fault. A pool alone does not
    guarantee that, because it gives empty pages back.

    Each thread has its own list, which no other thread sees, so no lock is needed. The rest goes
    back when the thread ends, except without an operating system, where the end of a thread is not
    known.
*/
template <class Chunks, std::size_t ChunkSize>
class ChunkReserve
{
public:
    ChunkReserve() = delete;

    // Returns null if the reserve is empty.
    QPOOL_ALWAYS_INLINE static void *take() noexcept
    {
        Link *first = s_thread.first;
        if (QPOOL_LIKELY(!first))
            return nullptr;
        s_thread.first = first->next;
        --s_thread.count;
        return first;
    }

    static std::size_t count() noexcept { return s_thread.count; }

    // Reserves chunks until there are \a wanted. Returns false when out of memory; what was
    // reserved stays. Reserves none if there cannot be so many.
    static bool grow(std::size_t wanted) noexcept
    {
        if (s_thread.count >= wanted)
            return true;
        if (wanted > MostBytes / ChunkSize || !arm())
            return false;
        // In the order in which the pool hands them out, which is by address on fresh pages.
        Link **end = &s_thread.first;
        while (*end)
            end = &(*end)->next;
        while (s_thread.count < wanted) {
            void *chunk = Chunks::allocate();
            if (!chunk)
                return false;
            touch(static_cast<char *>(chunk));
            auto *link = static_cast<Link *>(chunk);
            link->next = nullptr;
            *end = link;
            end = &link->next;
            ++s_thread.count;
        }
        return true;
    }

    static void giveBack() noexcept
    {
        while (void *chunk = take())
            Chunks::deallocate(chunk);
    }

private:
    struct Link
    {
        Link *next;
    };

    struct Thread
    {
        Link *first;
        std::size_t count;
        Os::ThreadExitHook::Entry exit;
        bool armed;
    };

    static void touch(char *chunk) noexcept
    {
        // No system has smaller pages.
        constexpr std::size_t step = 4096;
        for (std::size_t at = 0; at < ChunkSize; at += step)
            const_cast<volatile char *>(chunk)[at] = 0;
        const_cast<volatile char *>(chunk)[ChunkSize - 1] = 0;
    }

    static bool arm() noexcept
    {
#ifndef QPOOL_FREESTANDING
        if (!s_thread.armed) {
            s_thread.exit.function = &threadEnded;
            s_thread.armed = Os::ThreadExitHook::arm(s_thread.exit);
        }
        return s_thread.armed;
#else
        return true;
#endif
    }

    static void threadEnded() noexcept
    {
        s_thread.armed = false;
        giveBack();
    }

    static inline QPOOL_THREAD_LOCAL Thread s_thread QPOOL_TLS_MODEL = { nullptr, 0,
                                                                         { nullptr, nullptr },
                                                                         false };
};

QPOOL_END_NAMESPACE

#endif // QCHUNKRESERVE_H
