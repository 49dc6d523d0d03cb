// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QLARGEBLOCKS_H
#define QLARGEBLOCKS_H

#include "../../allocator/os/qpoolwatchers.h"
#include "../../allocator/os/qpoolwishes.h"
#include "../../allocator/pages/qpoolsystempages.h"

#include <new>

QPOOL_BEGIN_NAMESPACE

/*
    Blocks above the largest size class, for containers. From 128 KiB on they come from the pages of
    SystemPages: an array that is built again causes no page faults, and its memory goes back by age.
    Smaller ones come from the global operator new, and so do all in hardened builds, because the system
    takes large blocks back at once when they are freed, so that a use after free faults; also if a tool
    watches the heap, and with QT_POOL_ALLOCATOR=0. A block's address shows where it is from.

    Any thread may call any function. None throws.
*/
class LargeBlocks
{
public:
    static constexpr std::size_t LeastBytes = 128 * 1024;

    LargeBlocks() = delete;

    // \a alignment is a power of two. Null if there is no memory; may have called the new-handler.
    [[nodiscard]] static void *allocate(std::size_t bytes, std::size_t alignment) noexcept
    {
        if (bytes >= LeastBytes && usesPages()) {
            bool isZero;
            if (void *block = SystemPages::allocateBlock(bytes, alignment, &isZero))
                return block;
        }
        if (bytes > MostBytes || alignment > MostBytes - bytes)
            return nullptr;
        // The aligned operators are slower.
        return isAligned(alignment) ? ::operator new(bytes, std::nothrow)
                                    : ::operator new(bytes, std::align_val_t(alignment), std::nothrow);
    }

    static void deallocate(void *block, std::size_t alignment) noexcept
    {
        if (PageHeader *page = SystemPages::findHeader(block))
            SystemPages::deallocateBlock(page);
        else if (isAligned(alignment))
            ::operator delete(block);
        else
            ::operator delete(block, std::align_val_t(alignment));
    }

private:
    static constexpr bool isAligned(std::size_t alignment) noexcept
    {
        return alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__;
    }

    // Decided once: relaxed, because no other data depends on it, and every thread finds the same.
    static bool usesPages() noexcept
    {
        if (hardened)
            return false;
        int known = s_usesPages.load(std::memory_order_relaxed);
        if (QPOOL_UNLIKELY(known < 0)) {
            const char *wishes = Os::environment("QT_POOL_ALLOCATOR");
            known = !(wishes && hasWish(wishes, "0")) && !Os::isHeapWatched();
            if (known)
                SystemPages::surviveFork();
            s_usesPages.store(known, std::memory_order_relaxed);
        }
        return known;
    }

    static inline std::atomic<int> s_usesPages { -1 };
};

QPOOL_END_NAMESPACE

#endif // QLARGEBLOCKS_H
