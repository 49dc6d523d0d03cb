// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLPREFETCH_H
#define QPOOLPREFETCH_H

#include "../../allocator/qpoolglobal.h"

#if defined(_MSC_VER) && !defined(__clang__)
#  include <intrin.h>
#endif

QPOOL_BEGIN_NAMESPACE

namespace Detail {

// Hints that \a place will soon be written: fetches the line, which removes it from the other
// processors' caches. Any address is allowed: nothing is accessed.
QPOOL_ALWAYS_INLINE void prefetchForWriting([[maybe_unused]] const void *place) noexcept
{
#if defined(__x86_64__)
    // Unless they compile for a newer processor, compilers emit a prefetch for reading for the
    // builtin. All these processors have the instruction; the oldest ignore it.
    asm volatile("prefetchw %0" : : "m"(*static_cast<const char *>(place)));
#elif defined(__GNUC__)
    __builtin_prefetch(place, 1);
#elif defined(_MSC_VER) && (defined(_M_X64) || defined(_M_IX86))
    _m_prefetchw(place);
#endif
}

} // namespace Detail

QPOOL_END_NAMESPACE

#endif // QPOOLPREFETCH_H
