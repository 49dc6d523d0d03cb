// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSHAREDBITS_H
#define QPOOLSHAREDBITS_H

#include "../allocator/qpoolglobal.h"

#if defined(_MSC_VER) && !defined(__clang__)
#  include <intrin.h>
#endif

QPOOL_BEGIN_NAMESPACE

namespace SharedBits {

// \a word must not be zero.
QPOOL_ALWAYS_INLINE unsigned lowest(std::uint64_t word) noexcept
{
#if defined(_MSC_VER) && !defined(__clang__)
    unsigned long index;
    _BitScanForward64(&index, word);
    return index;
#else
    return unsigned(__builtin_ctzll(word));
#endif
}

QPOOL_ALWAYS_INLINE unsigned highest(std::uint64_t word) noexcept
{
#if defined(_MSC_VER) && !defined(__clang__)
    unsigned long index;
    _BitScanReverse64(&index, word);
    return index;
#else
    return 63 - unsigned(__builtin_clzll(word));
#endif
}

inline unsigned count(std::uint64_t word) noexcept
{
    unsigned bits = 0;
    for (; word; word &= word - 1)
        ++bits;
    return bits;
}

} // namespace SharedBits

QPOOL_END_NAMESPACE

#endif // QPOOLSHAREDBITS_H
