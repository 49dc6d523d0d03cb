// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qprocesspool.h"

#if QPOOL_PROCESS_COPY

#include "../os/qpoolenvironment.h"
#include "../os/qpoolos.h"
#include "../os/qpoolwatchers.h"
#include "../os/qpoolwishes.h"

#if defined(__GLIBC__)
#  include <unistd.h>
#endif

QPOOL_BEGIN_NAMESPACE

static const char *processWish() noexcept
{
    return Os::environment("QT_POOL_ALLOCATOR");
}

bool isProcessPoolDisabled() noexcept
{
    const char *wishes = processWish();
    if (wishes && hasWish(wishes, "0"))
        return true;
    return !(wishes && hasWish(wishes, "1")) && Os::isHeapWatched();
}

// Somebody who writes "off" would take a pool that is on for one that is off.
static void reportUnknownWishes(const char *wishes) noexcept
{
    findWish(wishes, [](const char *wish, std::size_t length) {
        if (!isKnownWish(wish, length)) {
            Os::warn("QT_POOL_ALLOCATOR: \"%.*s\" has no effect: 0 disables the pool, and the other words are 1, "
                     "monitor, latency, heap and heap=BYTES", int(length), wish);
        }
        return false;
    });
}

// A process that publishes needs them even if its pool is disabled. Before the C library knows the
// environment, the answer is not known: the first use will ask again.
bool ProcessLayout::needsForkHandlers() noexcept
{
#if defined(__GLIBC__)
    if (!environ)
        return false;
#endif
    const char *wishes = processWish();
    return !isProcessPoolDisabled() || (wishes && hasWish(wishes, "monitor"));
}

bool ProcessLayout::isDisabled() noexcept
{
    const bool disabled = isProcessPoolDisabled();
    const char *wishes = processWish();
    if (!wishes)
        return disabled;
    reportUnknownWishes(wishes);
    if (hasWish(wishes, "monitor")) {
        Publication::begin<ProcessLayout>(
                { processLibrary, ProcessDomains, processDomainCount(), !disabled });
    }
    if (!disabled)
        HeapSamples::setInterval(numberOfWish(wishes, "heap", HeapSamples::DefaultInterval));
    return disabled;
}

QPOOL_END_NAMESPACE

#endif // QPOOL_PROCESS_COPY
