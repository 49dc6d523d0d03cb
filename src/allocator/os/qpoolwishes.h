// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLWISHES_H
#define QPOOLWISHES_H

#include "../qpoolglobal.h"

#include <cstring>

QPOOL_BEGIN_NAMESPACE

// The contents of the environment variable QT_POOL_ALLOCATOR: words separated by commas. "0" and
// "1" switch the pool off and on; the others request that something is shown.

// Whether \a word, which contains no comma, is among \a wishes.
inline bool hasWish(const char *wishes, const char *word) noexcept
{
    const std::size_t length = std::strlen(word);
    for (const char *wish = wishes;; ++wish) {
        const std::size_t end = std::strcspn(wish, ",");
        if (end == length && std::memcmp(wish, word, length) == 0)
            return true;
        wish += end;
        if (*wish == '\0')
            return false;
    }
}

// Whether all of \a wishes request that something is shown: they do not switch the pool on where it
// would be disabled.
inline bool areWishesToSee(const char *wishes) noexcept
{
    for (const char *wish = wishes;; ++wish) {
        const std::size_t end = std::strcspn(wish, ",");
        const auto is = [&](const char *word) {
            return end == std::strlen(word) && std::memcmp(wish, word, end) == 0;
        };
        if (!is("monitor") && !is("latency"))
            return false;
        wish += end;
        if (*wish == '\0')
            return true;
    }
}

QPOOL_END_NAMESPACE

#endif // QPOOLWISHES_H
