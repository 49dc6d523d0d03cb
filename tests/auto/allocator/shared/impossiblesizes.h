// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef IMPOSSIBLESIZES_H
#define IMPOSSIBLESIZES_H

#include <cstddef>
#include <cstdint>
#include <set>

// What no object can have.
inline constexpr std::size_t MostBytes = PTRDIFF_MAX;

// Around each limit, with the distances that headers, alignments, cache lines and pages may add.
inline std::set<std::size_t> impossibleSizes()
{
    std::set<std::size_t> sizes;
    for (std::size_t distance : { 0, 1, 2, 7, 8, 10, 15, 16, 31, 32, 62, 63, 64, 65, 100, 127, 128, 1000,
                                  1024, 4095, 4096, 4097, 5000, 65535, 65536, 70000, 0x1FFFFF, 0x200000 }) {
        sizes.insert(SIZE_MAX - distance);
        // Where addresses have 32 bits, there may be nearly as much.
        if (sizeof(std::size_t) > 4)
            sizes.insert(MostBytes - distance);
        sizes.insert(MostBytes + 1 + distance);
    }
    return sizes;
}

// Counts of elements of \a bytes: more bytes than MostBytes, or a product that wraps to few bytes.
inline std::set<std::size_t> impossibleCounts(std::size_t bytes)
{
    std::set<std::size_t> counts;
    for (std::size_t distance : { 0, 1, 2, 7, 8, 100, 4096 }) {
        counts.insert(SIZE_MAX - distance);
        counts.insert(MostBytes / bytes + 1 + distance);
        if (bytes > 1)
            counts.insert(SIZE_MAX / bytes + 1 + distance);
        for (std::size_t part = 2; part <= bytes; part *= 2)
            counts.insert(SIZE_MAX / part - distance);
    }
    for (auto it = counts.begin(); it != counts.end();)
        it = *it > MostBytes / bytes ? ++it : counts.erase(it);
    return counts;
}

#endif // IMPOSSIBLESIZES_H
