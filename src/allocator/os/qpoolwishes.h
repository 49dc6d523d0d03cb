// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLWISHES_H
#define QPOOLWISHES_H

#include "../qpoolglobal.h"

#include <cstring>

QPOOL_BEGIN_NAMESPACE

// The contents of the environment variable QT_POOL_ALLOCATOR: words separated by commas. "0" and
// "1" switch the pool off and on; the others request that something is shown.

// Calls \a found with the start and the length of each wish, until it returns true; returns whether it did.
template <class Found>
bool findWish(const char *wishes, Found &&found) noexcept
{
    for (const char *wish = wishes;; ++wish) {
        const std::size_t length = std::strcspn(wish, ",");
        if (found(wish, length))
            return true;
        wish += length;
        if (*wish == '\0')
            return false;
    }
}

inline bool isWish(const char *wish, std::size_t length, const char *word) noexcept
{
    return length == std::strlen(word) && std::memcmp(wish, word, length) == 0;
}

// Whether \a word, which contains no comma, is among \a wishes.
inline bool hasWish(const char *wishes, const char *word) noexcept
{
    return findWish(wishes, [word](const char *wish, std::size_t length) { return isWish(wish, length, word); });
}

// The number in the wish \a word=NUMBER, or \a otherwise if that has none; 0 without such a wish.
inline std::size_t numberOfWish(const char *wishes, const char *word, std::size_t otherwise) noexcept
{
    std::size_t number = 0;
    findWish(wishes, [&](const char *wish, std::size_t length) {
        const std::size_t end = std::strcspn(wish, ",=");
        if (!isWish(wish, end, word))
            return false;
        const char *digit = wish + end + (end < length);
        for (; *digit >= '0' && *digit <= '9' && number < MostBytes / 16; ++digit)
            number = number * 10 + std::size_t(*digit - '0');
        if (number == 0)
            number = otherwise;
        return true;
    });
    return number;
}

inline bool isKnownWish(const char *wish, std::size_t length) noexcept
{
    return length == 0 || isWish(wish, length, "0") || isWish(wish, length, "1") || isWish(wish, length, "monitor")
            || isWish(wish, length, "latency") || isWish(wish, length, "heap")
            || (length > 5 && std::memcmp(wish, "heap=", 5) == 0 && std::strspn(wish + 5, "0123456789") == length - 5);
}

QPOOL_END_NAMESPACE

#endif // QPOOLWISHES_H
