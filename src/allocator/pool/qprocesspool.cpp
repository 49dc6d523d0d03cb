// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qprocesspool.h"

#if QPOOL_PROCESS_COPY

#include <cstdlib>
#include <cstring>
#include <initializer_list>

// AddressSanitizer's run time and heaptrack, when the process has one. The latter takes itself out
// of LD_PRELOAD.
#if defined(__GNUC__) && !defined(_WIN32)
extern "C" void __asan_init() __attribute__((weak));
extern "C" void heaptrack_init() __attribute__((weak));
#endif

QPOOL_BEGIN_NAMESPACE

static const char *processWish() noexcept
{
    return std::getenv("QT_POOL_ALLOCATOR");
}

// That is no wish to be on where the pool would stand aside.
static bool isWishToBeSeen(const char *wish) noexcept
{
    return wish && std::strcmp(wish, "monitor") == 0;
}

bool processStandsAside() noexcept
{
    if (const char *wish = processWish(); wish && !isWishToBeSeen(wish))
        return std::strcmp(wish, "0") == 0;
#if defined(__GNUC__) && !defined(_WIN32)
    if (__asan_init || heaptrack_init)
        return true;
#endif
    const char *preloaded = std::getenv("LD_PRELOAD");
    if (!preloaded)
        return false;
    for (const char *tool : { "vgpreload_memcheck", "vgpreload_massif", "vgpreload_dhat" }) {
        if (std::strstr(preloaded, tool))
            return true;
    }
    return false;
}

bool ProcessLayout::standsAside() noexcept
{
    const bool aside = processStandsAside();
    if (isWishToBeSeen(processWish())) {
        Publication::begin<ProcessLayout>(
                { processLibrary, ProcessDomains, processDomainCount(), !aside });
    }
    return aside;
}

QPOOL_END_NAMESPACE

#endif // QPOOL_PROCESS_COPY
