// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSPIN_H
#define QPOOLSPIN_H

#include "../qpoolglobal.h"

#if defined(_MSC_VER) && !defined(__clang__)
#  include <intrin.h>
#endif

QPOOL_BEGIN_NAMESPACE

namespace Detail {

// For use between two reads of what another thread writes: about ten cycles in which the processor
// uses little energy, and does not load the line again and again.
QPOOL_ALWAYS_INLINE void spinOnce() noexcept
{
#if defined(__i386__) || defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__) || (defined(__arm__) && __ARM_ARCH >= 7)
    asm volatile("yield");
#elif defined(_MSC_VER) && (defined(_M_X64) || defined(_M_IX86))
    _mm_pause();
#endif
}

} // namespace Detail

QPOOL_END_NAMESPACE

#endif // QPOOLSPIN_H
