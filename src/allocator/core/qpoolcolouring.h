// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLCOLOURING_H
#define QPOOLCOLOURING_H

#include "../qpoolglobal.h"

QPOOL_BEGIN_NAMESPACE

/*
    How many chunks a page has. If the chunk size divides the page size, one cache line, or one
    chunk, is left over, so that successive pages begin at different places in their class's
    sequence. Otherwise chunks whose numbers are powers of two share a few sets of each cache, as do
    the nodes on the last path of a balanced tree built in order: building a std::map of 56-byte
    nodes took twice the time. (Slab colouring: Bonwick, USENIX 1994.)

    Larger chunks would waste more than a hundredth of the page, and a static buffer has no space to
    waste.
*/
template <class Source>
constexpr std::uint32_t chunksPerPage(std::size_t chunkSize) noexcept
{
    constexpr std::size_t most = 512;
    const std::size_t count = Source::PageSize / chunkSize;
    if (!Source::HasHeap || chunkSize > most || count * chunkSize != Source::PageSize)
        return std::uint32_t(count);
    const std::size_t spared = CacheLineSize / chunkSize;
    return std::uint32_t(count - (spared > 0 ? spared : 1));
}

QPOOL_END_NAMESPACE

#endif // QPOOLCOLOURING_H
