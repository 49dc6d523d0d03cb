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

// Whether a wish is \a word or \a word=NUMBER.
inline bool isNumberedWish(const char *wish, std::size_t length, const char *word) noexcept
{
    const std::size_t end = std::strcspn(wish, ",=");
    return isWish(wish, end, word)
            && (end == length || (end + 1 < length && std::strspn(wish + end + 1, "0123456789") == length - end - 1));
}

// The number in the wish \a word=NUMBER, or \a otherwise if that has none; 0 without such a wish.
inline std::size_t numberOfWish(const char *wishes, const char *word, std::size_t otherwise) noexcept
{
    std::size_t number = 0;
    findWish(wishes, [&](const char *wish, std::size_t length) {
        if (!isNumberedWish(wish, length, word))
            return false;
        for (const char *digit = wish + std::strlen(word) + 1; digit < wish + length && number < MostBytes / 16; ++digit)
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
            || isWish(wish, length, "latency") || isNumberedWish(wish, length, "heap");
}

QPOOL_END_NAMESPACE

#endif // QPOOLWISHES_H
