// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLHARDENEDLAYOUT_H
#define QPOOLHARDENEDLAYOUT_H

#include "qpoolchunk.h"

#include <type_traits>

QPOOL_BEGIN_NAMESPACE

/*
    What hardened builds make of a layout: a chunk has room for the words of FreeChunk, and at
    level 2 for a canary behind what the program may use, as much as the lowest set bit of its size,
    so that it is aligned as before. Where a page has no room for that there is no canary.
*/
template <class Layout, std::size_t PageSize>
struct HardenedLayout : Layout
{
    static constexpr std::size_t chunkSize(unsigned bin) noexcept
    {
        const std::size_t asked = Layout::chunkSize(bin);
        const std::size_t size = asked < sizeof(FreeChunk) ? sizeof(FreeChunk) : asked;
        if constexpr (hardening == 2) {
            const std::size_t guarded = size + (size & (~size + 1));
            return guarded <= PageSize ? guarded : size;
        }
        return size;
    }

    // What the program may use of it.
    static constexpr std::size_t payload(unsigned bin) noexcept { return Layout::chunkSize(bin); }
};

// Nothing at all in other builds, in which types keep their names.
template <class Layout, class Source>
using LayoutInUse =
        std::conditional_t<hardened, HardenedLayout<Layout, Source::PageSize>, Layout>;

QPOOL_END_NAMESPACE

#endif // QPOOLHARDENEDLAYOUT_H
