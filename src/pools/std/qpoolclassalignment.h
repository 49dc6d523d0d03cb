// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLCLASSALIGNMENT_H
#define QPOOLCLASSALIGNMENT_H

#include "../../allocator/qpoolsizeclasses.h"

QPOOL_BEGIN_NAMESPACE

// Whether blocks whose size is a multiple of \a alignment are aligned to it in their size classes.
constexpr bool sizeClassesAlign(std::size_t alignment) noexcept
{
    for (std::size_t size = alignment; size <= SizeClasses::MaxSize; size += alignment) {
        if (SizeClasses::alignmentOf(SizeClasses::indexOf(size)) < alignment)
            return false;
    }
    return alignment <= SizeClasses::MaxSize;
}

QPOOL_END_NAMESPACE

#endif // QPOOLCLASSALIGNMENT_H
