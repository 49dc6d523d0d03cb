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

// The number in the wish \a word=NUMBER, or \a otherwise if that has none; 0 without such a wish.
inline std::size_t numberOfWish(const char *wishes, const char *word, std::size_t otherwise) noexcept
{
    const std::size_t length = std::strlen(word);
    for (const char *wish = wishes;; ++wish) {
        if (std::strncmp(wish, word, length) == 0 && std::strchr(",=", wish[length])) {
            std::size_t number = 0;
            const char *digit = wish + length + (wish[length] == '=');
            for (; *digit >= '0' && *digit <= '9' && number < MostBytes / 16; ++digit)
                number = number * 10 + std::size_t(*digit - '0');
            return number > 0 ? number : otherwise;
        }
        wish += std::strcspn(wish, ",");
        if (*wish == '\0')
            return 0;
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
        constexpr char heap[] = "heap="; // with its number
        if (!is("monitor") && !is("latency") && !is("heap") && std::strncmp(wish, heap, sizeof(heap) - 1) != 0)
            return false;
        wish += end;
        if (*wish == '\0')
            return true;
    }
}

QPOOL_END_NAMESPACE

#endif // QPOOLWISHES_H
