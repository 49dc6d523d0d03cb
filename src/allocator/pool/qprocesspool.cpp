// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qprocesspool.h"

#if QPOOL_PROCESS_COPY

#include "../os/qpoolwatchers.h"

QPOOL_BEGIN_NAMESPACE

static const char *processWish() noexcept
{
    return std::getenv("QT_POOL_ALLOCATOR");
}

// That is no wish to be on where the pool would be disabled.
static bool isWishToBeSeen(const char *wish) noexcept
{
    return wish && std::strcmp(wish, "monitor") == 0;
}

bool isProcessPoolDisabled() noexcept
{
    if (const char *wish = processWish(); wish && !isWishToBeSeen(wish))
        return std::strcmp(wish, "0") == 0;
    return Os::isHeapWatched();
}

bool ProcessLayout::isDisabled() noexcept
{
    const bool disabled = isProcessPoolDisabled();
    if (isWishToBeSeen(processWish())) {
        Publication::begin<ProcessLayout>(
                { processLibrary, ProcessDomains, processDomainCount(), !disabled });
    }
    return disabled;
}

QPOOL_END_NAMESPACE

#endif // QPOOL_PROCESS_COPY
