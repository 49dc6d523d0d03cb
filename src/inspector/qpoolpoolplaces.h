// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLPOOLPLACES_H
#define QPOOLPOOLPLACES_H

#include "census/qpoollayoutfacts.h"

#include <vector>

namespace QPool {

/*
    Where the memory of a process's pool is. The pool takes its memory in mappings of its own, so it is enough
    to know the ranges of its pages, and one address in each mapping of its metadata.
*/
struct PoolPlaces
{
    struct Range
    {
        std::uintptr_t begin;
        std::uintptr_t end;
    };

    std::vector<Range> pages; // those in use so far, by address
    std::vector<Range> metadata; // by address
    std::uint64_t blockBytes = 0; // in use, of blocks above the largest class

    // False if the pool's records can't be read, or make no sense.
    bool read(const ReadableMemory &memory, const LayoutFacts &facts);

    static bool overlaps(const std::vector<Range> &ranges, std::uintptr_t begin, std::uintptr_t end) noexcept;

private:
    bool readWindows(const ReadableMemory &memory, const LayoutFacts &facts);
    bool readList(const ReadableMemory &memory, std::uintptr_t head, std::uintptr_t next, std::uintptr_t bytes);
};

} // namespace QPool

#endif // QPOOLPOOLPLACES_H
