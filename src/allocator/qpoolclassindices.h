// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLCLASSINDICES_H
#define QPOOLCLASSINDICES_H

#include "qpoolglobal.h"

QPOOL_BEGIN_NAMESPACE

/*
    The class of each size, for sizes that are not known at compile time: one load instead of
    branches. \a Classes provides MaxSize; Step, of which all its sizes are multiples; and
    indexOf().
*/
template <class Classes>
struct ClassIndices
{
    constexpr ClassIndices() noexcept
    {
        for (std::size_t i = 0; i <= Classes::MaxSize / Classes::Step; ++i)
            of[i] = std::uint8_t(Classes::indexOf(i * Classes::Step));
    }

    std::uint8_t of[Classes::MaxSize / Classes::Step + 1] = {};
};

template <class Classes>
inline constexpr ClassIndices<Classes> classIndices {};

// indexOf(), for sizes that may not be known at compile time.
template <class Classes>
QPOOL_ALWAYS_INLINE unsigned anyClassIndexOf(std::size_t size) noexcept
{
#ifdef __GNUC__
    if (__builtin_constant_p(size))
        return Classes::indexOf(size);
#endif
    return classIndices<Classes>.of[(size + Classes::Step - 1) / Classes::Step];
}

QPOOL_END_NAMESPACE

#endif // QPOOLCLASSINDICES_H
