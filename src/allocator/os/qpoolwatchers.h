// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLWATCHERS_H
#define QPOOLWATCHERS_H

#include "qpoolenvironment.h"

#include <cstring>

// The run time of AddressSanitizer and heaptrack, if the process has one. Heaptrack removes itself
// from LD_PRELOAD.
#if defined(__GNUC__) && !defined(_WIN32)
extern "C" void __asan_init() __attribute__((weak));
extern "C" void heaptrack_init() __attribute__((weak));
#endif

QPOOL_BEGIN_NAMESPACE

namespace Os {

// Whether a tool watches every heap block of the process; keeping and reusing memory would blur its
// reports.
inline bool isHeapWatched() noexcept
{
#if defined(__GNUC__) && !defined(_WIN32)
    if (__asan_init || heaptrack_init)
        return true;
#endif
    const char *preloaded = environment("LD_PRELOAD");
    return preloaded
            && (std::strstr(preloaded, "vgpreload_memcheck")
                || std::strstr(preloaded, "vgpreload_massif")
                || std::strstr(preloaded, "vgpreload_dhat"));
}

} // namespace Os

QPOOL_END_NAMESPACE

#endif // QPOOLWATCHERS_H
