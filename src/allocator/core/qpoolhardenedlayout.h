// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLHARDENEDLAYOUT_H
#define QPOOLHARDENEDLAYOUT_H

#include "qpoolchunk.h"

#include <type_traits>

QPOOL_BEGIN_NAMESPACE

/*
    How hardened builds change a layout: each chunk has room for the words of FreeChunk. At level 2
    it also has a canary behind the program's bytes, as large as the lowest set bit of the size, so
    that alignment does not change. Where the page has no room for a canary, there is none.
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

    // The bytes that the program may use.
    static constexpr std::size_t payload(unsigned bin) noexcept { return Layout::chunkSize(bin); }
};

// The layout itself in other builds, where types keep their names.
template <class Layout, class Source>
using LayoutInUse =
        std::conditional_t<hardened, HardenedLayout<Layout, Source::PageSize>, Layout>;

QPOOL_END_NAMESPACE

#endif // QPOOLHARDENEDLAYOUT_H
