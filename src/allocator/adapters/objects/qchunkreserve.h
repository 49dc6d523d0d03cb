// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QCHUNKRESERVE_H
#define QCHUNKRESERVE_H

#include "../../os/qpoolos.h"

QPOOL_BEGIN_NAMESPACE

/*
    Chunks that a thread has set aside for itself, of a type that allocates and deallocates them.
    They are touched: taking one neither fails nor causes a page fault. A pool alone does not promise
    that, as it gives empty pages back.

    Each thread has its own list and no other sees it, so there is nothing to lock. What is left
    goes back when the thread ends; without an operating system nobody tells when that is.
*/
template <class Chunks, std::size_t ChunkSize>
class ChunkReserve
{
public:
    ChunkReserve() = delete;

    // Null if there is none left.
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

    // Until there are \a wanted. False when memory is out; what could be had stays.
    static bool grow(std::size_t wanted) noexcept
    {
        if (s_thread.count >= wanted)
            return true;
        if (!arm())
            return false;
        // In the order in which the pool hands them out, which is that of addresses on fresh pages.
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
