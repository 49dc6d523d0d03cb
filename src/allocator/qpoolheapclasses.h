// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLHEAPCLASSES_H
#define QPOOLHEAPCLASSES_H

#include "qpoolsizeclasses.h"

QPOOL_BEGIN_NAMESPACE

/*!
    \class QPool::HeapClasses
    \brief The size classes of the malloc front, in bytes.

    Steps of 16, which is malloc()'s alignment, up to 256; then eight steps per doubling, up to 1024, and
    four, up to 8192; then what fits seven, six, five, four, three times, twice and once into a page of 64 KiB. A block
    is aligned to the lowest set bit of its class's size. Larger blocks have pages of their own.
*/
struct HeapClasses : ClassTable<HeapClasses>
{
    static constexpr unsigned Count = 51;
    static constexpr std::size_t MaxSize = 65536;
    static constexpr std::size_t Step = 16;

    // \a size is at most MaxSize; 0 counts as the smallest class.
    static constexpr unsigned indexOf(std::size_t size) noexcept
    {
        unsigned index = size <= 256 ? 0 : size <= 1024 ? 16 : size <= 8192 ? 32 : 44;
        while (sizeOf(index) < size)
            ++index;
        return index;
    }

    static constexpr std::size_t sizeOf(unsigned index) noexcept
    {
        if (index < 16)
            return (std::size_t(index) + 1) * 16;
        if (index < 32)
            return stepped(index - 16, 8, 256);
        if (index < 44)
            return stepped(index - 32, 4, 1024);
        constexpr std::size_t page = 64 * 1024;
        return page / (Count - index) / Step * Step;
    }
};

QPOOL_END_NAMESPACE

#endif // QPOOLHEAPCLASSES_H
